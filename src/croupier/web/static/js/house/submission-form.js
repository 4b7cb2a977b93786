// A form for everything that a rulebook leaves to the operator. It keeps a submission up to date and says when it changed.

import { $, $$, h, refill } from "../shared/dom.js";
import { inDollars } from "../shared/money.js";

let count = 0;
const fresh = (name) => `sub-${name.replaceAll(/\W/g, "-")}-${(count += 1)}`;
export const clauseMark = (clause) => (clause ? h("span.clause-id", {}, clause) : null);

/** `choices` say what may be stated, `submission` what is stated now; both belong to the form from here on. */
export class SubmissionForm {
  constructor(choices, submission, onChange) {
    this.choices = choices;
    this.is = tidy(submission);
    this.onChange = onChange;
    this.node = h("div.submission");
    this.bounds = h("p.fine", { id: fresh("bounds") });
    this.draw();
  }

  changed(redraw = false) {
    if (redraw) this.draw();
    this.onChange(this.is);
  }

  get inPlay() {
    const offered =
      this.is.offered ?? this.choices.wagers.filter((wager) => wager.role === "optional").map((wager) => wager.name);
    return new Set(
      this.choices.wagers
        .filter((wager) => wager.role !== "optional" || offered.includes(wager.name))
        .map((wager) => wager.name),
    );
  }

  draw() {
    refill(
      this.node,
      this.cards(),
      this.wagers(),
      this.paytables(),
      this.progressive(),
      this.options(),
      this.clocks(),
      this.readings(),
    );
  }

  /** What the document allows as a payout limit now. */
  tell(bounds) {
    const SET = {
      document: "The document fixes",
      at_least: "The document requires at least",
      at_most: "The document allows at most",
    };
    refill(
      this.bounds,
      bounds.map((bound) => [
        `${SET[bound.set_by]} ${inDollars(bound.amount)} for one hand (${bound.covers.join(", ")}). `,
        clauseMark(bound.bound_clause),
        " ",
      ]),
    );
  }

  /** Marks the fields that findings speak of. */
  mark(findings) {
    for (const field of $$("[data-path]", this.node)) {
      const { path } = field.dataset;
      const finding = findings.find(
        (finding) =>
          finding.message.includes(path) &&
          !/[\w.]/.test(finding.message.charAt(finding.message.indexOf(path) + path.length).replace(".", "")),
      );
      field.setAttribute("aria-invalid", String(finding?.severity === "error"));
    }
  }

  // -- sections -------------------------------------------------------------------------------------

  section(title, name, ...children) {
    return h("fieldset.card-box", { data: { section: name } }, h("legend", {}, title), children);
  }

  cards() {
    const own = this.choices.options.filter((option) =>
      ["dealing", "deal_order", "decks", "shuffler", "shuffler_counts", "self_shuffling"].includes(option.name),
    );
    return own.length
      ? this.section(
          "Cards and machines",
          "cards",
          h(
            "div.grid",
            {},
            own.map((option) => this.option(option)),
          ),
        )
      : null;
  }

  options() {
    const rest = this.choices.options.filter(
      (option) =>
        !["dealing", "deal_order", "decks", "shuffler", "shuffler_counts", "self_shuffling"].includes(option.name),
    );
    return rest.length
      ? this.section(
          "Options",
          "options",
          h(
            "div.grid",
            {},
            rest.map((option) => this.option(option)),
          ),
          this.bounds,
        )
      : null;
  }

  wagers() {
    const { inPlay } = this;
    return this.section(
      "Wagers and limits",
      "wagers",
      h("p.fine", {}, "What is offered, and the smallest and largest stake in dollars."),
      h(
        "ul.wager-rows",
        {},
        this.choices.wagers
          .filter((wager) => wager.role !== "decided")
          .map((wager) =>
            h(
              "li",
              { data: { wager: wager.name, on: String(inPlay.has(wager.name)) } },
              wager.role === "optional"
                ? this.offer(wager)
                : h("span.wager-name", {}, wager.title, " ", clauseMark(wager.clause)),
              wager.limited && inPlay.has(wager.name)
                ? h("span.limits", {}, this.limit(wager, "minimum"), this.limit(wager, "maximum"))
                : null,
              wager.stakes.length && inPlay.has(wager.name) && wager.name !== this.choices.progressive
                ? h("span.fine", {}, `Exactly ${wager.stakes.map(inDollars).join(" or ")}`)
                : null,
            ),
          ),
      ),
    );
  }

  offer(wager) {
    const box = h("input", {
      type: "checkbox",
      data: { name: `offer-${wager.name}` },
      onchange: () => {
        const now = new Set(this.is.offered ?? this.inPlay);
        box.checked ? now.add(wager.name) : now.delete(wager.name);
        this.is.offered = this.choices.wagers
          .filter((wager) => wager.role === "optional" && now.has(wager.name))
          .map((wager) => wager.name);
        this.complete(wager, box.checked);
        this.changed(true);
      },
    });
    box.checked = this.inPlay.has(wager.name);
    return h("label.check", {}, box, h("span.wager-name", {}, wager.title, " ", clauseMark(wager.clause)));
  }

  /** A wager that is offered needs its choices; one that is not keeps none. */
  complete(wager, on) {
    const family = this.choices.paytables.find((paytable) => paytable.wager === wager.name);
    if (!on) {
      delete this.is.limits[wager.name];
      if (family) delete this.is.paytables[family.family];
      if (wager.name === this.choices.progressive) this.is.progressive = { stakes: [], meters: {}, linked: [] };
      return;
    }
    if (family && family.tables.length > 1) this.is.paytables[family.family] ??= family.tables[0].id;
    if (wager.limited) this.is.limits[wager.name] ??= { minimum: "5", maximum: "100" };
    if (wager.name === this.choices.progressive) this.startMeters(wager.stakes);
  }

  startMeters(stakes) {
    const { progressive } = this.is;
    if (!progressive.stakes.length) progressive.stakes = [stakes.at(-1)?.replace(/\.00$/, "") ?? "5"];
    const known = progressive.meters;
    progressive.meters = Object.fromEntries(
      this.meters().map((meter) => [
        meter.name,
        known[meter.name] ?? { seed: meter.least, reset: meter.least, rate: "0.05" },
      ]),
    );
  }

  limit(wager, which) {
    const path = `limits.${wager.name}`;
    const id = fresh(`${path}-${which}`);
    const node = h("input", {
      id,
      type: "text",
      inputmode: "decimal",
      autocomplete: "off",
      value: this.is.limits[wager.name]?.[which] ?? null,
      data: { path, name: `${wager.name}-${which}` },
      oninput: () => {
        const now = (this.is.limits[wager.name] ??= {});
        set(now, which, amount(node.value));
        if (!Object.keys(now).length) delete this.is.limits[wager.name];
        this.changed();
      },
    });
    return h(
      "label",
      { for: id },
      h("small", {}, which === "minimum" ? "Minimum" : "Maximum", h("span.unseen", {}, ` of ${wager.title}`)),
      node,
    );
  }

  paytables() {
    const { inPlay } = this;
    const wanted = this.choices.paytables.filter((paytable) => !paytable.wager || inPlay.has(paytable.wager));
    if (!wanted.length) return null;
    return this.section(
      "Paytables",
      "paytables",
      h(
        "div.paytable-choices",
        {},
        wanted.map((name) => this.paytable(name)),
      ),
    );
  }

  paytable(family) {
    const chosen = family.tables.find((table) => table.id === this.is.paytables[family.family]) ?? family.tables[0];
    const path = `paytables.${family.family}`;
    const id = fresh(path);
    /** @type {any} */
    const select =
      family.tables.length === 1
        ? h("span.fine", {}, "One table, printed in the document")
        : h(
            "select",
            {
              id,
              data: { path, name: path },
              onchange: () => {
                this.is.paytables[family.family] = select.value;
                if (family.wager === this.choices.progressive) {
                  this.is.progressive.meters = {};
                  this.startMeters([]);
                }
                this.changed(true);
              },
            },
            family.tables.map((table) =>
              h("option", { value: table.id, selected: table === chosen }, `Table ${table.id}`),
            ),
          );
    return h(
      "div.paytable-choice",
      {},
      h("label", { for: family.tables.length === 1 ? null : id }, family.title, " ", clauseMark(family.clause)),
      select,
      h(
        "details",
        {},
        h("summary", {}, `${chosen.lines.length} line${chosen.lines.length === 1 ? "" : "s"}`),
        h(
          "table.pay",
          {},
          h(
            "tbody",
            {},
            chosen.lines.map((line) =>
              h(
                "tr",
                {},
                h("th", { scope: "row" }, line.words),
                h("td", {}, line.pays),
                h("td", {}, clauseMark(line.clause)),
              ),
            ),
          ),
        ),
      ),
    );
  }

  meters() {
    const family = this.choices.paytables.find((paytable) => paytable.wager === this.choices.progressive);
    const table = family?.tables.find((table) => table.id === this.is.paytables[family.family]) ?? family?.tables[0];
    return table?.meters ?? [];
  }

  progressive() {
    const name = this.choices.progressive;
    if (!name || !this.inPlay.has(name)) return null;
    const wager = this.choices.wagers.find((wager) => wager.name === name);
    const { progressive } = this.is;
    return this.section(
      "Progressive",
      "progressive",
      h(
        "div.grid",
        {},
        this.entry(
          "Stake in dollars",
          "progressive.stakes",
          progressive.stakes.join(", "),
          (value) => {
            progressive.stakes = value
              .split(",")
              .map((text) => amount(text))
              .filter((value) => value !== undefined);
          },
          [
            wager.stakes.length ? `${wager.stakes.map(inDollars).join(" or ")} ` : "The document names no amount. ",
            clauseMark(wager.stakes_clause),
          ],
        ),
      ),
      this.meters().map((meter) =>
        h(
          "div.meter-row",
          {},
          h("h3", {}, `Meter ${meter.name}`),
          ["seed", "reset", "rate"].map((part) =>
            this.entry(
              { seed: "Seed in dollars", reset: "Reset amount in dollars", rate: "Contribution rate" }[part],
              `progressive.meters.${meter.name}.${part}`,
              progressive.meters[meter.name]?.[part],
              (value) =>
                set(
                  (progressive.meters[meter.name] ??= {}),
                  part,
                  part === "rate" ? value.trim() || undefined : amount(value),
                ),
              part === "rate"
                ? ["0.05 is 5% of each bet ", clauseMark(meter.rate_clause || meter.clause)]
                : [`At least ${inDollars(meter.least)} `, clauseMark(meter.clause)],
            ),
          ),
        ),
      ),
    );
  }

  entry(label, path, value, write, hint) {
    const id = fresh(path);
    const node = h("input", {
      id,
      type: "text",
      inputmode: "decimal",
      autocomplete: "off",
      value: value ?? null,
      data: { path, name: path },
      "aria-describedby": `${id}-hint`,
      oninput: () => {
        write(node.value);
        this.changed();
      },
    });
    return h("div.field", {}, h("label", { for: id }, label), node, h("small.fine", { id: `${id}-hint` }, hint));
  }

  option(option) {
    const { is } = this;
    const needed = !option.needs_wager || this.inPlay.has(option.needs_wager);
    if (!needed) return null;
    const path = `options.${option.name}`;
    const id = fresh(path);
    const hint = h(
      "small.fine",
      { id: `${id}-hint` },
      option.fixed !== null ? "The document decides this. " : option.must_state ? "Must be stated. " : "",
      clauseMark(option.clause),
    );
    const title = sentence(option.words);
    const attributes = {
      id,
      data: { path, name: path },
      "aria-describedby": `${id}-hint`,
      disabled: option.fixed !== null,
    };
    const write = (value, redraw) => {
      set(is.options, option.name, value);
      this.changed(redraw);
    };
    if (option.type === "yes_no") {
      const node = h(
        "select",
        { ...attributes, onchange: () => write(node.value === "" ? undefined : node.value === "yes") },
        option.must_state || option.fixed !== null ? null : h("option", { value: "" }, "Not stated"),
        [
          ["yes", "Yes"],
          ["no", "No"],
        ].map(([value, words]) =>
          h("option", { value, selected: (option.fixed ?? is.options[option.name]) === (value === "yes") }, words),
        ),
      );
      return h("div.field", {}, h("label", { for: id }, title), node, hint);
    }
    if (option.type === "choice") {
      const dealing = is.options.dealing;
      const open = Object.entries(option.choices).filter(
        ([value]) => !(value in option.belongs_to) || option.belongs_to[value] === dealing,
      );
      if (!open.length) return null;
      const node = h(
        "select",
        {
          ...attributes,
          onchange: () => {
            if (option.name === "dealing") delete is.options.deal_order;
            write(node.value || undefined, option.name === "dealing");
          },
        },
        h("option", { value: "" }, "Not stated"),
        open.map(([value, words]) =>
          h("option", { value, selected: is.options[option.name] === value }, sentence(words)),
        ),
      );
      return h("div.field", {}, h("label", { for: id }, title), node, hint);
    }
    const number = option.type === "count";
    const node = h("input", {
      ...attributes,
      type: number ? "number" : "text",
      inputmode: number ? "numeric" : "decimal",
      min: number ? option.least : null,
      max: number ? option.most : null,
      autocomplete: "off",
      value: is.options[option.name] ?? null,
      oninput: () => {
        write(number ? (node.value === "" ? undefined : Number(node.value)) : amount(node.value));
      },
    });
    if (option.name === "payout_limit") node.setAttribute("aria-describedby", `${id}-hint ${this.bounds.id}`);
    return h("div.field", {}, h("label", { for: id }, title, number ? "" : ", in dollars"), node, hint);
  }

  /** No document has a clock: left empty, nobody is hurried. */
  clocks() {
    const { clock } = this.is;
    const words = {
      betting: "Seconds to bet, after the first bet",
      decision: "Seconds to decide",
      extension: "Extra seconds on request",
    };
    return h(
      "details.card-box",
      { data: { section: "clocks" } },
      h("summary", {}, "Clocks: leave empty for no time limits"),
      h(
        "p.fine",
        {},
        "A clock runs only while others wait, and the sign says so. A player who does not answer in time checks or folds.",
      ),
      h(
        "div.grid",
        {},
        Object.entries(words).map(([name, label]) =>
          this.entry(label, `clock.${name}`, clock[name], (value) => set(clock, name, amount(value)), "10 to 600"),
        ),
      ),
    );
  }

  readings() {
    if (!this.choices.readings.length) return null;
    const stated = Object.keys(this.is.readings).length;
    return h(
      "details.card-box",
      { data: { section: "readings" } },
      h(
        "summary",
        {},
        `Readings: ${this.choices.readings.length} places where the document can be read in more than one way${stated ? `, ${stated} chosen` : ""}`,
      ),
      h("p.fine", {}, "If you choose nothing, the first choice applies."),
      this.choices.readings.map((reading) => this.reading(reading)),
    );
  }

  reading(reading) {
    const group = fresh(reading.name);
    const now = this.is.readings[reading.name] ?? Object.keys(reading.choices)[0];
    return h(
      "fieldset.reading",
      {},
      h(
        "legend",
        {},
        reading.question,
        " ",
        reading.clauses.map((clause) => [clauseMark(clause), " "]),
      ),
      Object.entries(reading.choices).map(([value, meaning], n) => {
        const node = h("input", {
          type: "radio",
          name: group,
          value,
          onchange: () => {
            if (n) this.is.readings[reading.name] = value;
            else delete this.is.readings[reading.name];
            this.changed();
          },
        });
        node.checked = value === now;
        return h("label.check", {}, node, h("span", {}, meaning));
      }),
      h("p.fine", {}, reading.reason),
    );
  }
}

/** The regulator's approvals that these choices take, each with number, day and authority. */
export class ApprovalFields {
  constructor(form) {
    this.form = form;
    this.node = h("fieldset.card-box", { data: { section: "approvals" }, hidden: true });
    this.shown = "";
  }

  /** `needed` as the check has them; drawn again only where other ones are needed, so that nobody is disturbed while typing. */
  show(needed) {
    const now = needed.map((approval) => approval.name).join(" ");
    this.node.hidden = !needed.length;
    if (now !== this.shown) {
      this.shown = now;
      refill(
        this.node,
        h("legend", {}, "Approvals"),
        h("p.fine", {}, "What the regulator has approved for this table: the number, the day and the authority."),
        needed.map((approval) => this.row(approval)),
      );
    }
    for (const approval of needed) {
      const row = $(`[data-approval="${CSS.escape(approval.name)}"]`, this.node);
      row.dataset.missing = String(approval.missing);
    }
  }

  row(approval) {
    const approvals = (this.form.is.approvals ??= {});
    const parts = [
      ["number", "Number", "text"],
      ["date", "Day", "date"],
      ["authority", "Authority", "text"],
    ];
    return h(
      "div.approval",
      { role: "group", "aria-label": approval.words, data: { approval: approval.name } },
      h("h3", {}, sentence(approval.words), " ", clauseMark(approval.clause)),
      h(
        "div.meter-row",
        {},
        parts.map(([part, label, type]) => {
          const path = `approvals.${approval.name}.${part}`;
          const id = fresh(path);
          const node = h("input", {
            id,
            type,
            maxlength: 100,
            autocomplete: "off",
            value: approvals[approval.name]?.[part] ?? null,
            data: { path, name: path },
            oninput: () => {
              const now = (approvals[approval.name] ??= {});
              set(now, part, node.value.trim() || undefined);
              if (!Object.keys(now).length) delete approvals[approval.name];
              this.form.changed();
            },
          });
          return h("div.field", {}, h("label", { for: id }, label), node);
        }),
      ),
    );
  }
}

/** Every part is there, and amounts are text as people type them. */
function tidy(submission) {
  const plain = JSON.parse(JSON.stringify(submission));
  const { paytables = {}, readings = {}, options = {}, limits = {}, progressive = {}, clock = {} } = plain;
  for (const approval of Object.values(plain.approvals ?? {}))
    for (const key of Object.keys(approval)) if (approval[key] === null) delete approval[key];
  for (const key of Object.keys(clock)) if (clock[key] === null) delete clock[key];
  for (const limit of Object.values(limits))
    for (const key of Object.keys(limit)) if (limit[key] === null) delete limit[key];
  for (const meter of Object.values(progressive.meters ?? {}))
    for (const key of Object.keys(meter)) if (meter[key] === null) delete meter[key];
  return {
    ...plain,
    paytables,
    readings,
    options,
    limits,
    clock,
    progressive: {
      stakes: progressive.stakes ?? [],
      meters: progressive.meters ?? {},
      linked: progressive.linked ?? [],
    },
  };
}

function set(where, key, value) {
  if (value === undefined) delete where[key];
  else where[key] = value;
}

/** As typed, without $ and commas; whole dollars as numbers, so that the file reads well. */
function amount(text) {
  const plain = String(text).trim().replace(/^\$/, "").replaceAll(",", "");
  if (!plain) return undefined;
  return /^\d{1,9}$/.test(plain) ? Number(plain) : plain;
}

const sentence = (words) => words.charAt(0).toUpperCase() + words.slice(1);
