import { Icon } from '../controls/icon.jsx';
import { usePage, useSelected } from './page.jsx';

/**
 * A message at the top right. It stays until it is closed, or until something opens well.
 * @typedef {object} CardData
 * @property {number} id
 * @property {'error' | 'note'} kind
 * @property {string} title the file
 * @property {string | null} path in the file
 * @property {string} text what was found, and what was expected
 * @property {string | null} advice what to do
 * @property {readonly { label: string, act: () => void }[]} choices
 */

/** From here on, to close each alone is a chore. */
const many = 4;

export function Cards() {
  const { actions } = usePage();
  const cards = useSelected((state) => state.cards);
  return (
    <div id="cards" role="log" aria-label="Messages">
      {cards.length >= many && <button type="button" onClick={() => actions.closeCards()}>Close all {cards.length} messages</button>}
      {cards.map((card) => <Card key={card.id} card={card} />)}
    </div>
  );
}

/** @param {{ card: CardData }} props */
function Card({ card: { id, kind, title, path, text, advice, choices } }) {
  const { actions } = usePage();
  // The message of a core error begins with its path, which has its own line here.
  const message = path !== null && text.startsWith(`${path}: `) ? text.slice(path.length + 2) : text;
  return (
    <article class={`card ${kind}`}>
      <h2>{title}</h2>
      {path !== null && <p class="mono path">{path}</p>}
      <p>{message}</p>
      {advice !== null && <p class="muted">{advice}</p>}
      <div class="row">
        {choices.map(({ label, act }) => <button key={label} type="button" onClick={act}>{label}</button>)}
        {kind === 'error' && (
          <button type="button" onClick={() => void navigator.clipboard.writeText([title, path, message].filter((each) => each !== null).join('\n'))}>Copy</button>
        )}
      </div>
      <button type="button" class="icon close" aria-label={`Close the message about ${title}`} onClick={() => actions.closeCard(id)}><Icon name="close" /></button>
    </article>
  );
}
