// A form for any command, drawn from its declaration: fields, what would happen, and the button that does it.

import { note } from "./announce.js";
import { command, foresee } from "./api.js";
import { h, refill } from "./dom.js";
import { openBox } from "./sheets.js";

const CHIPS = ["1", "5", "25", "100", "500", "1000"];
const words = (name) => name.charAt(0).toUpperCase() + name.slice(1).replaceAll("_", " ");

/**
 * `description` is one of `commands()`. `given` has fields that are known already: they are sent and not asked for,
 * unless they stand in `asks`. `meant` is the round that the person had before his eyes.
 * `names` offers choices for a field, as in {wager: ["ante", "blind"], player: ["ann"]}.
 * `picks` draws a list to choose from: {seat: [[1, "Seat 1: ann"]]}.
 * `needs`: fields that this time must not be left out; nothing is chosen beforehand.
 * `quiet`: the page itself shows that it is done.
 * `looks`: what would happen is shown before it can be confirmed.
 */
export function commandForm(description, { table, given = {}, asks = null, names = {}, picks = {}, needs = [], meant = {}, label = description.label, looks = false, quiet = false, onDone = () => {} } = {}) {
  const looksFirst = looks && description.foreseen;
  const asked = description.fields.filter(({ name }) => (asks ? asks.includes(name) : !(name in given)))
    .map((field) => (needs.includes(field.name) ? { ...field, required: true, isOpen: true } : field));
  const inputs = new Map(asked.map((field) => [field.name, input(field, given[field.name], names[field.name], picks[field.name])]));
  const foreseen = h("div.foreseen", { role: "status", "aria-live": "polite" });
  const problem = h("p.bad", { role: "alert" });
  const told = () => {
    const body = { ...given };
    for (const [name, one] of inputs) {
      const value = one.read();
      if (value === undefined) delete body[name];
      else body[name] = value;
    }
    delete body.type;
    return body;
  };
  let seen = "";
  const look = async () => {
    problem.textContent = "";
    button.disabled = true; // nobody confirms with a press that was meant for the question
    try {
      const sentences = await foresee(table, description.type, told());
      refill(foreseen, h("h4", {}, "This would happen"), h("ul", {}, sentences.map((one) => h("li", {}, one))));
      seen = JSON.stringify(told());
    } catch (error) {
      foreseen.replaceChildren();
      problem.textContent = error.message + (error.clause ? ` (clause ${error.clause})` : "");
    }
    button.disabled = false;
    name();
  };
  const isSeen = () => !looksFirst || seen === JSON.stringify(told());
  const name = () => {
    if (!isSeen()) foreseen.replaceChildren();
    button.textContent = !looksFirst ? label : isSeen() ? `Confirm: ${label}` : "What would happen?";
  };
  const send = async (event) => {
    event.preventDefault();
    if (!isSeen()) return look();
    problem.textContent = "";
    button.disabled = true;
    try {
      const done = await command(table, description.type, told(), meant);
      if (!quiet) note(done.repeated ? "This had been done before" : `Done: ${label}`);
      onDone(done);
    } catch (error) {
      problem.textContent = error.message + (error.clause ? ` (clause ${error.clause})` : "");
    } finally {
      button.disabled = false;
    }
  };
  const button = h("button.gold", { type: "submit", data: { name: `do-${description.type}` } }, label);
  const form = h("form.command", { onsubmit: send, oninput: name, "aria-label": label, data: { command: description.type } },
    h("p.fine", {}, description.words),
    [...inputs.values()].map((one) => one.node),
    problem, foreseen,
    h("div.doors", {}, button,
      description.foreseen && !looks ? h("button.plain", { type: "button", onclick: look, data: { name: `foresee-${description.type}` } }, "What would happen?") : null));
  name();
  if (looksFirst && !inputs.size) look();
  return form;
}

/** The same in a dialog, which closes when it is done. */
export function openCommand(description, options = {}) {
  const box = openBox(options.label ?? description.label, commandForm(description, {
    ...options,
    onDone: (done) => {
      box.close();
      options.onDone?.(done);
    },
  }));
  box.querySelector(".command :is(input, select, textarea), .command .gold")?.focus();
  return box;
}

let count = 0;

function input(field, given, choices, pairs) {
  const id = `field-${field.name}-${(count += 1)}`;
  const one = pairs ? (field.kind === "names" ? several : pick)(field, given, pairs, id) : (MAKERS[field.kind] ?? text)(field, given, choices, id);
  const label = h("label", { for: id }, words(field.name), field.required ? null : h("small", {}, " (may be left out)"));
  const hint = field.words ? h("small.fine", {}, field.words) : null;
  return { ...one, node: h("div.field", { data: { field: field.name } }, field.kind === "flag" ? null : label, one.node, hint) };
}

function text(field, given, choices, id) {
  const list = choices?.length ? h("datalist", { id: `${id}-list` }, choices.map((value) => h("option", { value }))) : null;
  const node = h("input", { id, name: field.name, type: "text", autocomplete: "off", maxlength: field.most ?? null, required: field.required, value: given ?? null, list: list ? `${id}-list` : null });
  return { node: list ? [node, list] : node, read: () => node.value.trim() || undefined };
}

/** One of these and nothing else, each with its words. */
function pick(field, given, pairs, id) {
  const node = h("select", { id, name: field.name, required: field.required },
    field.required && !field.isOpen ? null : h("option", { value: "" }, "–"),
    pairs.map(([value, said]) => h("option", { value, selected: String(value) === String(given) }, said)));
  const isNumber = field.kind === "seat" || field.kind === "number";
  return { node, read: () => (node.value === "" ? undefined : isNumber ? Number(node.value) : node.value) };
}

/** Any of these. */
function several(field, given, pairs, id) {
  const boxes = pairs.map(([value, said], n) => {
    const box = h("input", { type: "checkbox", id: n ? `${id}-${n}` : id, name: field.name });
    box.checked = Boolean(given?.includes(value));
    return [value, box, h("label.check", {}, box, said)];
  });
  const read = () => {
    const found = boxes.filter(([, box]) => box.checked).map(([value]) => value);
    return found.length || field.required ? found : undefined;
  };
  return { node: h("div.several", { role: "group", "aria-label": words(field.name) }, boxes.map(([, , label]) => label)), read };
}

function number(field, given, _, id) {
  const node = h("input", { id, name: field.name, type: "number", inputmode: "numeric", min: field.least ?? null, max: field.most ?? null, required: field.required, value: given ?? null });
  return { node, read: () => (node.value === "" ? undefined : Number(node.value)) };
}

function money(field, given, _, id) {
  const node = h("input", { id, name: field.name, type: "text", inputmode: "decimal", placeholder: "0.00", autocomplete: "off", required: field.required, value: given ?? null });
  return { node, read: () => node.value.trim().replace(/^\$/, "").replaceAll(",", "") || undefined };
}

function flag(field, given, _, id) {
  const node = h("input", { id, name: field.name, type: "checkbox" });
  node.checked = Boolean(given);
  return { node: h("label.check", { for: id }, node, words(field.name)), read: () => node.checked };
}

function choice(field, given, choices, id) {
  const all = choices?.length ? choices : field.choices;
  const node = h("select", { id, name: field.name, required: field.required },
    field.required ? null : h("option", { value: "" }, "–"),
    all.map((value) => h("option", { value, selected: value === given }, words(value))));
  return { node, read: () => node.value || undefined };
}

function cards(field, given, _, id) {
  const node = h("input", { id, name: field.name, type: "text", autocomplete: "off", autocapitalize: "off", spellcheck: "false", placeholder: "Ah Kd", value: given?.join(" ") ?? null });
  const read = () => {
    const found = node.value.match(/(10|[2-9tjqka])[cdhs]/gi) ?? [];
    if (!found.length && !node.value.trim()) return field.required ? [] : undefined;
    return found.length ? found.map((one) => one.replace("10", "T").charAt(0).toUpperCase() + one.slice(-1).toLowerCase()) : [node.value.trim()];
  };
  return { node, read };
}

/** How many chips of each worth, and what they come to. */
export function chipsInput(given = {}, { id = "chips", onChange = () => {} } = {}) {
  const total = h("output.total", { "aria-live": "polite" });
  const boxes = CHIPS.map((worth, n) => [worth, h("input", {
    id: n ? `${id}-${worth}` : id, type: "number", min: 0, max: 1000000, inputmode: "numeric", value: given[worth] ?? null, "aria-label": `Chips of $${worth}`, oninput: () => add(),
  })]);
  const sum = () => boxes.reduce((all, [worth, box]) => all + Number(worth) * Number(box.value || 0), 0);
  const add = () => {
    total.textContent = `$${sum().toLocaleString("en-US")}.00`;
    onChange(sum());
  };
  add();
  const node = h("div.chips-input", {}, boxes.map(([worth, box]) => h("label", {}, h("span.chip-worth", { data: { worth } }, `$${worth}`), box)), total);
  const read = () => {
    const found = Object.fromEntries(boxes.filter(([, box]) => Number(box.value) > 0).map(([worth, box]) => [`${worth}.00`, Number(box.value)]));
    return Object.keys(found).length ? found : undefined;
  };
  return { node, read, sum };
}

const chips = (field, given, _, id) => chipsInput(given, { id });

/** Money by name: one line for each name that can be. */
function amounts(field, given, choices, id) {
  const lines = (choices ?? Object.keys(given ?? {})).map((name, n) => [name, h("input", { id: n ? `${id}-${name}` : id, type: "text", inputmode: "decimal", placeholder: "0.00", value: given?.[name] ?? null, "aria-label": words(name) })]);
  const read = () => Object.fromEntries(lines.filter(([, box]) => box.value.trim()).map(([name, box]) => [name, box.value.trim()]));
  return { node: h("div.amounts", {}, lines.map(([name, box]) => h("label", {}, h("span", {}, words(name)), box))), read };
}

function names(field, given, choices, id) {
  const one = text({ ...field, required: false, most: null }, given?.join(", "), choices, id);
  return { ...one, read: () => one.read()?.split(/[,\s]+/).filter(Boolean) };
}

const MAKERS = { text, number, seat: number, money, flag, choice, cards, chips, amounts, names };
