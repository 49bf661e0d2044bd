import { useEffect, useState } from 'preact/hooks';
import { Fact, bytes, jsHeap, milliseconds } from '../controls/fact.jsx';

/** Milliseconds between two readings: faster than that nobody reads. */
const readingPause = 250;

/**
 * @param {{ loop: ReturnType<typeof import('../loop.js').createLoop>, field: import('./field.js').Field,
 *   world: import('marrow2d').World, marrow: import('marrow2d').Marrow }} props
 */
export function StressFigures({ loop, field, world, marrow }) {
  const [, setReading] = useState(0);
  useEffect(() => {
    let next = 0;
    return loop.listen(() => {
      const now = performance.now();
      if (now >= next || !loop.isAwake) {
        next = now + readingPause;
        setReading(now);
      }
    });
  }, [loop]);
  const { population } = field;
  const { meter } = loop;
  return (
    <section>
      <h2>Figures</h2>
      <dl>
        <Fact name="Frames a second" value={meter.framesPerSecond.toFixed(0)} />
        <Fact name="Core" value={milliseconds(meter.core)} />
        <Fact name="Renderer" value={milliseconds(meter.renderer)} />
        <Fact name="Characters" value={population?.count} />
        <Fact name="Vertices" value={population?.vertexCount.toLocaleString('en')} />
        <Fact name="Vertices written" value={world.verticesWritten.toLocaleString('en')} />
        <Fact name="Uploaded" value={bytes(meter.uploaded)} />
        <Fact name="Draw calls" value={population?.drawCalls} />
        <Fact name="WebAssembly" value={bytes(marrow.memory.size)} />
        <Fact name="JS heap" value={jsHeap()} />
      </dl>
      <p class="muted">Core and renderer: milliseconds of script in a frame, the median of the last 60. The GPU’s own time shows in the frames a second.</p>
    </section>
  );
}
