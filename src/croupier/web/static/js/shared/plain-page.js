// A page without a part of its own: its frame, and a button that prints it if it has one.

import { dress } from "./chrome.js";
import { $ } from "./dom.js";

dress();
$("#print")?.addEventListener("click", () => print());
