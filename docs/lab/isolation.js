// A browser lets workers share memory in a page with the two headers of headers.js alone. Where the host does not send
// them, a service worker adds them, and the page is loaded once more, before anything else is.
const TRIED = "pegcp isolation";

if (!self.crossOriginIsolated && navigator.serviceWorker && !sessionStorage.getItem(TRIED)) {
  try {
    await navigator.serviceWorker.register(new URL("headers.js", import.meta.url));
    const longest = new Promise((_, reject) => { setTimeout(reject, 3000); });
    await Promise.race([navigator.serviceWorker.ready, longest]);
    sessionStorage.setItem(TRIED, "once");
    location.reload();
    await new Promise(() => {}); // nothing else begins
  } catch {
    // The page works, but for CP-SAT, which says what it lacks.
  }
}
sessionStorage.removeItem(TRIED);
