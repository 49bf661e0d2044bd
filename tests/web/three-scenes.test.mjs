// RigBillboard where games put it: with shadows, under overridden materials, in two renderers, cloned, gone at the wrong moment.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { background, full, half } from './support/colors.mjs';
import { openHarness } from './support/harness.mjs';

/** @type {Awaited<ReturnType<typeof openHarness>>} */
let harness;
before(async () => {
  harness = await openHarness();
  await harness.page.evaluate(async () => {
    const { THREE, three, bar, threeStage, threeTexture } = harness;
    const { marrow, model, world, image } = await bar();
    const stage = threeStage(320, 320, 100);
    const texture = await threeTexture(image);
    /** @type {any[]} */
    const views = [];
    const clear = () => {
      for (const view of views.splice(0)) {
        view.instance?.dispose();
        view.dispose();
      }
      stage.scene.clear();
    };
    /** A bar whose middle lies at the origin, alone in the scene. */
    const show = (options, hero = world.add(model)) => {
      clear();
      const view = new three.RigBillboard(hero, texture, { anchor: 'center', pixelsPerUnit: 100, ...options });
      stage.scene.add(view);
      views.push(view);
      return { hero, view };
    };
    const render = () => {
      world.update(0);
      three.orientRigs(views, stage.camera);
      stage.renderer.render(stage.scene, stage.camera);
      return harness.picture(stage.renderer.domElement);
    };
    /** Colors at points in the bar's pixels from the middle of the canvas, y down. */
    const look = (points) => {
      render();
      return harness.colors(stage.renderer.domElement, points.map(([x, y]) => [x + 160, y + 160]));
    };
    /** What a ray through a point of the canvas hits. */
    const cast = (x, y) => {
      const ray = new THREE.Raycaster();
      ray.setFromCamera(new THREE.Vector2(x / 160, -y / 160), stage.camera);
      return ray.intersectObject(stage.scene).filter(({ hit }) => hit !== undefined).map(({ hit }) => hit.part.name);
    };
    Object.assign(globalThis, { THREE, three, marrow, model, world, stage, image, texture, views, clear, show, render, look, cast });
  });
});
after(() => harness.close());

test('it casts the shadow of its picture, posed', async () => {
  const seen = await harness.page.evaluate(() => {
    const { renderer, scene } = stage;
    const { hero, view } = show({ mode: 'cylindrical' });
    view.position.z = 1;
    view.mesh.castShadow = true;
    renderer.shadowMap.enabled = true;
    renderer.shadowMap.type = THREE.BasicShadowMap;
    const wall = new THREE.Mesh(new THREE.PlaneGeometry(8, 8), new THREE.MeshLambertMaterial({ color: 0xffffff }));
    wall.position.z = -1;
    wall.receiveShadow = true;
    const sun = new THREE.DirectionalLight(0xffffff, 3);
    // Straight from the front and one to the side: what stands at z = 1 throws its shadow one to the left at z = -1.
    sun.position.set(1, 0, 2);
    sun.castShadow = true;
    sun.shadow.camera.left = sun.shadow.camera.bottom = -3;
    sun.shadow.camera.right = sun.shadow.camera.top = 3;
    sun.shadow.mapSize.set(512, 512);
    scene.add(wall, sun);
    // The bent bar itself hides what lies to the right of -142.
    const points = [[-90, -90], [-152, 0], [-90, 90]];
    const straight = look(points);
    hero.bone('mid').rotation = -Math.PI / 2;
    const bent = look(points);
    view.mesh.castShadow = false;
    const none = look(points);
    renderer.shadowMap.enabled = false;
    return { straight, bent, none };
  });
  const isDark = (/** @type {string[]} */ colors) => colors.map((color) => color === '000000');
  assert.deepEqual(isDark(seen.none), [false, false, false]);
  assert.deepEqual(isDark(seen.straight), [true, false, true]);
  assert.deepEqual(isDark(seen.bent), [false, true, true]);
});

test('rays hit after memory grew, after parts came, and not what was disposed', async () => {
  const seen = await harness.page.evaluate(() => {
    const guid = '11111111-2222-4333-8444-888888888888';
    const square = (count) => JSON.stringify({ bones: [], parts: Array.from({ length: count }, (_, index) => ({
      name: `part${index}`, sprite: 'a.png', order: index, mesh: {
        verts: [[-20 + 60 * index, -20], [20 + 60 * index, -20], [-20 + 60 * index, 20], [20 + 60 * index, 20]],
        uvs: [[0, 0], [1, 0], [0, 1], [1, 1]], tris: [0, 2, 1, 1, 2, 3] } })) });
    const { hero, view } = show({ anchor: 'center' }, world.add(guid));
    render();
    const out = [cast(0, 0)];
    marrow.assets.provide(guid, square(1));
    render();
    out.push(cast(0, 0), cast(60, 0));
    marrow.reserve(1 << 20);
    out.push(cast(0, 0));
    marrow.assets.provide(guid, square(2));
    render();
    out.push(cast(0, 0), cast(60, 0));
    hero.dispose();
    out.push(cast(0, 0), view.instance);
    return out;
  });
  assert.deepEqual(seen, [[], ['part0'], [], ['part0'], ['part0'], ['part1'], [], null]);
});

test('the box of a rig is that of its posed vertices, however three.js measures', async () => {
  const seen = await harness.page.evaluate(() => {
    const { hero, view } = show({ mode: 'flat' });
    view.rotation.x = Math.PI / 2;
    hero.bone('mid').rotation = Math.PI / 2;
    render();
    return [false, true].map((precise) => {
      const { min, max } = new THREE.Box3().setFromObject(view, precise);
      return [min.x, min.y, min.z, max.x, max.y, max.z].map((value) => Math.round(value * 100) / 100 + 0);
    });
  });
  // Bent to the right: the tip ends at x = 128 pixels, the lower end keeps x from -32 and y to 128, which is down.
  for (const [minX, minY, minZ, maxX, , maxZ] of seen) {
    assert.deepEqual([minX, minY, minZ, maxX, maxZ], [-0.32, -1.28, 0, 1.28, 0]);
  }
});

test('an overridden material, a compiled scene and a render target', async () => {
  const seen = await harness.page.evaluate(() => {
    const { renderer, scene, camera } = stage;
    show({ mode: 'cylindrical' });
    world.update(0);
    renderer.compile(scene, camera);
    scene.overrideMaterial = new THREE.MeshBasicMaterial({ color: 0xff00ff, side: THREE.DoubleSide });
    const overridden = look([[16, -112], [60, 0]]);
    scene.overrideMaterial = null;
    const target = new THREE.WebGLRenderTarget(320, 320);
    renderer.setRenderTarget(target);
    renderer.render(scene, camera);
    const pixel = new Uint8Array(4);
    renderer.readRenderTargetPixels(target, 160 + 16, 160 + 112, 1, 1, pixel);
    renderer.setRenderTarget(null);
    target.dispose();
    return { overridden, plain: look([[16, -112]]), alpha: pixel[3] };
  });
  assert.deepEqual(seen.overridden, ['ff00ff', background]);
  assert.deepEqual(seen.plain, [full(0)]);
  assert.equal(seen.alpha, 255);
});

test('two renderers draw one scene, also after memory grew', async () => {
  const seen = await harness.page.evaluate(() => {
    const { hero } = show({ mode: 'cylindrical' });
    const renderer = new THREE.WebGLRenderer({ preserveDrawingBuffer: true, antialias: false });
    renderer.setSize(320, 320);
    const differences = [0, 0.5, -0.3, 0.2].map((rotation, index) => {
      if (index === 2) {
        marrow.reserve(1 << 20);
      }
      hero.bone('mid').rotation = rotation;
      const first = render();
      renderer.render(stage.scene, stage.camera);
      return harness.difference(first, harness.picture(renderer.domElement));
    });
    renderer.dispose();
    renderer.forceContextLoss();
    return { differences, covered: harness.covered(render()) };
  });
  assert.deepEqual(seen.differences, [0, 0, 0, 0]);
  assert.ok(seen.covered > 10000);
});

test('a clone is another view of the same instance', async () => {
  const seen = await harness.page.evaluate(() => {
    const { hero, view } = show({ mode: 'cylindrical' });
    view.position.x = -0.8;
    const twin = view.clone();
    twin.position.x = 0.8;
    stage.scene.add(twin);
    views.push(twin);
    const both = look([[-64, -112], [96, -112], [-64, 112], [96, 112]]);
    const copied = stage.scene.clone();
    const third = copied.children[0];
    hero.dispose();
    const left = harness.covered(render());
    return { both, left, instances: [view.instance, twin.instance, third.instance], children: [twin.children.length, third.children.length],
      options: [twin.mode, twin.anchor, twin.pixelsPerUnit] };
  });
  assert.deepEqual(seen.both, [full(0), full(0), full(7), full(7)]);
  assert.equal(seen.left, 0);
  assert.deepEqual(seen.instances, [null, null, null]);
  assert.deepEqual(seen.children, [1, 1]);
  assert.deepEqual(seen.options, ['cylindrical', 'center', 100]);
});

test('views, instances, models, worlds, pictures and renderers go in any order', async () => {
  const seen = await harness.page.evaluate(async () => {
    const own = async () => {
      const { marrow: core, model: rig, world: place, image: picture } = await harness.bar();
      const page = await harness.threeTexture(picture);
      const hero = place.add(rig);
      place.update(0);
      const view = new three.RigBillboard(hero, page, { anchor: 'center' });
      stage.scene.clear();
      stage.scene.add(view);
      stage.renderer.render(stage.scene, stage.camera);
      return { core, rig, place, page, hero, view };
    };
    const draw = () => {
      stage.renderer.render(stage.scene, stage.camera);
      return harness.covered(harness.picture(stage.renderer.domElement));
    };
    const ends = {
      view: (s) => s.view.dispose(), removal: (s) => s.view.removeFromParent(), source: (s) => s.hero.dispose(), model: (s) => s.rig.dispose(),
      world: (s) => s.place.dispose(), core: (s) => s.core.dispose(), page: (s) => s.page.dispose(),
    };
    clear();
    const out = {};
    for (const first of Object.keys(ends)) {
      for (const second of Object.keys(ends)) {
        try {
          const scene = await own();
          ends[first](scene);
          draw();
          ends[second](scene);
          const left = draw();
          // A picture that was given back is uploaded again: three.js keeps the image.
          if (left > 0 && !(first === 'page' && second === 'page')) {
            out[`${first}, ${second}`] = `${left} pixels are left`;
          }
        } catch (error) {
          out[`${first}, ${second}`] = String(error.stack ?? error).slice(0, 300);
        }
      }
    }
    stage.scene.clear();
    return out;
  });
  assert.deepEqual(seen, {});
});

test('an instance or a view that goes in the middle of a render is gone with the next', async () => {
  const seen = await harness.page.evaluate(() => {
    const out = [];
    for (const isBefore of [true, false]) {
      for (const end of ['instance', 'view', 'model']) {
        const rig = marrow.loadRig2d(JSON.stringify({ bones: [], sprite: 'a.png', mesh: {
          verts: [[-20, -20], [20, -20], [-20, 20], [20, 20]], uvs: [[0, 0], [1, 0], [0, 1], [1, 1]], tris: [0, 2, 1, 1, 2, 3] } }));
        const { hero, view } = show({ mode: 'cylindrical' }, world.add(rig));
        const killer = new THREE.Mesh(new THREE.PlaneGeometry(0.1, 0.1), new THREE.MeshBasicMaterial({ transparent: true, opacity: 0 }));
        killer.renderOrder = isBefore ? -1 : 1e6;
        killer.onBeforeRender = () => {
          killer.onBeforeRender = () => {};
          (end === 'instance' ? hero : end === 'view' ? view : rig).dispose();
        };
        stage.scene.add(killer);
        try {
          render();
          out.push(harness.covered(render()));
        } catch (error) {
          out.push(`${isBefore ? 'before' : 'after'} ${end}: ${String(error.stack).slice(0, 300)}`);
        }
      }
    }
    return out;
  });
  assert.deepEqual(seen, [0, 0, 0, 0, 0, 0]);
});

test('a view in a scene that is hidden above it uploads nothing, and is right when it comes back', async () => {
  const seen = await harness.page.evaluate(() => {
    const { hero, view } = show({ mode: 'cylindrical' });
    render();
    view.visible = false;
    hero.bone('mid').rotation = Math.PI / 2;
    const { uploads } = harness.countCalls(() => render());
    view.visible = true;
    return { uploads, back: look([[112, 16], [112, -16], [16, -112]]) };
  });
  assert.equal(seen.uploads, 0);
  assert.deepEqual(seen.back, [full(0), half(0), background]);
});

test('nothing was said on the console', () => {
  harness.forgive(/Context (Lost|Restored)/);
  harness.assertQuiet();
});
