// The reading shoes of a table: a token is made for each, shown once, and revoked.

import { ask, get, tell } from "../shared/api.js";
import { h, refill } from "../shared/dom.js";
import { openBox } from "../shared/sheets.js";
import { dateTime } from "../shared/waiting.js";

export function openShoes(table) {
  const path = `/tables/${encodeURIComponent(table.id)}/shoes`;
  const list = h("ul.shoes", { "aria-label": "Shoes with tokens" });
  const token = h("div", { data: { name: "shoe-token" }, "aria-live": "polite" });
  const problem = h("p.bad", { role: "alert" });
  const name = h("input", { id: "shoe-name", type: "text", autocomplete: "off", required: true, maxlength: 40 });

  /** Does it, and says here why not. */
  const doing = async (action) => {
    problem.textContent = "";
    try {
      await action();
      await refresh();
    } catch (error) {
      problem.textContent = error.message;
    }
  };
  const row = (shoe) =>
    h(
      "li",
      { data: { shoe: shoe.name } },
      h("span", {}, h("b", {}, shoe.name), ` made by ${shoe.made_by}, ${dateTime(shoe.made_at)} `),
      h(
        "button.plain.small",
        {
          type: "button",
          "aria-label": `Revoke ${shoe.name}`,
          onclick: () =>
            doing(async () => {
              await ask("DELETE", `${path}/${encodeURIComponent(shoe.name)}`);
              refill(token, []);
            }),
        },
        "Revoke",
      ),
    );
  const refresh = async () => {
    const { shoes } = await get(path);
    refill(list, shoes.length ? shoes.map(row) : h("li.fine", {}, "No shoe has a token yet."));
  };
  const make = () =>
    doing(async () => {
      const made = await tell(path, { name: name.value.trim() });
      refill(
        token,
        h("p", {}, `The token of ${made.name}. It is shown only once: enter it in the shoe.`),
        h("pre.code", { tabindex: "0" }, made.token),
      );
      name.value = "";
    });

  openBox(
    `Reading shoes of ${table.id}`,
    h(
      "p.fine",
      {},
      "A shoe sends the cards it reads to this table under its own token, which opens nothing else. A new token for the same name ends the old one.",
    ),
    list,
    token,
    h(
      "form.command",
      {
        onsubmit: (event) => {
          event.preventDefault();
          make();
        },
      },
      h("div.field", {}, h("label", { for: "shoe-name" }, "Name of the shoe"), name),
      problem,
      h("div.doors", {}, h("button.gold", { type: "submit" }, "Make a token")),
    ),
  );
  doing(async () => {});
}
