// How long something has waited, and the clock that keeps it true on the screen.

import { $$, h, say } from "./dom.js";

/**
 * "40 s", "3 min", "1 h 5 min"
 *
 * @param {number} seconds
 */
export function lasting(seconds) {
  const whole = Math.max(0, Math.floor(seconds));
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

const hour = new Intl.DateTimeFormat("en", { timeStyle: "short" });
const day = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short" });

const calendar = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeZone: "UTC" });

/**
 * "2026-11-15" is "Nov 15, 2026".
 *
 * @param {string} on
 */
export const date = (on) => (on ? calendar.format(new Date(on)) : "");
/** @param {string} at */
export const clockTime = (at) => (at ? hour.format(new Date(at)) : "");
/** @param {string} at */
export const dateTime = (at) => (at ? day.format(new Date(at)) : "");

/**
 * A time that counts up: "waits 3 min".
 *
 * @param {string} since
 * @param {string} before
 */
export function waited(since, before = "waits ") {
  return h(
    "time.waited",
    { datetime: since, data: { since, before }, title: dateTime(since) },
    duration(since, before),
  );
}

/**
 * @param {string} since
 * @param {string} before
 */
const duration = (since, before) => before + lasting((Date.now() - Date.parse(since)) / 1000);

export function tick() {
  setInterval(() => {
    for (const node of $$(".waited")) say(node, duration(node.dataset.since, node.dataset.before));
  }, 1000);
}
