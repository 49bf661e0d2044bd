// Picks the writer of a document's kind.
#include "formats/anim_write.h"
#include "formats/rig2d_write.h"
#include "model/document.h"

mrw_result mrw_document_write(mrw_document* document, char** out_text, size_t* out_size)
{
    *out_text = NULL;
    *out_size = 0;
    mrwi_writer writer;
    mrwi_writer_init(&writer, document->arena.context, false);
    mrw_result result = MRW_OK;
    if (document->kind == MRWI_DOCUMENT_RIG) {
        result = mrwi_rig2d_write(&document->model, &writer);
    } else {
        mrwi_anim_write(&document->clip, &writer);
    }
    if (result != MRW_OK) {
        mrwi_writer_release(&writer);
        return result;
    }
    return mrwi_writer_take(&writer, out_text, out_size);
}
