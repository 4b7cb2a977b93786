// Elements without innerHTML: text from the network stays text.

/**
 * @typedef {string | number | boolean | null | undefined | Node | Child[]} Child false, null and undefined are left out
 * @typedef {Record<string, any>} Attributes attributes, `data`, `vars` (custom properties) and `on…` listeners
 */

const SVG = "http://www.w3.org/2000/svg";

/**
 * h("button.big", {type: "button", onclick: f}, "Deal")
 *
 * @template {string} T
 * @param {T} what
 * @param {Attributes} given
 * @param {...Child} children
 * @returns {T extends keyof HTMLElementTagNameMap ? HTMLElementTagNameMap[T]
 *   : T extends `${infer N extends keyof HTMLElementTagNameMap}.${string}` ? HTMLElementTagNameMap[N]
 *   : T extends `.${string}` ? HTMLDivElement : HTMLElement}
 */
export function h(what, given = {}, ...children) {
  const [name, ...classes] = what.split(".");
  return /** @type {any} */ (fill(document.createElement(name || "div"), classes, given, children));
}

/**
 * @param {string} what
 * @param {Attributes} given
 * @param {...Child} children
 * @returns {SVGElement}
 */
export function s(what, given = {}, ...children) {
  const [name, ...classes] = what.split(".");
  return fill(/** @type {SVGElement} */ (document.createElementNS(SVG, name)), classes, given, children);
}

/**
 * @template {HTMLElement | SVGElement} N
 * @param {N} node
 * @param {string[]} classes
 * @param {Attributes} given
 * @param {Child[]} children
 * @returns {N}
 */
function fill(node, classes, given, children) {
  if (classes.length) node.classList.add(...classes);
  for (const [key, value] of Object.entries(given)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else if (key === "data") Object.assign(node.dataset, value);
    else if (key === "vars") for (const [k, v] of Object.entries(value)) node.style.setProperty(k, v);
    else node.setAttribute(key, value === true ? "" : value);
  }
  put(node, children);
  return node;
}

/**
 * @template {ParentNode} N
 * @param {N} node
 * @param {Child[]} children
 * @returns {N}
 */
export function put(node, children) {
  for (const child of /** @type {any[]} */ (children.flat(9))) {
    if (child !== null && child !== undefined && child !== false) node.append(child);
  }
  return node;
}

// What the mouse, or the space bar, holds down at this moment, if a click may follow. A list that opens,
// and the menu of the right button, may keep the end of the press to themselves: they are none.
/** @type {Element | null} */
/** @type {any} */ let pressed = null;
/** @type {Map<Element, Child[]>} */
const postponed = new Map();

/** @param {any} node */
const press = (node) => {
  pressed = node?.closest?.("button, a, summary, label, input") ?? null;
};
const release = () => {
  /** @type {any} */ pressed = null;
  if (postponed.size) setTimeout(() => postponed.forEach((children, node) => refill(node, ...children))); // after the click
};
/** @param {KeyboardEvent} event */
const isSpace = (event) => event.key === " ";
/** @param {PointerEvent} event */
const isMouse = (event) => event.pointerType !== "touch" && event.button === 0; // a finger's click comes as a whole

addEventListener("pointerdown", (event) => isMouse(event) && press(event.target), true);
addEventListener("keydown", (event) => isSpace(event) && press(document.activeElement), true);
addEventListener("keyup", (event) => isSpace(event) && release(), true);
for (const end of ["pointerup", "pointercancel", "contextmenu", "blur"]) addEventListener(end, release);

/**
 * Replace what is inside, keeping the focus on the same name if there is one.
 *
 * A button that is replaced while it is held down loses the click. So whatever holds it is replaced
 * when it is let go.
 *
 * @template {Element} N
 * @param {N} node
 * @param {...Child} children
 * @returns {N}
 */
export function refill(node, ...children) {
  if (pressed && node.contains(pressed)) {
    postponed.set(node, children);
    return node;
  }
  postponed.delete(node);
  const focused = /** @type {HTMLElement | null} */ (document.activeElement);
  const held = node.contains(focused) ? focused?.dataset?.name : null;
  node.replaceChildren();
  put(node, children);
  if (held) $(`[data-name="${CSS.escape(held)}"]`, node)?.focus();
  return node;
}

/**
 * Change text only if it differs, so that screen readers and selections are left in peace.
 *
 * @param {Node} node
 * @param {string} text
 */
export function say(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/**
 * Names to choose from while typing: a `datalist` for an input.
 *
 * @param {string} id
 * @param {Iterable<string>} names
 */
export const suggestions = (id, names) =>
  h(
    "datalist",
    { id },
    [...new Set(names)].sort().map((name) => h("option", { value: name })),
  );

/**
 * The first match. What kind of element a template has there is not known to the type checker.
 *
 * @param {string} selector
 * @param {ParentNode} from
 * @returns {any}
 */
export const $ = (selector, from = document) => from.querySelector(selector);
/**
 * @param {string} selector
 * @param {ParentNode} from
 * @returns {any[]}
 */
export const $$ = (selector, from = document) => [...from.querySelectorAll(selector)];
