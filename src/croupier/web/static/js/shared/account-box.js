// One's own account: another password, and signing out everywhere.

import { note } from "./announce.js";
import { changePassword, signOut } from "./api.js";
import { $, $$, h } from "./dom.js";
import { openBox } from "./sheets.js";

const LEAST = 10;

/** `person` has an account and is signed in. */
export function openAccount(person) {
  const field = (id, label, autocomplete, hint) =>
    h(
      "div.field",
      {},
      h("label", { for: id }, label),
      h("input", {
        id,
        type: "password",
        autocomplete,
        required: true,
        maxlength: 200,
        minlength: hint ? LEAST : null,
      }),
      hint ? h("small.fine", {}, hint) : null,
    );
  const problem = h("p.bad", { role: "alert" });
  const form = h(
    "form.command",
    {
      onsubmit: async (event) => {
        event.preventDefault();
        problem.textContent = "";
        const [old, fresh, again] = ["old-password", "fresh-password", "same-password"].map(
          (id) => $(`#${id}`, form).value,
        );
        try {
          if (fresh !== again) throw new Error("The two new passwords differ.");
          await changePassword(old, fresh);
          box.close();
          note("Your password is changed. Other devices are signed out");
        } catch (refused) {
          problem.textContent = refused.code === "wrong_password" ? "The current password is wrong." : refused.message;
        } finally {
          for (const input of $$("[type=password]", form)) input.value = "";
        }
      },
    },
    h("input", { type: "text", autocomplete: "username", value: person.name, hidden: true, readonly: true }), // for password managers
    field("old-password", "Current password", "current-password"),
    field(
      "fresh-password",
      "New password",
      "new-password",
      `At least ${LEAST} characters. All your other devices are signed out.`,
    ),
    field("same-password", "New password again", "new-password"),
    problem,
    h("div.doors", {}, h("button.gold", { type: "submit" }, "Change the password")),
  );
  const box = openBox(
    `${person.name}, ${person.role}`,
    h("section", {}, h("h3", {}, "Change your password"), form),
    h(
      "section",
      {},
      h("h3", {}, "Sign out on all devices"),
      h(
        "p",
        {},
        "For a phone or computer that was lost or left signed in. This ends every session of yours, including this one.",
      ),
      h(
        "div.doors",
        {},
        h(
          "button.plain",
          {
            type: "button",
            data: { name: "sign-out-everywhere" },
            onclick: (event) => leaveEverywhere(event.currentTarget),
          },
          "Sign out everywhere",
        ),
      ),
    ),
  );
  $("#old-password", form).focus();
  return box;
}

async function leaveEverywhere(button) {
  button.disabled = true;
  try {
    await signOut("/sessions");
    location.assign("/sign-in");
  } catch (problem) {
    button.disabled = false;
    note(problem.message, { bad: true });
  }
}
