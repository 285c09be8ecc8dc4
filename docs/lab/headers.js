// A service worker: it adds to this page and its workers the headers with which a browser lets workers share memory.
const HEADERS = {
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Embedder-Policy": "require-corp",
};
const LESSONS = new URL("lessons/", self.location).href; // which have a service worker of their own

async function withHeaders(request) {
  const response = await fetch(request);
  if (!response.status) return response; // a redirection, which the browser follows
  const headers = new Headers(response.headers);
  for (const [name, value] of Object.entries(HEADERS)) headers.set(name, value);
  return new Response(response.body, { status: response.status, statusText: response.statusText, headers });
}

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("fetch", (event) => {
  const { destination, url } = event.request;
  if (["document", "worker"].includes(destination) && !url.startsWith(LESSONS)) event.respondWith(withHeaders(event.request));
});
