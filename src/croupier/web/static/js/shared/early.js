// Runs before the first paint, so that a chosen theme or deck never flashes in its other colors.
// A classic script on purpose: modules are deferred.
(() => {
  const root = document.documentElement;
  try {
    const kept = JSON.parse(localStorage.getItem("croupier") ?? "{}");
    if (kept.theme === "light" || kept.theme === "dark") root.dataset.theme = kept.theme;
    if (kept.deck === "four") root.dataset.deck = "four";
    if (kept.pace !== "casino") root.dataset.pace = kept.pace ?? "quick";
    if (kept.motion === "still") root.dataset.motion = "still";
  } catch {
    // Storage may be forbidden; the defaults are fine.
  }
  // A form that is sent, or a button that is pressed, before its module has run waits for it: modules have run when
  // the page is ready.
  /** @type {any} */ let waiting = null;
  const hold = (event) => {
    const held = event.type === "submit" ? event.target : event.target.closest?.("button[type=button]");
    if (!held) return;
    event.preventDefault();
    event.stopPropagation();
    waiting = held;
  };
  for (const type of ["submit", "click"]) document.addEventListener(type, hold, true);
  document.addEventListener("DOMContentLoaded", () => {
    for (const type of ["submit", "click"]) document.removeEventListener(type, hold, true);
    if (waiting instanceof HTMLFormElement) waiting.requestSubmit();
    else waiting?.click();
  });
})();
