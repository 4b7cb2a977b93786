// The auditor verifies: progress while a process of its own walks the journal, and what differs.

import { ask, get } from "../shared/api.js";
import { announce } from "../shared/announce.js";
import { openEntry, streamTitle, time } from "./journal.js";
import { h, refill } from "../shared/dom.js";

const ALL_HOLDS =
  "Every chain holds, every round plays again to the same end, every settlement, transfer and balance agrees.";

const count = (number) => number.toLocaleString();

export async function verifyRoom() {
  const room = new VerifyRoom();
  room.show(await get("/audit/verify"));
  return { node: room.node, leave: () => room.leave() };
}

class VerifyRoom {
  #timer = 0;
  #said = "";

  constructor() {
    this.result = h("div.card-box.verify-result", { role: "region", "aria-label": "Result" });
    this.problem = h("p.bad", { role: "alert" });
    this.since = h("input", { type: "file", accept: ".json,.jsonl,application/json", name: "since" });
    this.node = h(
      "div.audit-room",
      {},
      h(
        "p.fine",
        {},
        "Checks every hash chain, runs every command through the rules again, and recomputes every balance, as croupier verify does. Play goes on meanwhile.",
      ),
      h(
        "div.card-box.verify-since",
        {},
        h("label", {}, "A checkpoint that you kept: the journal must go on from it ", this.since),
        h(
          "button.plain.small",
          { type: "button", data: { name: "keep" }, onclick: () => this.#keep() },
          "Download the last checkpoint",
        ),
      ),
      this.problem,
      this.result,
    );
  }

  leave() {
    clearTimeout(this.#timer);
  }

  show(run) {
    clearTimeout(this.#timer);
    const running = run.state === "running";
    this.result.classList.toggle("whole", run.state === "anchored");
    this.result.classList.toggle("broken", run.state === "differs" || run.state === "failed");
    refill(
      this.result,
      this.#words(run),
      running
        ? h("progress", { max: 100, value: run.total ? run.percent : null, "aria-label": "Entries walked" })
        : null,
      run.state === "none"
        ? null
        : h(
            "p.numbers",
            {},
            `${count(run.entries)} of ${count(run.total)} entries (${run.percent}%), ${count(run.entries_per_second)} a second, ${count(run.rounds)} ${run.rounds === 1 ? "round" : "rounds"} in ${count(run.streams)} records`,
          ),
      run.differences
        ? h("p.bad", {}, `${count(run.differences)} ${run.differences === 1 ? "difference" : "differences"} found`)
        : null,
      h(
        "div.doors.tight",
        {},
        running
          ? h("button.plain", { type: "button", data: { name: "verify" }, onclick: () => this.#tell("DELETE") }, "Stop")
          : h(
              "button.gold",
              { type: "button", data: { name: "verify" }, onclick: () => this.#tell("POST") },
              run.state === "none" ? "Verify the journal" : "Verify again",
            ),
      ),
    );
    if (running) this.#timer = setTimeout(() => this.#look(), 500);
    else if (run.differences) this.#list();
    if (!running && this.#said === "running") announce(this.result.firstElementChild?.textContent ?? "");
    this.#said = run.state;
  }

  #words(run) {
    const by = run.started_at ? [` Started by ${run.started_by}, `, time(run.started_at), "."] : [];
    switch (run.state) {
      case "none":
        return h("h2", {}, "This journal has not been verified from here yet.");
      case "running":
        return h("h2", {}, "Verifying…");
      case "anchored":
        return h(
          "div",
          {},
          h("h3.good", { id: "whole" }, "Whole and anchored."),
          h("p", {}, ALL_HOLDS, by),
          h("p.fine.signed", {}, run.message),
        );
      case "unanchored":
        return h(
          "div",
          {},
          h("h3", { id: "whole" }, "Whole, not anchored."),
          h("p", {}, ALL_HOLDS, by),
          h("p.signed", {}, run.message),
        );
      case "differs":
        return h("div", {}, h("h3.bad", {}, "The journal differs from what happened."), h("p", {}, by));
      case "stopped":
        return h("div", {}, h("h2", {}, "The verification was stopped."), h("p", {}, by));
      default:
        return h("div", {}, h("h3.bad", {}, "The verification could not be finished."), h("p", {}, run.message, by));
    }
  }

  async #tell(method) {
    this.problem.textContent = "";
    try {
      const file = method === "POST" ? this.since.files?.[0] : undefined;
      this.show((await ask(method, "/audit/verify", file ? { since: await file.text() } : undefined)).body);
    } catch (problem) {
      this.problem.textContent = problem.message;
      this.#look();
    }
  }

  async #keep() {
    this.problem.textContent = "";
    try {
      const { checkpoint } = await get("/audit/checkpoint");
      if (!checkpoint) throw new Error("Nothing is signed yet: the first round has not ended.");
      const text = new Blob([`${JSON.stringify(checkpoint)}\n`], { type: "application/json" });
      const link = h("a", { href: URL.createObjectURL(text), download: `checkpoint-${checkpoint.size}.json` });
      link.click();
      URL.revokeObjectURL(link.href);
    } catch (problem) {
      this.problem.textContent = problem.message;
    }
  }

  async #look() {
    try {
      this.show(await get("/audit/verify"));
    } catch {
      this.#timer = setTimeout(() => this.#look(), 2000);
    }
  }

  async #list() {
    const list = h("ol.differences");
    const more = h("button.plain.small", { type: "button", hidden: true }, "More");
    this.result.append(list, more);
    const page = async (after) => {
      const answer = await get(`/audit/verify/differences?after=${after}`);
      list.append(
        ...answer.differences.map((difference) =>
          h(
            "li",
            {},
            difference.version
              ? h(
                  "button.link-plain",
                  { type: "button", onclick: () => openEntry(difference.stream, difference.version) },
                  `${streamTitle(difference.stream)}, entry ${difference.version}`,
                )
              : streamTitle(difference.stream),
            `: ${difference.message}`,
          ),
        ),
      );
      more.hidden = !answer.after;
      more.onclick = () => page(answer.after);
    };
    await page(0);
  }
}
