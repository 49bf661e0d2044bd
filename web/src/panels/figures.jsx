import { useMemo } from 'preact/hooks';
import { Fact, bytes, jsHeap, milliseconds } from '../controls/fact.jsx';
import { useHero, useLive, usePage, useSelected } from './page.jsx';

/** What a frame costs, and what the rig is. */
export function Figures() {
  const { loop: { meter }, workspace: { marrow, world } } = usePage();
  const scene = useSelected((state) => state.scene);
  const model = scene?.model ?? null;
  const version = useHero((hero) => String(hero.version), '–');
  const draws = useHero((hero) => String(hero.runs.length), '–');
  const facts = useMemo(() => (model === null ? null : {
    vertices: sum(model.parts, 'vertexCount'),
    triangles: sum(model.parts, 'triangleCount'),
    influences: model.parts.reduce((most, { maxInfluences }) => Math.max(most, maxInfluences), 0),
    memory: model.describe().memory,
  }), [model]);
  return (
    <section>
      <h2>Figures</h2>
      <dl>
        <Live name="Core" read={() => milliseconds(meter.core)} />
        <Live name="Renderer" read={() => milliseconds(meter.renderer)} />
        <Live name="Vertices written" read={() => String(world.verticesWritten)} />
        <Live name="Uploaded" read={() => bytes(meter.uploaded)} />
        <Fact name="Version" value={version} />
        <Fact name="Vertices" value={facts?.vertices} />
        <Fact name="Triangles" value={facts?.triangles} />
        <Fact name="Influences" value={facts && `≤ ${facts.influences} a vertex`} />
        <Fact name="Draw calls" value={draws} />
        <Fact name="Model" value={facts && bytes(facts.memory)} />
        <Live name="WebAssembly" read={() => bytes(marrow.memory.size)} />
        <Live name="JS heap" read={jsHeap} />
      </dl>
      <p><a href="stress.html">How many at once?</a></p>
    </section>
  );
}

/** @param {{ name: string, read: () => string }} props */
function Live({ name, read }) {
  return <Fact name={name} value={useLive(read)} />;
}

/**
 * @template {string} K
 * @param {readonly Record<K, number>[]} list
 * @param {K} field
 */
function sum(list, field) {
  return list.reduce((total, each) => total + each[field], 0);
}
