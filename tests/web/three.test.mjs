// RigBillboard in a real three.js. The stage of the harness maps one pixel of the bar to one pixel of the canvas in the plane z = 0, so that the
// bar's places can be worked out by hand as in the flat picture.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertNear, background, full, half, stripes } from './support/colors.mjs';
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
      stage.camera.up.set(0, 1, 0);
      stage.camera.position.set(0, 0, stage.distance);
      stage.camera.lookAt(0, 0, 0);
    };
    /** Adds a bar whose middle lies at the origin. */
    const add = (options, hero = world.add(model), textures = texture) => {
      const view = new three.RigBillboard(hero, textures, { anchor: 'center', pixelsPerUnit: 100, ...options });
      stage.scene.add(view);
      views.push(view);
      return { hero, view };
    };
    const show = (options) => {
      clear();
      return add(options);
    };
    /** Colors at points in the bar's pixels from the middle of the canvas, y down. */
    const look = (points) => {
      world.update(0);
      three.orientRigs(views, stage.camera);
      stage.renderer.render(stage.scene, stage.camera);
      return harness.colors(stage.renderer.domElement, points.map(([x, y]) => [x + 160, y + 160]));
    };
    const picture = () => harness.picture(stage.renderer.domElement);
    /** The camera at `distance` from the origin, turned by `yaw` about the vertical and lifted by `pitch`. */
    const orbit = (yaw, pitch) => {
      const { camera, distance } = stage;
      camera.position.set(distance * Math.sin(yaw) * Math.cos(pitch), distance * Math.sin(pitch), distance * Math.cos(yaw) * Math.cos(pitch));
      camera.lookAt(0, 0, 0);
    };
    Object.assign(globalThis, { THREE, three, marrow, model, world, stage, texture, views, clear, add, show, look, picture, orbit });
  });
});
after(() => harness.close());

const stripePoints = stripes.flatMap((_, index) => [[-16, -112 + 32 * index], [16, -112 + 32 * index]]);
const stripeColors = stripes.flatMap((_, index) => [half(index), full(index)]);

test('cylindrical: upright and to the camera, wherever a level camera stands', async () => {
  const seen = await harness.page.evaluate((points) => {
    const { view } = show({ mode: 'cylindrical' });
    const front = look(points);
    const first = picture();
    // What the object was turned by is of no account.
    view.rotation.set(0.3, 1, -0.4);
    const turned = [0.9, -2.2, 3.1].map((yaw) => {
      orbit(yaw, 0);
      look([]);
      return harness.difference(first, picture(), 40);
    });
    return { front, turned };
  }, [...stripePoints, [-40, 0], [40, 0]]);
  assertNear(seen.front, [...stripeColors, background, background], 1);
  // The silhouette's pixels alone may fall to the other side.
  for (const count of seen.turned) {
    assert.ok(count <= 64, `${count} pixels differ`);
  }
});

test('cylindrical from above: it stays upright, so its height is foreshortened', async () => {
  const pitch = 0.6;
  // A point of height h lies h sin(pitch) nearer to the camera, and h cos(pitch) above its axis.
  const onScreen = (/** @type {number} */ y) => {
    const height = -y / 100;
    return -1000 * height * Math.cos(pitch) / (10 - height * Math.sin(pitch));
  };
  const points = stripes.map((_, index) => [16, onScreen(-112 + 32 * index)]);
  const ends = [[16, onScreen(-128) - 3], [16, onScreen(128) + 3]];
  const seen = await harness.page.evaluate(({ at, lift }) => {
    show({ mode: 'cylindrical' });
    orbit(0.7, lift);
    return look(at);
  }, { at: [...points, ...ends], lift: pitch });
  assertNear(seen, [...stripes.map((_, index) => full(index)), background, background], 1);
});

test('spherical: the same picture from everywhere', async () => {
  const seen = await harness.page.evaluate((points) => {
    show({ mode: 'spherical' });
    const front = look(points);
    const first = picture();
    return { front, turned: [[0.5, 0.6], [2.5, -0.9], [-1.5, 1.2]].map(([yaw, pitch]) => {
      orbit(yaw, pitch);
      look([]);
      return harness.difference(first, picture(), 40);
    }) };
  }, stripePoints);
  assertNear(seen.front, stripeColors, 1);
  for (const count of seen.turned) {
    assert.ok(count <= 64, `${count} pixels differ`);
  }
});

test('flat: on the ground, x to the right and y to the viewer; turned with its object', async () => {
  const seen = await harness.page.evaluate((points) => {
    const { view } = show({ mode: 'flat' });
    stage.camera.up.set(0, 0, -1);
    stage.camera.position.set(0, stage.distance, 0);
    stage.camera.lookAt(0, 0, 0);
    const above = look(points);
    view.rotation.y = Math.PI / 2;
    // Seen from above, (x, y) goes to (y, -x).
    return { above, turned: look([[-112, -16], [-112, 16], [0, 100]]) };
  }, stripePoints);
  assertNear(seen.above, stripeColors, 1);
  assertNear(seen.turned, [full(0), half(0), background], 1);
});

test('a bend, flips and the anchor land where PixiJS puts them', async () => {
  const seen = await harness.page.evaluate(() => {
    const { hero, view } = show({ mode: 'cylindrical' });
    const out = {};
    hero.bone('mid').rotation = Math.PI / 2;
    out.bent = look([[112, 16], [112, -16], [80, 16], [16, 112], [16, -112]]);
    hero.bone('mid').reset();
    hero.view.flipX = true;
    out.flipX = look([[-16, -112], [16, -112]]);
    hero.view.flipX = false;
    hero.view.flipY = true;
    out.flipY = look([[-16, -112], [16, -112]]);
    hero.view.flipY = false;
    view.anchor = 'bottom';
    view.position.y = -1;
    // The lower end stands at -1, so that the bar reaches from 100 up to -156.
    out.bottom = look([[16, 96], [16, 104], [16, -150]]);
    view.position.y = 0;
    view.anchor = 'center';
    view.pixelsPerUnit = 200;
    out.smaller = look([[8, -56], [8, 56], [24, 0]]);
    view.pixelsPerUnit = 100;
    hero.place({ x: 20, y: 10, rotation: Math.PI / 2 });
    out.placed = look([[132, -6], [132, 26]]);
    return out;
  });
  assertNear(seen.bent, [full(0), half(0), full(1), full(7), background], 1);
  assertNear(seen.flipX, [full(0), half(0)], 1);
  assertNear(seen.flipY, [half(7), full(7)], 1);
  assertNear(seen.bottom, [full(7), background, full(0)], 1);
  assertNear(seen.smaller, [full(0), full(7), background], 1);
  assertNear(seen.placed, [half(0), full(0)], 1);
});

/**
 * One channel of a stripe under a tint. three.js multiplies light, where PixiJS multiplies what the file says.
 * @param {number} value 0..255
 * @param {number} tint
 */
function lit(value, tint) {
  const decode = (/** @type {number} */ each) => (each <= 0.04045 ? each / 12.92 : ((each + 0.055) / 1.055) ** 2.4);
  const light = decode(value / 255) * decode(tint / 255);
  return Math.round(255 * (light <= 0.0031308 ? light * 12.92 : 1.055 * light ** (1 / 2.4) - 0.055));
}

test('tint and opacity; a rig that fades keeps its outline', async () => {
  const seen = await harness.page.evaluate(() => {
    const { hero } = show({ mode: 'cylindrical' });
    const upper = [[-16, -112], [16, -112]];
    const out = {};
    hero.view.color = 0x00ff00;
    out.tinted = look(upper);
    hero.view.color = 0x808080;
    out.grey = look(upper);
    hero.view.color = 0xffffff;
    hero.view.opacity = 0.5;
    out.faded = look(upper);
    hero.view.opacity = 0;
    out.gone = look(upper);
    hero.view.opacity = 1;
    hero.view.visible = false;
    out.hidden = look(upper);
    return out;
  });
  assertNear(seen.tinted, ['002400', '004800'], 1);
  const grey = [half(0), full(0)].map((color) => color.match(/../g)?.map((each) => lit(parseInt(each, 16), 128).toString(16).padStart(2, '0')).join('') ?? '');
  assertNear(seen.grey, grey, 1);
  assertNear(seen.faded, ['4a323f', '83444e'], 3);
  assert.deepEqual(seen.gone, [background, background]);
  assert.deepEqual(seen.hidden, [background, background]);
});

test('boxes hide what lies behind them, and nearer rigs lie over farther ones from every side', async () => {
  const seen = await harness.page.evaluate(() => {
    show({ mode: 'cylindrical' });
    const box = new THREE.Mesh(new THREE.BoxGeometry(0.4, 0.4, 0.4), new THREE.MeshBasicMaterial({ color: 0x123456 }));
    stage.scene.add(box);
    box.position.z = 1;
    const out = { before: look([[16, 0], [16, -112]]) };
    box.position.z = -1;
    out.behind = look([[16, 0], [16, -112]]);
    clear();
    const near = add({ mode: 'cylindrical' });
    const far = add({ mode: 'cylindrical' });
    near.view.position.z = 1;
    far.view.position.z = -1;
    near.hero.view.color = 0xff0000;
    far.hero.view.color = 0x0000ff;
    out.front = look([[20, 20]]);
    orbit(Math.PI, 0);
    out.back = look([[20, 20]]);
    out.order = [near.view.renderOrder > far.view.renderOrder];
    orbit(0, 0);
    look([]);
    out.order.push(near.view.renderOrder > far.view.renderOrder);
    return out;
  });
  assertNear(seen.before, ['123456', full(0)], 1);
  assertNear(seen.behind, [full(4), full(0)], 1);
  assertNear(seen.front, ['2f0000'], 2);
  assertNear(seen.back, ['0000a9'], 2);
  assert.deepEqual(seen.order, [false, true]);
});

test('several cameras see their own sides', async () => {
  const seen = await harness.page.evaluate((points) => {
    show({ mode: 'cylindrical' });
    const cameras = [0, 2].map((yaw) => {
      orbit(yaw, 0);
      return stage.camera.clone();
    });
    world.update(0);
    return cameras.map((camera) => {
      three.orientRigs(views, camera);
      stage.renderer.render(stage.scene, camera);
      return harness.colors(stage.renderer.domElement, points.map(([x, y]) => [x + 160, y + 160]));
    });
  }, stripePoints);
  assertNear(seen[0], stripeColors, 1);
  assertNear(seen[1], stripeColors, 1);
});

test('below a turned and moved parent it still faces the camera', async () => {
  const seen = await harness.page.evaluate((points) => {
    const out = {};
    for (const mode of ['cylindrical', 'spherical']) {
      const { view } = show({ mode });
      const parent = new THREE.Group();
      parent.rotation.set(0.4, 1.1, -0.3);
      parent.position.set(0.5, -0.2, 0.3);
      view.position.set(-0.5, 0.2, -0.3).applyQuaternion(parent.quaternion.clone().invert());
      parent.add(view);
      stage.scene.add(parent);
      out[mode] = look(points);
    }
    return out;
  }, stripePoints);
  assertNear(seen.cylindrical, stripeColors, 1);
  assertNear(seen.spherical, stripeColors, 1);
});

test('an idle rig uploads nothing, a moving one its positions alone, one that takes another color nothing', async () => {
  const seen = await harness.page.evaluate(() => {
    const { hero, view } = show({ mode: 'cylindrical' });
    const upper = [[-16, -112], [16, -112]];
    look([]);
    const idle = harness.countCalls(() => look([]));
    const idleChanged = view.sync();
    hero.bone('mid').rotation = 0.3;
    const moved = harness.countCalls(() => look([]));
    hero.bone('mid').rotation = 0;
    const before = look(upper);
    hero.parts[0].color = 0x00ff00;
    const tinted = harness.countCalls(() => look(upper));
    return { idle, idleChanged, moved, size: hero.positions.byteLength, before, tinted, after: look(upper) };
  });
  assert.notDeepEqual(seen.before, seen.after);
  assertNear(seen.after, ['002400', '004800'], 1);
  assert.equal(seen.tinted.uploads, 0);
  assert.deepEqual({ uploads: seen.idle.uploads, draws: seen.idle.draws }, { uploads: 0, draws: 1 });
  assert.equal(seen.idleChanged, false);
  assert.deepEqual({ uploads: seen.moved.uploads, bytes: seen.moved.uploadedBytes }, { uploads: 1, bytes: seen.size });
});

test('the picture survives memory growth without an upload, and a lost context', async () => {
  const seen = await harness.page.evaluate(async () => {
    const { hero } = show({ mode: 'cylindrical' });
    hero.bone('mid').rotation = 0.4;
    look([]);
    const first = picture();
    marrow.reserve(1 << 20);
    const { uploads } = harness.countCalls(() => look([]));
    const grown = harness.difference(first, picture());
    hero.bone('mid').rotation = 0;
    look([]);
    const moved = harness.difference(first, picture());
    hero.bone('mid').rotation = 0.4;
    await harness.loseContext(stage.renderer.domElement, stage.renderer.getContext(), () => marrow.reserve(1 << 20));
    look([]);
    return { uploads, grown, moved, restored: harness.difference(first, picture()) };
  });
  assert.equal(seen.uploads, 0);
  assert.equal(seen.grown, 0);
  assert.ok(seen.moved > 1000);
  assert.equal(seen.restored, 0);
});

test('dispose gives back every buffer and no texture; disposing the instance empties the view first', async () => {
  const seen = await harness.page.evaluate(() => {
    show({ mode: 'cylindrical' });
    look([]);
    clear();
    const balance = harness.countCalls(() => {
      show({ mode: 'cylindrical' });
      look([]);
      clear();
    });
    const { hero, view } = show({ mode: 'cylindrical' });
    look([]);
    hero.dispose();
    stage.renderer.render(stage.scene, stage.camera);
    const empty = harness.covered(picture());
    const instance = view.instance;
    clear();
    show({ mode: 'cylindrical' });
    look([]);
    return { balance, empty, instance, again: harness.covered(picture()) };
  });
  assert.equal(seen.balance.buffersMade, 3);
  assert.equal(seen.balance.buffersDeleted, 3);
  assert.equal(seen.empty, 0);
  assert.equal(seen.instance, null);
  assert.ok(Math.abs(seen.again - 64 * 256) <= 64 + 256);
});

test('culling and rays follow the posed vertices', async () => {
  const seen = await harness.page.evaluate(() => {
    const { hero, view } = show({ mode: 'cylindrical' });
    const out = {};
    // The stage shows 1.6 units to each side. The straight bar's circle (radius 1.32) is out of sight; bent to the left it comes back in.
    view.position.x = 2.95;
    out.straight = harness.countCalls(() => look([])).draws;
    hero.bone('mid').rotation = -Math.PI / 2;
    out.bent = harness.countCalls(() => look([])).draws;
    view.position.x = 0;
    look([]);
    const ray = new THREE.Raycaster();
    const cast = (x, y) => {
      ray.setFromCamera(new THREE.Vector2(x / 160, -y / 160), stage.camera);
      return ray.intersectObject(stage.scene).map(({ hit, distance, point }) => ({ part: hit.part.name, distance, x: point.x, y: point.y }));
    };
    out.hit = cast(-112, 0);
    out.miss = [cast(112, 0), cast(0, -112)];
    hero.view.visible = false;
    look([]);
    return out;
  });
  assert.equal(seen.straight, 0);
  assert.equal(seen.bent, 1);
  assert.equal(seen.hit.length, 1);
  assert.equal(seen.hit[0].part, 'main');
  assert.ok(Math.abs(seen.hit[0].x + 1.12) < 1e-4 && Math.abs(seen.hit[0].y) < 1e-4);
  assert.ok(Math.abs(seen.hit[0].distance - Math.hypot(10, 1.12)) < 1e-4);
  assert.deepEqual(seen.miss, [[], []]);
});

test('straight and premultiplied pages look alike in every mode; alphaTest cuts by the picture', async () => {
  const seen = await harness.page.evaluate(() => {
    /** Texels of one color, half transparent; multiplied on upload, or not. */
    const page = (premultiplyAlpha) => {
      const texel = [199, 120, 40, 128];
      const made = new THREE.DataTexture(new Uint8Array([...texel, ...texel, ...texel, ...texel]), 2, 2);
      return Object.assign(made, { colorSpace: THREE.SRGBColorSpace, premultiplyAlpha, needsUpdate: true });
    };
    const pages = [page(false), page(true)];
    const out = {};
    for (const blend of ['normal', 'add', 'multiply', 'screen']) {
      const rig = marrow.loadRig2d(JSON.stringify({ bones: [], parts: [{ name: 'square', blend, sprite: 'square.png', mesh: {
        verts: [[-50, -50], [50, -50], [-50, 50], [50, 50]], uvs: [[0, 0], [1, 0], [0, 1], [1, 1]], tris: [0, 2, 1, 1, 2, 3] } }] }));
      out[blend] = pages.map((texture) => {
        clear();
        const { view } = add({ alphaTest: 0.3 }, world.add(rig), texture);
        const [drawn] = look([[0, 0]]);
        view.alphaTest = 0.6;
        return [drawn, ...look([[0, 0]])];
      });
      clear();
      rig.dispose();
    }
    return out;
  });
  // Source (199, 120, 40) at 128/255 over (32, 64, 96), in the blend equations of PixiJS.
  const expected = { normal: '745c44', add: '847c74', multiply: '1d2f37', screen: '776d6c' };
  for (const [blend, color] of Object.entries(expected)) {
    for (const pictures of seen[blend]) {
      assertNear(pictures, [color, background], 2);
    }
  }
});

test('a soft edge over its own color leaves no rim, between the texels neither', async () => {
  const seen = await harness.page.evaluate(() => {
    /** Columns of one grey, whose alpha falls off to the right; multiplied on upload. */
    const page = (colorSpace) => {
      const row = [255, 255, 170, 85, 0, 0, 0, 0].flatMap((alpha) => [180, 180, 180, alpha]);
      const made = new THREE.DataTexture(new Uint8Array([...row, ...row]), 8, 2);
      return Object.assign(made, { colorSpace, premultiplyAlpha: true, magFilter: THREE.LinearFilter, needsUpdate: true });
    };
    const rig = marrow.loadRig2d(JSON.stringify({ bones: [], sprite: 'square.png', mesh: {
      verts: [[-50, -50], [50, -50], [-50, 50], [50, 50]], uvs: [[0, 0], [1, 0], [0, 1], [1, 1]], tris: [0, 2, 1, 1, 2, 3] } }));
    const before = stage.scene.background;
    stage.scene.background = new THREE.Color(180 / 255, 180 / 255, 180 / 255).convertSRGBToLinear();
    const pictures = [THREE.NoColorSpace, THREE.SRGBColorSpace].map((colorSpace) => {
      clear();
      add({ alphaTest: 0 }, world.add(rig), page(colorSpace));
      return look(Array.from({ length: 24 }, (_, step) => [-46 + step * 4, 0]));
    });
    clear();
    stage.scene.background = before;
    rig.dispose();
    return pictures;
  });
  assertNear(seen[0], seen[0].map(() => 'b4b4b4'), 2);
  // What the way through an sRGB texture costs, so that nobody takes the two for equal.
  assert.ok(seen[1].some((color) => parseInt(color.slice(0, 2), 16) > 186), seen[1].join(' '));
});

test('fog lies on what a page covers, whatever its alpha', async () => {
  const seen = await harness.page.evaluate(() => {
    /** Half of the texels are clear, half are half transparent. */
    const page = (premultiplyAlpha) => Object.assign(
      new THREE.DataTexture(new Uint8Array([199, 120, 40, 128, 0, 0, 0, 0, 199, 120, 40, 128, 0, 0, 0, 0]), 2, 2),
      { colorSpace: THREE.SRGBColorSpace, premultiplyAlpha, needsUpdate: true });
    const rig = marrow.loadRig2d(JSON.stringify({ bones: [], sprite: 'square.png', mesh: {
      verts: [[-50, -50], [50, -50], [-50, 50], [50, 50]], uvs: [[0, 0], [1, 0], [0, 1], [1, 1]], tris: [0, 2, 1, 1, 2, 3] } }));
    // At the rig's distance of 10 half of the light is fog.
    stage.scene.fog = new THREE.Fog(0xffffff, 5, 15);
    const pictures = [false, true].map((premultiplied) => {
      clear();
      const { hero } = add({ alphaTest: 0 }, world.add(rig), page(premultiplied));
      hero.view.opacity = 0.8;
      return look([[-25, 0], [25, 0]]);
    });
    stage.scene.fog = null;
    clear();
    rig.dispose();
    return pictures;
  });
  // (199, 120, 40) halfway to white, at 0.8 * 128/255 over the background.
  for (const picture of seen) {
    assertNear(picture, ['6e7275', background], 2);
  }
});

test('RigLoader loads a rig with its clip and picture', async () => {
  const seen = await harness.page.evaluate(async () => {
    const rig = await new three.RigLoader(marrow).loadAsync('assets-of-project/bar/bar.rig2d.json');
    clear();
    add({ mode: 'cylindrical' }, world.add(rig.model), rig.textures);
    // Away from the edges of stripes, where linear filtering mixes.
    const colors = look([[-16, -112], [16, -112], [16, 112]]);
    const failure = await new three.RigLoader(marrow).loadAsync('nowhere.rig2d.json').catch((error) => error.code);
    clear();
    rig.model.dispose();
    return { colors, clips: rig.model.isDisposed, failure };
  });
  assertNear(seen.colors, [half(0), full(0), full(7)], 2);
  assert.equal(seen.failure, 'FETCH');
  harness.forgive(/404/);
});

test('nothing was said on the console', () => {
  harness.forgive(/Context (Lost|Restored)/);
  // three.js deletes what it had made in the context that was lost.
  harness.forgive(/object does not belong to this context/);
  harness.assertQuiet();
});
