/** A service worker that does to the tracker's requests what a blocker does, and touches no other. */
export const TRACKER_BLOCKER = `
self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));
self.addEventListener('fetch', (event) => {
  if (new URL(event.request.url).pathname.startsWith('/api/v1/track/')) event.respondWith(Response.error());
});
`;
