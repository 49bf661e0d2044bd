import { MarrowError } from 'marrow2d';
import { FileError } from '../files.js';

/** @typedef {import('../state.js').AppState} AppState */
/** @typedef {import('../panels/cards.jsx').CardData} CardData */

const mostCards = 12;

/**
 * What the page says: cards, and the bar over work that takes a while.
 * @param {ReturnType<typeof import('../state.js').createState<AppState>>} state
 */
export function createCards(state) {
  let count = 0;

  /** @param {Omit<CardData, 'id'>} card */
  function addCard(card) {
    count += 1;
    state.set({ cards: [...state.value.cards, { id: count, ...card }].slice(-mostCards) });
  }

  /** @param {unknown} error */
  function showError(error) {
    const { file, path, message, advice } = error instanceof FileError
      ? error : { file: 'Something went wrong', path: null, message: error instanceof Error ? error.message : String(error), advice: null };
    addCard({ kind: 'error', title: file, path, text: message, advice, choices: [] });
    if (error instanceof MarrowError && error.code === 'ABORTED') {
      addCard({ kind: 'error', title: 'Marrow', path: null, text: 'The core stopped.', advice: 'Load the page again.', choices: [] });
    }
  }

  return {
    showError,

    /**
     * Says that something takes a while, and what went wrong with it.
     * @param {string} what
     * @param {Promise<void>} work
     */
    async wait(what, work) {
      state.set({ busy: what });
      try {
        await work;
      } catch (error) {
        showError(error);
      } finally {
        if (state.value.busy === what) {
          state.set({ busy: null });
        }
      }
    },

    /** @param {() => void} reload */
    offerUpdate(reload) {
      addCard({ kind: 'note', title: 'Marrow', path: null, text: 'A newer version of this page is here.', advice: null, choices: [{ label: 'Load it', act: reload }] });
    },

    /** @param {number} id */
    closeCard(id) {
      state.set({ cards: state.value.cards.filter((card) => card.id !== id) });
    },

    closeCards: () => state.set({ cards: [] }),

    tell: addCard,
  };
}

/** @typedef {ReturnType<typeof createCards>} CardActions */
