import { useState } from 'preact/hooks';
import { Dialog } from './dialog.jsx';
import { htmlSnippet, pixiSnippet, subjectOf, threeSnippet } from './snippets.js';

const moduleAdvice = 'A module for a page with a bundler or an import map. From another site than the page’s, rigs and pictures come only if their server allows it (CORS).';
const kinds = {
  pixi: { name: 'PixiJS', write: pixiSnippet, advice: moduleAdvice },
  three: { name: 'three.js', write: threeSnippet, advice: moduleAdvice },
  html: { name: 'Plain HTML', write: htmlSnippet, advice: 'A page that shows this one in a frame, as it is now, without its panels.' },
};
const names = /** @type {(keyof typeof kinds)[]} */ (Object.keys(kinds));

/** @param {{ scene: import('../workspace.js').Scene, onCopied: (text: string) => void, onClose: () => void }} props */
export function EmbedDialog({ scene, onCopied, onClose }) {
  const [kind, setKind] = useState(names[0]);
  const subject = subjectOf(scene, location.href);
  const text = kinds[kind].write(subject);
  return (
    <Dialog title="Put it on a page" onClose={onClose}>
      <div class="segments wide" role="radiogroup" aria-label="For what">
        {names.map((name) => (
          <label key={name}><input type="radio" name="embed" value={name} checked={kind === name} onChange={() => setKind(name)} /><span>{kinds[name].name}</span></label>
        ))}
      </div>
      <p class="muted">{kinds[kind].advice}</p>
      <pre id="snippet" tabIndex={0}>{text}</pre>
      <div class="row end"><button type="button" class="main" onClick={() => onCopied(text)}>Copy</button></div>
    </Dialog>
  );
}
