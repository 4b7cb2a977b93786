// Sign-in for people who work here.

import { setUpAuthenticator, signIn } from "../shared/api.js";
import { dress } from "../shared/chrome.js";
import { $, h, refill, say } from "../shared/dom.js";
import { homeOf } from "../shared/site.js";

/** From here on a code is asked for; who has no authenticator yet is shown its secret first. */
async function askForCode(problem, form) {
  if (problem.code === "enrol_second_factor") {
    const made = await setUpAuthenticator(form.name.value.trim(), form.password.value);
    refill(
      $("#authenticator"),
      h(
        "p",
        {},
        "Your role signs in with an authenticator. Scan this with the app on your phone, then enter its six digits below:",
      ),
      drawn(made.qr),
      h(
        "p.fine",
        {},
        "Or type this key into the app: ",
        h("code", { id: "secret" }, made.secret.match(/.{1,4}/g).join(" ")),
      ),
      h("p.fine", {}, "On the phone itself: ", h("a", { href: made.uri }, "open the authenticator"), "."),
    );
  }
  if (problem.code !== "wrong_code") say($("#problem"), "");
  $("#code-field").hidden = false;
  form.code.required = true;
  form.code.value = "";
  form.code.focus();
}

/** The QR code as a part of the page: a picture by address would have to name the secret. */
function drawn(svg) {
  const node = document.importNode(new DOMParser().parseFromString(svg, "image/svg+xml").documentElement, true);
  node.classList.add("qr");
  node.setAttribute("role", "img");
  node.setAttribute("aria-label", "QR code for the authenticator");
  return node;
}

dress();
$("#sign-in").addEventListener("submit", async (event) => {
  event.preventDefault();
  const form = event.target;
  const button = $("button", form);
  button.disabled = true;
  say($("#problem"), "");
  try {
    const person = await signIn(form.name.value.trim(), form.password.value, form.code.value.trim());
    if (person.last_sign_in) sessionStorage.setItem("last-sign-in", person.last_sign_in);
    location.assign(homeOf(person.role));
  } catch (problem) {
    say($("#problem"), problem.message);
    if (["code_needed", "wrong_code", "enrol_second_factor"].includes(problem.code)) {
      await askForCode(problem, form).catch((failure) => say($("#problem"), failure.message));
    } else {
      form.password.value = "";
      form.password.focus();
    }
  } finally {
    button.disabled = false;
  }
});
