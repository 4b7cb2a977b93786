// The settings of this browser.

const KEY = "croupier";
const DEFAULTS = {
  theme: "auto",
  deck: "two",
  motion: "auto",
  pace: "quick",
  sound: false,
  advice: false,
  randomness: false,
  notes: "short",
  shortcuts: true,
  duties: false,
  keymap: {},
  chip: 500,
  last: {},
  learned: [],
};

/** @type {Record<string, any>} */
let kept = { ...DEFAULTS };
try {
  kept = { ...DEFAULTS, ...JSON.parse(localStorage.getItem(KEY) ?? "{}") };
} catch {
  // A private window: settings last as long as the page.
}

/** @param {string} name */
export const chosen = (name) => kept[name];

/**
 * @param {string} name
 * @param {any} value
 */
export function choose(name, value) {
  kept[name] = value;
  try {
    localStorage.setItem(KEY, JSON.stringify(kept));
  } catch {
    // see above
  }
  apply();
  dispatchEvent(new CustomEvent("chosen", { detail: name }));
}

function apply() {
  const { dataset } = document.documentElement;
  set(dataset, "theme", kept.theme === "auto" ? "" : kept.theme);
  set(dataset, "deck", kept.deck === "four" ? "four" : "");
  set(dataset, "pace", kept.pace === "casino" ? "" : kept.pace);
  set(dataset, "motion", kept.motion === "still" ? "still" : "");
}

/**
 * @param {DOMStringMap} dataset
 * @param {string} name
 * @param {string} value
 */
function set(dataset, name, value) {
  if (value) dataset[name] = value;
  else delete dataset[name];
}

export const isStill = () => kept.motion === "still" || matchMedia("(prefers-reduced-motion: reduce)").matches;
