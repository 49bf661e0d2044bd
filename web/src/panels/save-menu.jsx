import { useEffect, useRef, useState } from 'preact/hooks';
import { AnimationDialog } from '../save/animation-dialog.jsx';
import { saveBlob } from '../save/download.js';
import { EmbedDialog } from '../save/embed-dialog.jsx';
import { Icon } from '../controls/icon.jsx';
import { usePage, useSelected } from './page.jsx';

/** What can be taken away. */
export function SaveMenu() {
  const { stage, state, actions } = usePage();
  const scene = useSelected((value) => value.scene);
  const [dialog, setDialog] = useState(/** @type {'gif' | 'sheet' | 'embed' | null} */ (null));
  const opener = useRef(/** @type {HTMLButtonElement | null} */ (null));
  const [toast, setToast] = useState(/** @type {{ id: number, text: string } | null} */ (null));
  const name = (scene?.name ?? 'marrow').replace(/\.[^.]+$/, '').replace(/\.rig2d$/, '');
  const still = scene === null || scene.model.clips.length === 0;
  const close = () => setDialog(null);

  /** @param {string} text @param {string} said */
  async function copy(text, said) {
    try {
      await navigator.clipboard.writeText(text);
      setToast({ id: performance.now(), text: said });
    } catch {
      actions.showError(new Error('The browser does not let this page copy. Select the text and copy it by hand.'));
    }
  }

  /**
   * Arrows go round the items, as everybody expects of a menu.
   * @param {KeyboardEvent & { currentTarget: HTMLElement }} event
   */
  function move(event) {
    const { key, currentTarget } = event;
    const items = itemsOf(currentTarget);
    const at = items.findIndex((each) => each === document.activeElement);
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      items[(at + (key === 'ArrowDown' ? 1 : items.length - 1)) % items.length].focus();
    } else if (key === 'Home' || key === 'End') {
      items[key === 'Home' ? 0 : items.length - 1].focus();
    } else if (key === 'Escape' || key === 'Tab') {
      currentTarget.hidePopover();
      opener.current?.focus();
    } else {
      return;
    }
    // Tab goes on from the button; the rest means nothing to anybody else.
    if (key !== 'Tab') {
      event.preventDefault();
    }
  }

  /** @param {() => Promise<void> | void} act */
  const item = (act) => async (/** @type {MouseEvent} */ event) => {
    /** @type {HTMLElement | null} */ (/** @type {HTMLElement} */ (event.currentTarget).closest('[popover]'))?.hidePopover();
    try {
      await act();
    } catch (error) {
      actions.showError(error);
    }
  };

  function saveRig() {
    const rig = state.value.scene?.rig;
    if (rig !== undefined) {
      saveBlob(new Blob([rig.text], { type: 'application/json' }), rig.name);
    }
  }

  function saveClip() {
    const found = scene?.clips.find(({ text }) => JSON.parse(text).name === scene.hero.clip);
    if (found !== undefined) {
      saveBlob(new Blob([found.text], { type: 'application/json' }), found.name);
    }
  }

  return (
    <>
      <button ref={opener} type="button" id="save" aria-label="Save" aria-haspopup="menu" popovertarget="save-menu" disabled={scene === null}><Icon name="save" /><span>Save</span></button>
      <div id="save-menu" popover="auto" role="menu" aria-label="Save" onKeyDown={move} onToggle={({ currentTarget, newState }) => {
        if (newState === 'open') {
          itemsOf(currentTarget)[0].focus();
        }
      }}>
        <button type="button" role="menuitem" onClick={item(async () => saveBlob(await stage().picture({ transparent: true }), `${name}.png`))}>Picture of the stage (PNG)</button>
        <button type="button" role="menuitem" disabled={still} onClick={item(() => setDialog('gif'))}>Loop of a clip (GIF) …</button>
        <button type="button" role="menuitem" disabled={still} onClick={item(() => setDialog('sheet'))}>Sheet of moments (PNG) …</button>
        <hr />
        <button type="button" role="menuitem" disabled={scene?.address === null} onClick={item(() => copy(location.href, 'Link copied'))}>
          {scene?.address === null ? 'Copy the link: it cannot hold your own files' : 'Copy the link'}</button>
        <button type="button" role="menuitem" onClick={item(() => setDialog('embed'))}>Put it on a page …</button>
        <hr />
        <button type="button" role="menuitem" onClick={item(saveRig)}>Rig (.rig2d.json)</button>
        <button type="button" role="menuitem" disabled={still} onClick={item(saveClip)}>Clip that is shown (.anim.json)</button>
      </div>
      {scene !== null && (dialog === 'gif' || dialog === 'sheet') && <AnimationDialog key={dialog} scene={scene} kind={dialog} name={name} onClose={close} />}
      {scene !== null && dialog === 'embed' && <EmbedDialog scene={scene} onClose={close} onCopied={(text) => copy(text, 'Copied')} />}
      {toast !== null && <Toast key={toast} text={toast.text} onEnd={() => setToast(null)} />}
    </>
  );
}

/** Those that can be pressed. @param {HTMLElement} menu @returns {HTMLButtonElement[]} */
function itemsOf(menu) {
  return [...menu.querySelectorAll('button')].filter(({ disabled }) => !disabled);
}

/** @param {{ text: string, onEnd: () => void }} props */
function Toast({ text, onEnd }) {
  const toast = useRef(/** @type {HTMLDivElement | null} */ (null));
  // A popover lies over an open dialog too.
  useEffect(() => toast.current?.showPopover(), []);
  return <div ref={toast} class="toast" popover="manual" role="status" onAnimationEnd={onEnd}>{text}</div>;
}
