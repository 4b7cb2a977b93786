// A page to print.

import { dress } from "./chrome.js";
import { $ } from "./dom.js";

dress();
$("#print").addEventListener("click", () => print());
