// Past rounds with every card, folded hands too.

import { allTables, commands, get, me } from "../shared/api.js";
import { plain } from "../shared/announce.js";
import { time } from "./journal.js";
import { openCommand } from "../shared/command-form.js";
import { h, refill } from "../shared/dom.js";
import { Replay, laidOut } from "../felt/replay.js";

export async function roundsRoom([wanted, number]) {
  const tables = await allTables();
  const table = wanted || tables[0]?.id;
  if (!table) return { node: h("p.fine", {}, "There is no table yet.") };
  const list = h("ol", { id: "past" });
  const stage = h("div.past-replay", {}, h("p.fine", {}, "Choose a round."));
  /** @type {any} */
  const held = { replay: null };
  const choose = h(
    "select",
    { id: "of-table", onchange: () => location.assign(`#rounds/${encodeURIComponent(choose.value)}`) },
    tables.map((entry) =>
      h("option", { value: entry.id, selected: entry.id === table }, `${entry.id} · ${entry.title}`),
    ),
  );
  const more = h("button.plain", { type: "button", hidden: true }, "Earlier rounds");
  const page = async (before) => {
    const answer = await get(
      `/tables/${encodeURIComponent(table)}/rounds?limit=20${before ? `&before=${before}` : ""}`,
    );
    list.append(...answer.rounds.map((round) => item(table, round)));
    if (!list.children.length) list.append(h("li.fine", {}, "No round is over yet."));
    more.hidden = !answer.before;
    more.onclick = () => page(answer.before);
  };
  await page();
  const node = h(
    "div.past.audit-past",
    {},
    h(
      "nav.past-list",
      { "aria-label": "Rounds" },
      h("div.field", {}, h("label", { for: "of-table" }, "Table"), choose),
      list,
      more,
    ),
    stage,
  );
  return { node, ready: () => number && show(table, Number(number), stage, held), leave: () => held.replay?.stop() };
}

function item(table, round) {
  return h(
    "li",
    {},
    h(
      "a",
      { href: `#rounds/${encodeURIComponent(table)}/${round.number}` },
      h("b", {}, `Round ${round.number}`),
      h("span", {}, round.void ? "void" : round.players.join(", ")),
      time(round.ended),
    ),
  );
}

/** A round that software settled takes an auditor's word before the floor can correct it. */
async function reopening(table, number) {
  if ((await me()).role !== "auditor") return null;
  const all = await commands();
  return h(
    "div.doors",
    {},
    h(
      "button.plain",
      {
        type: "button",
        data: { name: "reopen_round" },
        onclick: () => openCommand(all.reopen_round, { table, given: { round: number }, asks: ["reason"] }),
      },
      "Allow corrections…",
    ),
  );
}

async function show(table, number, stage, held) {
  const base = `/tables/${encodeURIComponent(table)}`;
  try {
    const [rules, story] = await Promise.all([get(`${base}/rules`), get(`${base}/rounds/${number}`)]);
    const replay = (held.replay = new Replay(rules, story));
    const words = h(
      "ol.told-list",
      {},
      story.told.map((moment, n) =>
        h(
          "li",
          { data: { at: n } },
          h(
            "button.link-plain",
            { type: "button", onclick: () => replay.step(n - replay.at) },
            moment.words.map(plain).join(" "),
          ),
          h("small", {}, ` ${moment.by}`),
        ),
      ),
    );
    refill(
      stage,
      h("h2", {}, `Table ${table}, round ${number}`),
      replay.node,
      laidOut(story.hands),
      story.corrections?.length
        ? h(
            "section.card-box",
            {},
            h("h3", {}, "Corrected afterwards"),
            h(
              "ul",
              {},
              story.corrections.map((correction) => h("li", {}, correction.words.join(" "))),
            ),
          )
        : null,
      await reopening(table, number),
      h("details", { open: true }, h("summary", {}, "Step by step, with every card"), words),
      h("p", {}, h("a", { href: `/audit#journal` }, "To the journal")),
    );
    replay.go(
      Math.max(
        0,
        story.views.findLastIndex((view) => view.round.phase !== "over"),
      ),
    );
  } catch (problem) {
    refill(stage, h("p.bad", {}, problem.message));
  }
}
