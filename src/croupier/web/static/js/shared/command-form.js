// A form for any command, drawn from its declaration: fields, what would happen, and the button that does it.

import { note } from "./announce.js";
import { command, foresee, pickLists } from "./api.js";
import { $, h, refill } from "./dom.js";
import { openBox } from "./sheets.js";

const CHIPS = ["1", "5", "25", "100", "500", "1000"];
const NOBODY = ":"; // no person has this name
const READING = 300; // milliseconds in which nobody has read a consequence that came up

/**
 * `description` is one of `commands()`. `given` has fields that are known already: they are sent and not asked for,
 * unless they stand in `asks`. `meant` is the round that the person had before their eyes.
 * `names` are the choices of a field where the page knows them, as in {player: ["ann"]}.
 * `titles` are the words of the names in a field of amounts, where the pick lists have none.
 * `picks` draws a list to choose from: {seat: [[1, "Seat 1: ann"]]}; fields without one use the pick lists of the table.
 * `needs`: fields that this time must not be left out; nothing is chosen beforehand.
 * `quiet`: the page itself shows that it is done.
 * `looks`: what would happen is shown before it can be confirmed, always; without it only what is grave: something is
 * void, condemned, forfeited or corrected.
 *
 * @param {any} description
 * @param {Record<string, any>} options
 */
export function commandForm(
  description,
  {
    table,
    given = {},
    asks = null,
    names = {},
    titles = {},
    picks = {},
    needs = [],
    meant = {},
    label = description.label,
    looks = false,
    quiet = false,
    onDone = () => {},
  } = {},
) {
  const looksFirst = description.foreseen;
  const wanted = (
    asks
      ? asks.map((name) => description.fields.find((field) => field.name === name)).filter(Boolean)
      : description.fields.filter(({ name }) => !(name in given))
  ).map((field) => (needs.includes(field.name) ? { ...field, required: true, isOpen: true } : field));
  const inputs = new Map();
  const fields = h("div.fields");
  const known = (field) =>
    picks[field.name] ??
    (field.free || !field.list || !names[field.name] || field.kind === "amounts"
      ? undefined
      : names[field.name].map((value) => [value, value]));
  const lists = wanted.some((field) => field.list && !known(field)) ? pickLists(table).catch(() => ({})) : null;
  const draw = (all) => {
    const seats = all.seats ?? [];
    const fills =
      seats.length && wanted.some(isSeat) ? new Map(seats.map(({ value, player }) => [value, player])) : null; // who sits there is known
    for (const field of wanted) {
      if (fills && field.list === "players")
        inputs.set(field.name, { read: () => fills.get(inputs.get("seat").read()), node: null });
      else
        inputs.set(
          field.name,
          input(field, given[field.name], names[field.name], known(field), all[field.list], titles),
        );
    }
    for (const field of wanted)
      if (field.list === "staff") byRole(inputs.get("role"), given.role, inputs.get(field.name).select);
    refill(
      fields,
      [...inputs.values()].map(({ node }) => node),
    );
  };
  const foreseen = h("div.foreseen", { role: "status", "aria-live": "polite" });
  const problem = h("p.bad", { role: "alert" });
  const commandBody = () => {
    const body = { ...given };
    for (const [name, control] of inputs) {
      const value = control.read();
      if (value === undefined) delete body[name];
      else body[name] = value;
    }
    delete body.type;
    return body;
  };
  /** A field of blanks, or chips that nobody counted: the browser lets them pass. */
  const missing = () => {
    const field = wanted.find(({ name, required }) => required && isEmpty(inputs.get(name).read()));
    return field ? `Fill in: ${field.label}.` : "";
  };
  let seen = "";
  let harmless = "";
  const look = async () => {
    problem.textContent = "";
    const hadFocus = document.activeElement === button;
    button.disabled = true; // nobody confirms with a press that was meant for the question, or before they have read
    try {
      const { told: sentences, grave } = await foresee(table, description.type, commandBody());
      harmless = grave || looks ? "" : JSON.stringify(commandBody());
      if (!harmless)
        refill(
          foreseen,
          h("h4", {}, "This would happen"),
          h(
            "ul",
            {},
            sentences.map((sentence) => h("li", {}, sentence)),
          ),
        );
      seen = JSON.stringify(commandBody());
      if (!harmless) await read();
    } catch (error) {
      foreseen.replaceChildren();
      problem.textContent = error.message + (error.clause ? ` (clause ${error.clause})` : "");
    }
    button.disabled = false;
    name();
    if (hadFocus) button.focus();
  };
  const read = () => {
    name();
    button.scrollIntoView({ block: "nearest" });
    return new Promise((done) => setTimeout(done, READING));
  };
  const isSeen = () => !looksFirst || seen === JSON.stringify(commandBody());
  const name = () => {
    if (!isSeen()) foreseen.replaceChildren();
    button.textContent =
      !looksFirst || (!looks && !foreseen.hasChildNodes())
        ? label
        : isSeen()
          ? `Confirm: ${label}`
          : "What would happen?";
  };
  const send = async (event) => {
    event.preventDefault();
    if (button.disabled) return;
    problem.textContent = missing();
    if (problem.textContent) return;
    if (!isSeen()) {
      await look();
      if (!isSeen() || harmless !== seen) return;
    }
    problem.textContent = "";
    button.disabled = true;
    try {
      const done = await command(table, description.type, commandBody(), meant);
      if (!quiet)
        note(
          done.repeated
            ? "This had been done before"
            : done.waits
              ? "It waits for a second person, who confirms it on their own screen."
              : `Done: ${label}`,
        );
      onDone(done);
    } catch (error) {
      problem.textContent = error.message + (error.clause ? ` (clause ${error.clause})` : "");
    } finally {
      button.disabled = false;
    }
  };
  const button = h("button.gold", { type: "submit", data: { name: `do-${description.type}` } }, label);
  const form = h(
    "form.command",
    { onsubmit: send, oninput: name, "aria-label": label, data: { command: description.type } },
    description.words ? h("p.fine", {}, description.words) : null,
    fields,
    problem,
    foreseen,
    h("div.doors", {}, button),
  );
  if (lists) {
    button.disabled = true;
    lists.then((all) => {
      draw(all);
      button.disabled = false;
      if (
        form.isConnected &&
        (document.activeElement === document.body ||
          form.contains(document.activeElement) ||
          form.closest("dialog")?.contains(document.activeElement))
      )
        focusFirst(form);
    });
  } else draw({});
  name();
  if (looks && looksFirst && !wanted.length) look();
  return form;
}

const isEmpty = (value) => value === undefined || value.length === 0;
const isSeat = ({ name, list }) => name === "seat" && list === "seats";
const focusFirst = (form) => form.querySelector(":is(input, select, textarea)")?.focus();

/** Only the people who hold the role, `given` or chosen. */
function byRole(role, given, people) {
  const show = () => {
    const held = role?.read() ?? given;
    for (const option of people?.options ?? [])
      option.hidden = option.disabled = Boolean(option.dataset.role) && option.dataset.role !== held;
    if (people?.selectedOptions[0]?.hidden) people.value = "";
  };
  role?.select.addEventListener("change", show);
  show();
}

/** The same in a dialog, which closes when it is done. */
export function openCommand(description, options = {}) {
  const box = openBox(
    options.label ?? description.label,
    commandForm(description, {
      ...options,
      onDone: (done) => {
        box.close();
        options.onDone?.(done);
      },
    }),
  );
  $(".command :is(input, select, textarea), .command .gold", box)?.focus();
  return box;
}

let count = 0;

function input(field, given, choices, picked, list, titles) {
  const id = `field-${field.name}-${(count += 1)}`;
  const pairs =
    picked ??
    (list && !field.free && field.kind !== "amounts"
      ? list.map(({ value, words, role }) => [value, words, role])
      : null);
  const control = pairs
    ? (field.kind === "names" ? several : pick)(field, given, pairs, id)
    : (MAKERS[field.kind] ?? text)(field, given, choices ?? list?.map(({ value }) => value), id, list, titles);
  const label = h(
    "label",
    { for: id },
    field.label,
    field.required || field.list === "staff" ? null : h("small", {}, " (optional)"),
  );
  const hint = field.words && !pairs && field.name !== "player" ? h("small.fine", {}, field.words) : null;
  return {
    ...control,
    node: h("div.field", { data: { field: field.name } }, field.kind === "flag" ? null : label, control.node, hint),
  };
}

function text(field, given, choices, id) {
  const list = choices?.length
    ? h(
        "datalist",
        { id: `${id}-list` },
        choices.map((value) => h("option", { value })),
      )
    : null;
  const node = h("input", {
    id,
    name: field.name,
    type: "text",
    autocomplete: "off",
    maxlength: field.most ?? null,
    required: field.required,
    value: given ?? null,
    list: list ? `${id}-list` : null,
  });
  return { node: list ? [node, list] : node, read: () => node.value.trim() || undefined };
}

/** Enter sends the form, as it does from any other field. */
function submits(event) {
  if (event.key !== "Enter") return;
  event.preventDefault();
  event.currentTarget.form.requestSubmit();
}

/** One of these and nothing else, each with its words. Nobody is unassigned by a press of Enter: that is a choice, too. */
function pick(field, given, pairs, id) {
  const isPerson = field.list === "staff";
  const node = h(
    "select",
    { id, name: field.name, required: field.required || isPerson, onkeydown: submits },
    field.required && !field.isOpen && pairs.length
      ? null
      : h("option", { value: "" }, pairs.length || isPerson ? "–" : "Nothing to choose"),
    isPerson ? h("option", { value: NOBODY }, "Nobody") : null,
    pairs.map(([value, said, role]) =>
      h("option", { value, selected: String(value) === String(given), data: role ? { role } : {} }, said),
    ),
  );
  const isNumber = field.kind === "seat" || field.kind === "number";
  return {
    node,
    select: node,
    read: () => (node.value === "" || node.value === NOBODY ? undefined : isNumber ? Number(node.value) : node.value),
  };
}

/** Any of these. */
function several(field, given, pairs, id) {
  const boxes = pairs.map(([value, said], n) => {
    const box = h("input", { type: "checkbox", id: n ? `${id}-${n}` : id, name: field.name });
    box.checked = Boolean(given?.includes(value));
    return [value, box, h("label.check", {}, box, said)];
  });
  const read = () => {
    const chosen = boxes.filter(([, box]) => box.checked).map(([value]) => value);
    return chosen.length || field.required ? chosen : undefined;
  };
  return {
    node: h(
      "div.several",
      { role: "group", "aria-label": field.label },
      boxes.map(([, , label]) => label),
    ),
    read,
  };
}

function number(field, given, _, id) {
  const node = h("input", {
    id,
    name: field.name,
    type: "number",
    inputmode: "numeric",
    min: field.least ?? null,
    max: field.most ?? null,
    required: field.required,
    value: given ?? null,
  });
  return { node, read: () => (node.value === "" ? undefined : Number(node.value)) };
}

function money(field, given, _, id) {
  const node = h("input", {
    id,
    name: field.name,
    type: "text",
    inputmode: "decimal",
    placeholder: "0.00",
    autocomplete: "off",
    required: field.required,
    value: given ?? null,
  });
  return { node, read: () => node.value.trim().replace(/^\$/, "").replaceAll(",", "") || undefined };
}

function flag(field, given, _, id) {
  const node = h("input", { id, name: field.name, type: "checkbox" });
  node.checked = Boolean(given);
  return { node: h("label.check", { for: id }, node, field.label), read: () => node.checked };
}

function choice(field, given, choices, id) {
  const all = choices?.length ? choices : field.choices;
  const node = h(
    "select",
    { id, name: field.name, required: field.required, onkeydown: submits },
    field.required ? null : h("option", { value: "" }, "–"),
    all.map((value) => h("option", { value, selected: value === given }, field.choice_labels?.[value] ?? value)),
  );
  return { node, select: node, read: () => node.value || undefined };
}

function cards(field, given, _, id) {
  const node = h("input", {
    id,
    name: field.name,
    type: "text",
    autocomplete: "off",
    autocapitalize: "off",
    spellcheck: "false",
    placeholder: "Ah Kd",
    value: given?.join(" ") ?? null,
  });
  const read = () => {
    const codes = node.value.match(/(10|[2-9tjqka])[cdhs]/gi) ?? [];
    if (!codes.length && !node.value.trim()) return field.required ? [] : undefined;
    return codes.length
      ? codes.map((code) => code.replace("10", "T").charAt(0).toUpperCase() + code.slice(-1).toLowerCase())
      : [node.value.trim()];
  };
  return { node, read };
}

const dollars = (worth) => `$${Number(worth).toLocaleString("en-US")}`;

/**
 * How many chips of each denomination, and what they come to.
 *
 * @param {Record<string, number>} given
 * @param {{ id?: string, onChange?: (sum: number) => void }} options
 */
export function chipsInput(given = {}, { id = "chips", onChange = () => {} } = {}) {
  const total = h("output.total", { "aria-live": "polite" });
  /** @type {[any, HTMLInputElement][]} */
  const boxes = CHIPS.map((worth, n) => [
    worth,
    h("input", {
      id: n ? `${id}-${worth}` : id,
      type: "number",
      min: 0,
      max: 1000000,
      inputmode: "numeric",
      value: given[worth] ?? null,
      "aria-label": `Chips of ${dollars(worth)}`,
      oninput: () => add(),
    }),
  ]);
  const sum = () => boxes.reduce((all, [worth, box]) => all + Number(worth) * Number(box.value || 0), 0);
  const add = () => {
    total.textContent = `$${sum().toLocaleString("en-US")}.00`;
    onChange(sum());
  };
  add();
  const node = h(
    "div.chips-input",
    {},
    boxes.map(([worth, box]) => h("label", {}, h("span.chip-worth", { data: { worth } }, dollars(worth)), box)),
    total,
  );
  const read = () => {
    const counts = Object.fromEntries(
      boxes.filter(([, box]) => Number(box.value) > 0).map(([worth, box]) => [`${worth}.00`, Number(box.value)]),
    );
    return Object.keys(counts).length ? counts : undefined;
  };
  return { node, read, sum };
}

const chips = (field, given, _, id) => chipsInput(given, { id });

/** Money by name: one line for each name that can be. */
function amounts(field, given, choices, id, list = [], titles = {}) {
  const listed = new Map(list.map(({ value, words }) => [value, words]));
  const title = (name) => listed.get(name) ?? titles[name] ?? name;
  const lines = (choices ?? Object.keys(given ?? {})).map((name, n) => [
    name,
    h("input", {
      id: n ? `${id}-${name}` : id,
      type: "text",
      inputmode: "decimal",
      placeholder: "0.00",
      value: given?.[name] ?? null,
      "aria-label": `${field.label}: ${title(name)}`,
    }),
  ]);
  const read = () =>
    Object.fromEntries(lines.filter(([, box]) => box.value.trim()).map(([name, box]) => [name, box.value.trim()]));
  return {
    node: h(
      "div.amounts",
      {},
      lines.map(([name, box]) => h("label", {}, h("span", {}, title(name)), box)),
    ),
    read,
  };
}

function names(field, given, choices, id) {
  const line = text({ ...field, required: false, most: null }, given?.join(", "), choices, id);
  return {
    ...line,
    read: () =>
      line
        .read()
        ?.split(/[,\s]+/)
        .filter(Boolean),
  };
}

const MAKERS = { text, number, seat: number, money, flag, choice, cards, chips, amounts, names };
