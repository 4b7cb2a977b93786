// Sign-in for people who work here.

import { signIn } from "./api.js";
import { dress } from "./chrome.js";
import { $, say } from "./dom.js";

dress();
$("#sign-in").addEventListener("submit", async (event) => {
  event.preventDefault();
  const form = event.target;
  const button = $("button", form);
  button.disabled = true;
  say($("#problem"), "");
  try {
    const person = await signIn(form.name.value.trim(), form.password.value);
    location.assign(["auditor", "surveillance"].includes(person.role) ? "/audit" : ["floorperson", "operator", "dealer"].includes(person.role) ? "/floor" : "/");
  } catch (problem) {
    say($("#problem"), problem.message);
    form.password.value = "";
    form.password.focus();
  } finally {
    button.disabled = false;
  }
});
