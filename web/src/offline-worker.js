// The service worker of a built page. The build puts `self.files` in front: what the page consists of, with the hash of each file.
//
// One cache holds one version, complete, or it is not there: a file that is missing, that fails or that is of another version ends the
// installation, and the browser tries again at the next visit.

const worker = /** @type {any} */ (self);
/** @type {Record<string, string>} integrity by path below the scope */
const files = worker.files;
/** @type {string} */
const scope = worker.registration.scope;
const family = `marrow ${scope} `;

async function cacheName() {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(JSON.stringify(files)));
  return family + [...new Uint8Array(digest).subarray(0, 8)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

async function install() {
  const cache = await caches.open(await cacheName());
  await Promise.all(Object.entries(files).map(async ([path, integrity]) => {
    const url = new URL(path, scope).href;
    // Names of bundled files hold a hash of their content, so that what another version has of them is theirs.
    const known = path.startsWith('assets/') ? await caches.match(url) : undefined;
    await cache.put(url, known ?? await fetched(url, integrity));
  }));
}

/**
 * @param {string} url
 * @param {string} integrity
 */
async function fetched(url, integrity) {
  const response = await fetch(url, { cache: 'reload', integrity });
  if (!response.ok) {
    throw new Error(`${url}: ${response.status}`);
  }
  // A host may lead from index.html to the folder. A page is not taken from an answer that remembers such a way.
  return response.redirected ? new Response(response.body, { headers: response.headers }) : response;
}

async function activate() {
  const current = await cacheName();
  const old = (await caches.keys()).filter((name) => name.startsWith(family) && name !== current);
  await Promise.all(old.map((name) => caches.delete(name)));
  await worker.clients.claim();
}

/**
 * @param {Request} request
 * @param {string} path
 */
async function answer(request, path) {
  const cache = await caches.open(await cacheName());
  return (await cache.match(new URL(path, scope).href)) ?? fetch(request);
}

worker.addEventListener('install', (/** @type {any} */ event) => event.waitUntil(install()));
worker.addEventListener('activate', (/** @type {any} */ event) => event.waitUntil(activate()));
worker.addEventListener('message', (/** @type {MessageEvent} */ { data }) => {
  if (data === 'take-over') {
    worker.skipWaiting();
  }
});
worker.addEventListener('fetch', (/** @type {any} */ event) => {
  const [address] = event.request.url.split(/[?#]/);
  const path = address === scope ? 'index.html' : address.startsWith(scope) ? address.slice(scope.length) : '';
  if (event.request.method === 'GET' && Object.hasOwn(files, path)) {
    event.respondWith(answer(event.request, path));
  }
});
