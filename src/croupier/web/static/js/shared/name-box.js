// Choosing the name that others at the table see.

import { note } from "./announce.js";
import { ask } from "./api.js";
import { h } from "./dom.js";
import { learnNames, nameOf } from "./names.js";
import { openBox } from "./sheets.js";

const MOST = 20;

/** `person` is the guest. */
export function openName(person) {
  const shown = nameOf(person.name);
  const input = h("input", {
    id: "my-name",
    name: "name",
    maxlength: MOST,
    required: true,
    autocomplete: "nickname",
    value: shown.startsWith("Guest ") ? null : shown,
  });
  const problem = h("p.bad", { role: "alert" });
  const box = openBox(
    "Your name",
    h(
      "form.command",
      {
        onsubmit: async (event) => {
          event.preventDefault();
          problem.textContent = "";
          try {
            const { name } = (await ask("POST", "/me/name", { name: input.value })).body;
            await learnNames([person.name], `chose ${name}`);
            box.close();
            note(`Others now see you as ${name}`);
          } catch (refused) {
            problem.textContent = `${refused.message[0].toUpperCase()}${refused.message.slice(1)}.`;
          }
        },
      },
      h("div.field", {}, h("label", { for: "my-name" }, "What others at the table should call you"), input),
      problem,
      h("button.gold", { type: "submit" }, "Save"),
    ),
  );
  input.focus();
  return box;
}
