// What the theme leaves out, for keyboards and screen readers.
addEventListener("DOMContentLoaded", () => {
  for (const caption of document.querySelectorAll(".caption[role=heading]")) caption.setAttribute("aria-level", 2);
  const labels = { ".sidebar-drawer": "All pages", ".toc-drawer": "On this page", ".content-icon-container": "This page" };
  for (const [part, label] of Object.entries(labels)) document.querySelector(part)?.setAttribute("aria-label", label);
  document.querySelector(".content-icon-container")?.setAttribute("role", "navigation");
  for (const wide of document.querySelectorAll("pre, p:has(> img), .table-wrapper, .output")) {
    if (wide.scrollWidth > wide.clientWidth) wide.tabIndex = 0;
  }
});
