import { stageNames } from '../state.js';
import { characterNames, characters } from '../url.js';
import { Icon } from '../controls/icon.jsx';
import { usePage, useSelected } from './page.jsx';
import { SaveMenu } from './save-menu.jsx';

/** Names of the stages as people read them, and what each is. */
const titles = {
  '2d': ['2D', 'PixiJS, RigView'],
  '2.5d': ['2.5D', 'three.js, RigBillboard standing in a world'],
  ground: ['Ground', 'three.js, RigBillboard lying on the ground'],
};

/** @param {{ onHelp: () => void }} props */
export function Header({ onHelp }) {
  const { actions } = usePage();
  const theme = useSelected((state) => state.theme);
  const drawer = useSelected((state) => state.drawer);
  const busy = useSelected((state) => state.busy);
  return (
    <header>
      <button type="button" class="icon narrow" aria-label="Bones and parts" aria-controls="left" aria-expanded={drawer === 'left'}
        onClick={() => actions.set({ drawer: drawer === 'left' ? null : 'left' })}><Icon name="bones" /></button>
      <h1><Icon name="logo" />Marrow</h1>
      <RigMenu />
      <Stages />
      <div class="end">
        <label class="button" title="Open a picture, or a rig with its pictures and clips"><Icon name="open" /><span>Open</span>
          <input id="files" class="hidden" type="file" multiple accept=".png,.webp,.jpg,.jpeg,.json,image/*,application/json"
            aria-label="Open files" onChange={({ currentTarget }) => {
              void actions.openFiles([...(currentTarget.files ?? [])].map((file) => ({ file, path: file.name })));
              currentTarget.value = '';
            }} />
        </label>
        <SaveMenu />
        <button type="button" class="icon" aria-label="Keys and help" title="Keys and help (?)" onClick={onHelp}><Icon name="help" /></button>
        <button type="button" class="icon" aria-label={theme === 'dark' ? 'Light theme' : 'Dark theme'} title={theme === 'dark' ? 'Light theme' : 'Dark theme'}
          onClick={() => actions.set({ theme: theme === 'dark' ? 'light' : 'dark' })}><Icon name="theme" /></button>
        <button type="button" class="icon narrow" aria-label="Selection, view and figures" aria-controls="right" aria-expanded={drawer === 'right'}
          onClick={() => actions.set({ drawer: drawer === 'right' ? null : 'right' })}><Icon name="panel" /></button>
      </div>
      {busy !== null && <progress aria-label={`Opening ${busy}`} />}
    </header>
  );
}

function RigMenu() {
  const { actions } = usePage();
  const scene = useSelected((state) => state.scene);
  const opened = useSelected((state) => state.opened);
  const known = scene?.address ?? scene?.name ?? '';
  const own = opened.map(({ name }) => name);
  return (
    <select id="rig" aria-label="Character" value={known} onChange={({ currentTarget: { value } }) => {
      const files = opened.find(({ name }) => name === value)?.files;
      void (files === undefined ? actions.openRig(value) : actions.openFiles(files, true));
    }}>
      <optgroup label="Characters">
        {characters.map((name, index) => <option key={name} value={name}>{characterNames[index]}</option>)}
      </optgroup>
      {own.length > 0 && <optgroup label="Your files">{own.map((name) => <option key={name} value={name}>{name}</option>)}</optgroup>}
      {![...characters, ...own, ''].includes(known) && <option value={known}>{scene?.name}</option>}
    </select>
  );
}

function Stages() {
  const { actions } = usePage();
  const stage = useSelected((state) => state.stage);
  return (
    <div class="segments" role="radiogroup" aria-label="Stage">
      {stageNames.map((name, index) => (
        <label key={name} title={`${titles[name][1]} (${index + 1})`}>
          <input type="radio" name="stage" value={name} checked={stage === name} onChange={() => actions.setStage(name)} />
          <span>{titles[name][0]}</span>
        </label>
      ))}
    </div>
  );
}
