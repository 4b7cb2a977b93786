// Open a table: where its rules come from, what is chosen, what the check finds, and the float.

import { note } from "../shared/announce.js";
import { checkSubmission as ask, command, get } from "../shared/api.js";
import { chipsInput } from "../shared/command-form.js";
import { $, h, refill } from "../shared/dom.js";
import { dutyList } from "../shared/duty-list.js";
import { enterHouse } from "./nav.js";
import { ApprovalFields, clauseMark, SubmissionForm } from "./submission-form.js";

const MOST = 150_000;
/** @type {any} */
const state = { choices: null, form: null, rulebookText: "", checked: null, rulebooks: [], links: [], asked: 0 };
const parts = {};

/** The first check of a game may take seconds: the page says that it is at work. */
async function checkSubmission(upload) {
  parts.check.setAttribute("aria-busy", "true");
  try {
    return await ask(upload);
  } finally {
    parts.check.removeAttribute("aria-busy");
  }
}

// -- where the rules come from --------------------------------------------------------------------

function sources() {
  const pick = h(
    "select",
    { id: "source-document", data: { name: "source-document" }, onchange: () => fromDocument(pick.value) },
    h("option", { value: "" }, "Choose a document"),
    state.rulebooks.map((rulebook) =>
      h("option", { value: rulebook.id }, `${rulebook.title}, ${rulebook.jurisdiction}`),
    ),
  );
  const paste = h("textarea", { id: "source-paste", spellcheck: "false", placeholder: 'rulebook = "md-uth"' });
  return h(
    "fieldset.card-box",
    { data: { section: "source" } },
    h("legend", {}, "Where the rules come from"),
    h(
      "div.grid",
      {},
      h("div.field", {}, h("label", { for: "source-document" }, "A built-in document with its default choices"), pick),
      h(
        "div.field",
        {},
        h("label", { for: "source-submission" }, "A Rules Submission (.toml)"),
        file("source-submission", (text) => fromSubmission(text)),
      ),
      h(
        "div.field",
        {},
        h("label", { for: "source-rulebook" }, "A rulebook of your own (.toml)"),
        file("source-rulebook", (text) => fromRulebook(text)),
      ),
    ),
    h(
      "details",
      {},
      h("summary", {}, "Paste a submission"),
      h("div.field", {}, h("label", { for: "source-paste" }, "Submission as TOML"), paste),
      h(
        "button.plain",
        { type: "button", data: { name: "use-paste" }, onclick: () => fromSubmission(paste.value) },
        "Use this",
      ),
    ),
  );
}

function file(id, use) {
  const node = h("input", {
    id,
    type: "file",
    accept: ".toml,text/plain",
    onchange: async () => {
      const [chosen] = node.files ?? [];
      if (!chosen) return;
      if (chosen.size > MOST)
        return refuse(
          `${chosen.name} has ${chosen.size.toLocaleString("en-US")} bytes: at most ${MOST.toLocaleString("en-US")} can be sent.`,
        );
      try {
        await use(new TextDecoder("utf-8", { fatal: true }).decode(await chosen.arrayBuffer()));
      } catch (problem) {
        refuse(problem instanceof TypeError ? `${chosen.name} is not UTF-8 text.` : problem.message);
      } finally {
        node.value = "";
      }
    },
  });
  return node;
}

/** A file that leads to no form: its mistakes are all there is to see. */
function refuse(words, findings = [{ severity: "error", clause: null, message: words }]) {
  state.checked = { valid: false, findings, submission: "", toml: "", bounds: [] };
  state.form = null;
  refill(parts.form);
  refill(parts.rest);
  showCheck();
}

async function fromDocument(id) {
  if (!id) return;
  const rulebook = await get(`/rulebooks/${id}`);
  state.rulebookText = "";
  begin(rulebook.choices, await checkSubmission({ toml: rulebook.toml }));
}

async function fromSubmission(toml) {
  const checked = await checkSubmission({ toml, rulebook_text: state.rulebookText || undefined });
  if (!checked.submission) return refuse("", checked.findings);
  const choices = checked.choices ?? (await get(`/rulebooks/${checked.rulebook}`)).choices;
  begin(choices, checked);
}

async function fromRulebook(text) {
  const checked = await checkSubmission({ rulebook_text: text });
  if (!checked.choices) return refuse("", checked.findings);
  state.rulebookText = text;
  begin(checked.choices, checked);
}

function begin(choices, checked) {
  state.choices = choices;
  state.checked = checked;
  const stated = JSON.parse(checked.submission || JSON.stringify({ rulebook: choices.rulebook }));
  state.form = new SubmissionForm(choices, stated, () => changed());
  refill(
    parts.form,
    h("div.card-box", {}, h("h2", {}, choices.title), h("p.fine", {}, `${choices.document}. ${choices.summary}`)),
    tableFields(stated),
    state.form.node,
  );
  parts.approvals = new ApprovalFields(state.form);
  refill(parts.rest, parts.approvals.node, floatFields());
  showCheck();
}

// -- the table itself -----------------------------------------------------------------------------

/** As the submission has it. A guest who tries the job opens rehearsal tables only. */
function nameFor(stated) {
  const stem = (stated.table || "").replaceAll(/\s+/g, "-");
  return state.guest
    ? `rehearsal-${stem || `${state.choices.rulebook}-${Math.floor(Math.random() * 9000) + 1000}`}`
    : stem;
}

function tableFields(stated) {
  const input = (id, label, value, attributes = {}) => {
    const node = h("input", {
      id,
      type: "text",
      autocomplete: "off",
      maxlength: 60,
      value: value || null,
      data: { name: id },
      ...attributes,
    });
    parts[id] = node;
    return h("div.field", {}, h("label", { for: id }, label), node);
  };
  parts.source = h(
    "select",
    { id: "cards", data: { name: "cards" }, onchange: () => showCheck() },
    h("option", { value: "virtual" }, "Virtual cards, shuffled and sealed by the server"),
    h("option", { value: "live" }, "Live cards, entered by a dealer or a shoe"),
  );
  parts.link = h(
    "select",
    { id: "link", data: { name: "link" }, onchange: () => showCheck() },
    h("option", { value: "" }, "New meters of its own"),
    state.links
      .filter((link) => !link.closed)
      .map((link) => h("option", { value: link.link }, `Join ${link.link} (${link.title})`)),
  );
  return h(
    "fieldset.card-box",
    { data: { section: "table" } },
    h("legend", {}, "The table"),
    h(
      "div.grid",
      {},
      input("table-name", "Name, without spaces", nameFor(stated), { required: true, oninput: () => showCheck() }),
      input("operator-name", "Name of the house, for the felt and the sign", stated.operator, {
        oninput: () => {
          state.form.is.operator = parts["operator-name"].value.trim();
          changed();
        },
      }),
      h("div.field", {}, h("label", { for: "cards" }, "Cards"), parts.source),
      state.choices.progressive
        ? h(
            "div.field",
            {},
            h("label", { for: "link" }, "Progressive meters"),
            parts.link,
            h(
              "small.fine",
              {},
              "Tables on one link have the same paytable, stake and decks. ",
              clauseMark(state.choices.link_clause),
            ),
          )
        : null,
    ),
  );
}

function floatFields() {
  parts.chips = chipsInput({}, { id: "float" });
  return h(
    "fieldset.card-box",
    { data: { section: "float" } },
    h("legend", {}, "Opening float"),
    h(
      "p.fine",
      {},
      "Count the chips in the tray. A second person counts them again and signs on their own screen, before the first round.",
    ),
    parts.chips.node,
  );
}

// -- the check ------------------------------------------------------------------------------------

let timer = 0;

function changed() {
  clearTimeout(timer);
  timer = setTimeout(check, 350);
}

async function check() {
  const mine = (state.asked += 1);
  try {
    const result = await checkSubmission({ submission: state.form.is, rulebook_text: state.rulebookText || undefined });
    if (mine !== state.asked) return; // another change came in between
    state.checked = result;
  } catch (problem) {
    if (mine !== state.asked) return;
    state.checked = {
      valid: false,
      findings: [{ severity: "error", clause: problem.clause, message: problem.message }],
      submission: "",
      toml: "",
      bounds: [],
    };
  }
  showCheck();
}

function showCheck() {
  const { checked, form } = state;
  if (!checked) return;
  const errors = checked.findings.filter((finding) => finding.severity === "error");
  const missing = needed().filter((approval) => approval.missing);
  const may = checked.valid && (state.demo || !missing.length);
  form?.mark(checked.findings);
  if (form) parts.approvals.show(needed());
  form?.tell(checked.bounds);
  const url = checked.toml ? URL.createObjectURL(new Blob([checked.toml], { type: "application/toml" })) : "";
  const words = errors.length
    ? `${errors.length} error${errors.length === 1 ? "" : "s"}: the table cannot open`
    : checked.valid
      ? "Complies"
      : "";
  refill(
    parts.check,
    h(
      "section.card-box",
      { data: { valid: String(checked.valid) } },
      h("h2", {}, "The check"),
      h("p.verdict", { role: "status", data: { valid: String(checked.valid) } }, words),
      h(
        "ul.findings",
        {},
        checked.findings.map((finding) =>
          h(
            "li",
            { data: { severity: finding.severity } },
            h("b", {}, finding.severity === "error" ? "Error" : "Note"),
            finding.clause ? [" ", clauseMark(finding.clause)] : null,
            " ",
            finding.message,
          ),
        ),
      ),
    ),
    form
      ? h(
          "section.card-box",
          {},
          h("h2", {}, "Open it"),
          h("p.bad#problem", { id: "open-problem", role: "alert" }),
          h(
            "button.gold",
            { type: "button", id: "open-table", data: { name: "open-table" }, disabled: !may, onclick: open },
            "Open the table",
          ),
          checked.valid ? null : h("p.fine", {}, "Fix the errors first."),
          missing.length
            ? h(
                "p.fine",
                { data: { name: "missing-approvals" } },
                `${state.demo ? "The demo opens it without approvals. Elsewhere it needs the approval of " : "It does not open without the approval of "}${missing.map((approval) => `${approval.words} [${approval.clause}]`).join("; ")}.`,
              )
            : null,
        )
      : null,
    duties(checked.duties ?? []),
    checked.toml
      ? h(
          "section.card-box",
          {},
          h("h2", {}, "The submission"),
          h("details", {}, h("summary", {}, "As a file"), h("pre.code", { tabindex: "0" }, checked.toml)),
          h(
            "div.doors",
            {},
            h("a.plain", { href: url, download: `${parts["table-name"]?.value || checked.rulebook}.toml` }, "Download"),
          ),
        )
      : null,
  );
}

/** What the document asks of the operator under these choices. */
function duties(duties) {
  if (!duties.length) return null;
  return h(
    "section.card-box",
    { data: { name: "duties" } },
    h("h2", {}, "Your duties"),
    h("p.fine", {}, "The operator's duties in the document, with these choices."),
    dutyList(duties),
  );
}

/** The approvals that this choice of cards takes: some are for real cards only. */
function needed() {
  const approvals = (state.checked?.approvals ?? []).filter(
    (approval) => !approval.live || parts.source?.value === "live",
  );
  const link = state.links.find((link) => link.link === parts.link?.value);
  const isOther = link && link.rulebook !== state.choices?.rulebook;
  return isOther
    ? [
        ...approvals,
        { name: "link", words: `the link with ${link.title}`, clause: state.choices.link_clause, missing: false },
      ]
    : approvals;
}

async function open() {
  const name = parts["table-name"].value.trim();
  const problem = $("#open-problem");
  problem.textContent = "";
  if (!name) {
    problem.textContent = "Give the table a name first.";
    parts["table-name"].focus();
    return;
  }
  $("#open-table").disabled = true;
  const float = parts.chips.read();
  try {
    await command(name, "open_table", {
      table: name,
      rulebook: state.checked.rulebook,
      submission: state.checked.submission,
      rulebook_text: state.rulebookText,
      source: parts.source.value,
      inventory: `${parts.chips.sum()}.00`,
      link: parts.link?.value ?? "",
      ...(float ? { float } : {}),
    });
    note(`Table ${name} is open`);
    location.assign(`/house#${encodeURIComponent(name)}`);
  } catch (error) {
    problem.textContent = error.message + (error.clause ? ` (clause ${error.clause})` : "");
    $("#open-table").disabled = false;
  }
}

async function start() {
  const person = await enterHouse();
  if (!person) return;
  state.demo = person.demo;
  state.guest = person.guest;
  parts.form = h("div.stack-gap");
  parts.rest = h("div.stack-gap");
  parts.check = $("#opening-check");
  const [{ rulebooks }, links] = await Promise.all([get("/rulebooks"), get("/links").catch(() => ({ links: [] }))]);
  state.rulebooks = rulebooks;
  state.links = links.links;
  refill($("#opening-form"), sources(), parts.form, parts.rest);
  refill(
    parts.check,
    h("p.fine", {}, "Choose where the rules come from. Your choices are checked clause by clause as you type."),
  );
  const wanted = new URLSearchParams(location.search).get("rulebook");
  if (!state.rulebooks.some((rulebook) => rulebook.id === wanted)) return;
  $("#source-document").value = wanted;
  await fromDocument(wanted);
}

start();
