// Elements without innerHTML: text from the network stays text.

const SVG = "http://www.w3.org/2000/svg";

/** h("button.big", {type: "button", onclick: f}, "Deal") */
export function h(what, given = {}, ...children) {
  const [name, ...classes] = what.split(".");
  return fill(document.createElement(name || "div"), classes, given, children);
}

export function s(what, given = {}, ...children) {
  const [name, ...classes] = what.split(".");
  return fill(document.createElementNS(SVG, name), classes, given, children);
}

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

export function put(node, children) {
  for (const child of children.flat(9)) {
    if (child !== null && child !== undefined && child !== false) node.append(child);
  }
  return node;
}

// What the mouse, or the space bar, holds down at this moment, if a click may follow. A list that opens,
// and the menu of the right button, may keep the end of the press to themselves: they are none.
let pressed = null;
const postponed = new Map();

const press = (node) => {
  pressed = node?.closest?.("button, a, summary, label, input") ?? null;
};
const release = () => {
  pressed = null;
  if (postponed.size) setTimeout(() => postponed.forEach((children, node) => refill(node, ...children))); // after the click
};
const isSpace = (event) => event.key === " ";
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
 */
export function refill(node, ...children) {
  if (pressed && node.contains(pressed)) {
    postponed.set(node, children);
    return node;
  }
  postponed.delete(node);
  const held = node.contains(document.activeElement) ? document.activeElement.dataset?.name : null;
  node.replaceChildren();
  put(node, children);
  if (held) node.querySelector(`[data-name="${CSS.escape(held)}"]`)?.focus();
  return node;
}

/** Change text only if it differs, so that screen readers and selections are left in peace. */
export function say(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/** Names to choose from while typing: a `datalist` for an input. */
export const suggestions = (id, names) => h("datalist", { id }, [...new Set(names)].sort().map((name) => h("option", { value: name })));

export const $ = (selector, from = document) => from.querySelector(selector);
export const $$ = (selector, from = document) => [...from.querySelectorAll(selector)];
