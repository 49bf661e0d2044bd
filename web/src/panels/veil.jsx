import { useEffect } from 'preact/hooks';
import { usePage, useSelected } from './page.jsx';

/** On a narrow page, what lies behind an open drawer: a press on it closes the drawer, as Escape does. */
export function Veil() {
  const { actions } = usePage();
  const drawer = useSelected((state) => state.drawer);
  useEffect(() => {
    const panel = drawer === null ? null : document.getElementById(drawer);
    if (panel === null) {
      return undefined;
    }
    const narrow = matchMedia('(max-width: 899px)');
    const opener = /** @type {HTMLElement | null} */ (document.querySelector(`header [aria-controls="${drawer}"]`));
    const behind = document.querySelectorAll('main, footer');
    const close = () => actions.set({ drawer: null });
    const onKey = (/** @type {KeyboardEvent} */ event) => {
      if (event.key === 'Escape' && document.querySelector('dialog[open], :popover-open') === null) {
        event.preventDefault();
        event.stopPropagation();
        close();
      }
    };
    behind.forEach((element) => element.toggleAttribute('inert', true));
    panel.focus({ preventScroll: true });
    document.addEventListener('keydown', onKey, { capture: true });
    narrow.addEventListener('change', close);
    if (!narrow.matches) {
      // The page grew before the drawer was drawn.
      close();
    }
    return () => {
      behind.forEach((element) => element.toggleAttribute('inert', false));
      document.removeEventListener('keydown', onKey, { capture: true });
      narrow.removeEventListener('change', close);
      // A hidden panel has lost the focus already.
      if (document.activeElement === document.body || panel.contains(document.activeElement)) {
        opener?.focus({ preventScroll: true });
      }
    };
  }, [drawer]);
  return drawer === null ? null : <div class="veil" onClick={() => actions.set({ drawer: null })} />;
}
