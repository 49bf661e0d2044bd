/**
 * Lets the page work without a network from its second visit on: a service worker keeps its files. Only a built page has one.
 *
 * A newer version waits until all pages of the older one are closed, or until the person says so: files of two versions are never mixed.
 *
 * @param {(reload: () => void) => void} onUpdate a newer version is here; `reload` shows it
 */
export function keepOffline(onUpdate) {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator) || window !== window.top) {
    return;
  }
  const { serviceWorker } = navigator;
  // After the first frames, which need the network and the processor more.
  setTimeout(async () => {
    try {
      const registration = await serviceWorker.register('./sw.js', { scope: './', updateViaCache: 'none' });
      const offer = () => {
        const { waiting } = registration;
        if (waiting !== null && serviceWorker.controller !== null) {
          onUpdate(() => {
            serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true });
            waiting.postMessage('take-over');
          });
        }
      };
      offer();
      registration.addEventListener('updatefound', () => registration.installing?.addEventListener('statechange', offer));
    } catch {
      // A host without TLS, or a browser that refuses: the page works as before, with a network.
    }
  }, 1000);
}
