// The operator's pages share a bar, and are for operators only.

import { me } from "../shared/api.js";
import { dress } from "../shared/chrome.js";
import { $, h, refill } from "../shared/dom.js";
import { houseBar, mayLook } from "../shared/site.js";

/** Resolves to the person, or to null if the page is not for them. */
export async function enterHouse() {
  await dress();
  const person = await me().catch(() => null);
  const may = mayLook(person?.role);
  $("#house").hidden = !may;
  $("#not-operator").hidden = may;
  refill(
    $("#house-nav"),
    houseBar().map(([href, words]) =>
      h("a.plain.small", { href, "aria-current": location.pathname === href ? "page" : null }, words),
    ),
  );
  return may ? person : null;
}
