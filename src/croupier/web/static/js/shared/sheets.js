// Dialogs: a sheet from the side for reading, a box in the middle for a question.

import { h } from "./dom.js";

function open(style, title, children) {
  const close = () => node.close();
  const node = h(
    `dialog.${style}`,
    { "aria-label": title, onclose: () => node.remove() },
    h("div.sheet-head", {}, h("h2", {}, title), h("button.plain", { type: "button", onclick: close }, "Close")),
    h("div.sheet-body", {}, children),
  );
  node.addEventListener("click", (event) => {
    if (event.target === node) close();
  });
  document.body.append(node);
  node.showModal();
  return node;
}

export const openSheet = (title, ...children) => open("sheet", title, children);
export const openBox = (title, ...children) => open("box", title, children);
