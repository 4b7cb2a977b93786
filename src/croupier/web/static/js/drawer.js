// The rules in force, in a drawer: what each bet is, its paytable, meters, and every inscription.

import { h } from "./dom.js";
import { clauseButton, GLOSSARY } from "./hints.js";
import { told } from "./money.js";
import { openSheet } from "./sheets.js";

export function openRules(rules) {
  return openSheet(rules.title,
    h("p", {}, rules.summary),
    h("p.fine", {}, `${rules.document}. Dealt by ${rules.dealing.words}${rules.deck.words ? `, the ${rules.deck.words}` : ""}.`, " ", clauseButton(rules.dealing.clause, rules)),
    h("section", {}, h("h3", {}, "On the felt"), h("ul.inscribed", {}, rules.inscriptions.map((one) => h("li", {}, `${one.words} `, clauseButton(one.clause, rules))))),
    rules.wagers.filter((wager) => wager.offered).map((wager) => h("section.wager", {},
      h("h3", {}, wager.title, " ", clauseButton(wager.clause, rules)),
      h("p", {}, wager.words, " ", limits(wager)),
      wager.paytable ? payTable(wager.paytable, rules, `${wager.title} pays`) : null)),
    rules.bonuses.map((bonus) => h("section.wager", {}, h("h3", {}, bonus.title, " ", clauseButton(bonus.clause, rules)), h("p", {}, bonus.words), payTable(bonus.paytable, rules, `${bonus.title} pays`))),
    rules.envy.length ? h("section", {}, h("h3", {}, "Envy Bonus"), h("p", {}, GLOSSARY["Envy Bonus"]),
      rules.envy.map((table) => payTable(table, rules, envyTitle(table.family)))) : null,
    Object.keys(rules.meters).length ? h("section", {}, h("h3", {}, "Meters"), h("p", {}, `After a win a meter begins again: ${Object.entries(rules.meters).map(([name, sum]) => `${name} at ${told(sum)}`).join(", ")}.`)) : null,
    rules.duties.length ? h("section", { data: { part: "all" } }, h("h3", {}, "Your part"), part(rules, rules.duties)) : null,
    h("section", {}, h("h3", {}, "Words"), h("dl.words", {}, Object.entries(GLOSSARY).map(([word, words]) => [h("dt", {}, word), h("dd", {}, words)]))));
}

/** What a player has to do and may do, with the clauses. */
export const part = (rules, duties) => h("ul.inscribed", {}, duties.map((duty) => h("li", {}, `${duty.words} `, clauseButton(duty.clause, rules))));

const envyTitle = (family) => (/_\d+$/.test(family) ? `With a $${family.split("_").at(-1)} Progressive` : "Pays");

function limits(wager) {
  if (wager.stakes.length) return `Exactly ${wager.stakes.map(told).join(" or ")}.`;
  if (wager.least && wager.most) return `From ${told(wager.least)} to ${told(wager.most)}.`;
  return "";
}

export function payTable(table, rules, caption) {
  return h("table.pay", {}, h("caption", {}, caption, table.id === "only" ? "" : ` (table ${table.id})`),
    h("tbody", {}, table.lines.map((line) => h("tr", {},
      h("th", { scope: "row" }, line.words.replace(/^an? /, "")), h("td", {}, line.pays), h("td", {}, clauseButton(line.clause, rules))))));
}
