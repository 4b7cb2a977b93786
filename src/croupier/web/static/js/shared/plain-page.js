import { dress } from "./chrome.js";

dress();
