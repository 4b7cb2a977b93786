// The operator's pages share a bar, and are for operators only.

import { me } from "../shared/api.js";
import { dress } from "../shared/chrome.js";
import { $, h, refill } from "../shared/dom.js";

const PAGES = [
  ["/house", "Tables"],
  ["/house/open", "Open a table"],
  ["/house/people", "People"],
  ["/house/links", "Progressives"],
  ["/cashier", "Cashier"],
];

/** Resolves to the person, or to null if the page is not for them. */
export async function enterHouse(roles = ["operator"]) {
  await dress();
  const person = await me().catch(() => null);
  const may = roles.includes(person?.role);
  $("#house").hidden = !may;
  $("#not-operator").hidden = may;
  refill(
    $("#house-nav"),
    PAGES.map(([href, words]) =>
      h("a.plain.small", { href, "aria-current": location.pathname === href ? "page" : null }, words),
    ),
  );
  return may ? person : null;
}
