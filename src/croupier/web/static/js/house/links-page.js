// Every progressive link: what its meters show, and which tables are on it.

import { get } from "../shared/api.js";
import { $, h, refill, say } from "../shared/dom.js";
import { enterHouse } from "./nav.js";
import { inDollars } from "../shared/money.js";

async function refresh() {
  try {
    const { links } = await get("/links");
    refill(
      $("#links"),
      links.length
        ? links.map((link) =>
            h(
              "li.card-box.house-card",
              { data: { link: link.link } },
              h(
                "h2",
                {},
                h("a", { href: `/house/links/${encodeURIComponent(link.link)}`, data: { name: link.link } }, link.link),
                link.closed ? h("small.fine", {}, " closed") : null,
              ),
              h(
                "p.fine",
                {},
                `${link.title}. ${link.tables.length ? `Tables ${link.tables.join(", ")}` : "No table is on it"}.`,
              ),
              h(
                "dl.meters",
                {},
                Object.entries(link.meters).map(([name, meter]) =>
                  h("div.meter", {}, h("dt", {}, name), h("dd", {}, inDollars(meter.shown))),
                ),
              ),
            ),
          )
        : h("li.sorry", {}, "No table with a progressive has been opened yet."),
    );
    say($("#links-state"), "");
  } catch (problem) {
    say($("#links-state"), problem.message);
  }
}

if (await enterHouse()) {
  await refresh();
  setInterval(() => document.hidden || refresh(), 3000);
}
