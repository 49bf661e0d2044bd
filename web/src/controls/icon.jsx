const paths = {
  logo: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zM8 5.75a2.25 2.25 0 1 0 0 4.5 2.25 2.25 0 0 0 0-4.5z',
  play: 'M4.5 2.5v11l9-5.5z',
  pause: 'M5 3v10M11 3v10',
  loop: 'M3 8a5 5 0 0 1 8.5-3.5L13 6M13 3v3h-3M13 8a5 5 0 0 1-8.5 3.5L3 10M3 13v-3h3',
  open: 'M8 10.5v-8M5 5l3-3 3 3M2.5 10.5v2a1 1 0 0 0 1 1h9a1 1 0 0 0 1-1v-2',
  save: 'M8 2.5v8M5 8l3 3 3-3M2.5 10.5v2a1 1 0 0 0 1 1h9a1 1 0 0 0 1-1v-2',
  help: 'M5.75 6a2.25 2.25 0 1 1 3.2 2c-.6.3-.95.8-.95 1.5M8 12.25v.01',
  theme: 'M8 2.5a5.5 5.5 0 1 0 0 11zM8 2.5a5.5 5.5 0 0 1 0 11',
  close: 'M4 4l8 8M12 4l-8 8',
  back: 'M10 3L5 8l5 5',
  down: 'M4 6l4 4 4-4',
  right: 'M6 4l4 4-4 4',
  up: 'M4 10l4-4 4 4',
  bones: 'M4 2.5v11M4 5h5M4 9h5M10.5 5h1M10.5 9h1',
  panel: 'M2.5 3h11v10h-11zM10 3v10',
  grip: 'M6 4v.01M6 8v.01M6 12v.01M10 4v.01M10 8v.01M10 12v.01',
  reset: 'M3 8a5 5 0 1 0 1.5-3.5L3 6M3 3v3h3',
  fit: 'M2.5 6V2.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10',
  move: 'M8 2v12M2 8h12M6.5 3.5L8 2l1.5 1.5M6.5 12.5L8 14l1.5-1.5M3.5 6.5L2 8l1.5 1.5M12.5 6.5L14 8l-1.5 1.5',
  turn: 'M13 8a5 5 0 1 1-1.5-3.5L13 6M13 3v3h-3',
  scale: 'M2.5 13.5h5v-5h-5zM9 7l4.5-4.5M10 2.5h3.5V6',
};

/** @param {{ name: keyof typeof paths }} props */
export function Icon({ name }) {
  return <svg viewBox="0 0 16 16" aria-hidden="true"><path d={paths[name]} /></svg>;
}
