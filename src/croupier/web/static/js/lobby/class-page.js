// A class code: a guest comes in with it, or is of the class from then on.

import { joinClass } from "../shared/api.js";
import { dress } from "../shared/chrome.js";
import { $, h, refill, say } from "../shared/dom.js";

$("#class-form").addEventListener("submit", async (event) => {
  event.preventDefault();
  const button = event.submitter ?? $("#class-form button");
  button.disabled = true;
  say($("#problem"), "");
  try {
    const person = await joinClass($("#class-code").value);
    refill(
      $("#class-room"),
      h("h1", {}, "You are in"),
      h("p", { role: "status", tabindex: -1 }, `You play as ${person.name}. Choose a table and sit down.`),
      h(
        "div.doors",
        {},
        h("a.gold", { href: "/" }, "To the tables"),
        h("a.plain", { href: "/school" }, "The dealing school"),
      ),
    );
    $("#class-room [role=status]").focus();
  } catch (problem) {
    say($("#problem"), problem.message);
    button.disabled = false;
    $("#class-code").select();
  }
});

dress();
