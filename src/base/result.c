#include "base/result.h"

#include <stdarg.h>

static const char* const result_names[] = {
#define RESULT_NAME(name, message) #name,
    MRW_RESULTS(RESULT_NAME)
#undef RESULT_NAME
};

static const char* const result_messages[] = {
#define RESULT_MESSAGE(name, message) message,
    MRW_RESULTS(RESULT_MESSAGE)
#undef RESULT_MESSAGE
};

static bool is_known(mrw_result result)
{
    return (unsigned)result < (unsigned)MRW_RESULT_COUNT;
}

const char* mrw_result_name(mrw_result result)
{
    return is_known(result) ? result_names[result] : "UNKNOWN_RESULT";
}

const char* mrw_result_message(mrw_result result)
{
    return is_known(result) ? result_messages[result] : "UNKNOWN_RESULT";
}

typedef struct output {
    char* text;
    size_t capacity, size;
} output;

static void put(output* out, char c)
{
    if (out->size < out->capacity) {
        out->text[out->size] = c;
        out->size++;
    }
}

static void put_text(output* out, const char* text)
{
    for (; text != NULL && *text != 0; text++) {
        put(out, *text);
    }
}

static void put_unsigned(output* out, unsigned value)
{
    if (value >= 10) {
        put_unsigned(out, value / 10);
    }
    put(out, (char)('0' + value % 10));
}

// Ends the text. One that has filled the room loses its last character, all bytes of it, so that valid UTF-8 stays valid.
static size_t finish(const output* out)
{
    size_t size = out->size;
    if (out->capacity == 0) {
        return 0;
    }
    if (size == out->capacity) {
        do {
            size--;
        } while (size > 0 && ((unsigned char)out->text[size] & 0xc0u) == 0x80u);
    }
    out->text[size] = 0;
    return size;
}

size_t mrwi_format_list(char* text, size_t capacity, const char* format, va_list arguments)
{
    output out = { text, capacity, 0 };
    for (const char* at = format; *at != 0; at++) {
        if (*at != '%' || at[1] == 0) {
            put(&out, *at);
            continue;
        }
        at++;
        if (*at == 's') {
            put_text(&out, va_arg(arguments, const char*));
        } else if (*at == 'd') {
            int value = va_arg(arguments, int);
            if (value < 0) {
                put(&out, '-');
            }
            put_unsigned(&out, value < 0 ? 0u - (unsigned)value : (unsigned)value);
        } else if (*at == 'u') {
            put_unsigned(&out, va_arg(arguments, unsigned));
        } else {
            put(&out, *at);
        }
    }
    return finish(&out);
}

size_t mrwi_format(char* out, size_t capacity, const char* format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    size_t size = mrwi_format_list(out, capacity, format, arguments);
    va_end(arguments);
    return size;
}

mrw_result mrwi_fail_list(mrw_error* error, mrw_result code, const char* path, const char* format, va_list arguments)
{
    if (error != NULL) {
        error->code = code;
        error->line = 0;
        error->column = 0;
        error->offset = -1;
        mrwi_format(error->path, sizeof error->path, "%s", path == NULL ? "$" : path);
        mrwi_format_list(error->message, sizeof error->message, format == NULL ? mrw_result_message(code) : format, arguments);
    }
    return code;
}

mrw_result mrwi_fail(mrw_error* error, mrw_result code, const char* path, const char* format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    mrwi_fail_list(error, code, path, format, arguments);
    va_end(arguments);
    return code;
}
