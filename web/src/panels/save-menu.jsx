import { Icon } from './icon.jsx';
import { usePage, useSelected } from './page.jsx';
import { saveBlob } from '../save/download.js';

/** What can be taken away. */
export function SaveMenu() {
  const { stage, state, actions } = usePage();
  const scene = useSelected((value) => value.scene);
  const name = (scene?.name ?? 'marrow').replace(/\.[^.]+$/, '').replace(/\.rig2d$/, '');

  /** @param {() => Promise<void> | void} act */
  const item = (act) => async (/** @type {MouseEvent} */ event) => {
    /** @type {HTMLElement | null} */ (/** @type {HTMLElement} */ (event.currentTarget).closest('[popover]'))?.hidePopover();
    try {
      await act();
    } catch (error) {
      actions.showError(error);
    }
  };

  return (
    <>
      <button type="button" id="save" aria-label="Save" popovertarget="save-menu" disabled={scene === null}><Icon name="save" /><span>Save</span></button>
      <div id="save-menu" popover="auto" role="menu" aria-label="Save">
        <button type="button" role="menuitem" onClick={item(async () => saveBlob(await stage().picture({ transparent: true }), `${name}.png`))}>Picture of the stage (PNG)</button>
        <button type="button" role="menuitem" onClick={item(() => {
          const rig = state.value.scene?.rig;
          if (rig !== undefined) {
            saveBlob(new Blob([rig.text], { type: 'application/json' }), rig.name);
          }
        })}>Rig (.rig2d.json)</button>
      </div>
    </>
  );
}
