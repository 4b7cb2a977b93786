// Asking the server. Every no comes back as a Problem with a sentence and, often, a clause.

import { $$ } from "./dom.js";

const BASE = "/api/v1";
/** @type {any} */ let person = null;

/** Where the server's sentence is for programs, what a person does next. */
const NEXT = {
  stale: "The table has moved on since. Look at it again, then choose.",
  signed_out: "You are not signed in any more. Reload the page to come in again.",
  bad_csrf_token: "This page is too old. Reload it and try again.",
  too_large: "That is too long. Make it shorter.",
};

/** These refusals are shown as the server words them; others become our own sentence. */
function nextOf({ code, message = "" }) {
  if (message.includes("already decided by")) return message;
  if (code === "signed_out" && message.startsWith("you were signed out"))
    return `${asSentence(message)} Sign in again.`;
  if (code === "locked") return message.replace(/\d\d:\d\d UTC/, hereAt).replace(/: try again.*/, "");
  return NEXT[code];
}

/** "14:05 UTC", within a day from now, by the clock of this place. */
function hereAt(utc) {
  const at = new Date();
  const [hours, minutes] = utc.match(/\d\d/g).map(Number);
  at.setUTCHours(hours, minutes, 0, 0);
  return at.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
}

/** With a capital and an end, to stand alone on a page. */
export const asSentence = (words) => words.charAt(0).toUpperCase() + words.slice(1) + (/[.!?]$/.test(words) ? "" : ".");

export class Problem extends Error {
  constructor(body, status) {
    super(asSentence(nextOf(body) ?? body.message ?? "Something went wrong on the server. Please try again."));
    this.code = body.code ?? "unknown";
    this.clause = body.clause ?? null;
    this.status = status;
  }
}

/** A page whose session has changed meanwhile asks who it is now, and tries once more. */
export async function ask(method, path, body, headers = {}) {
  try {
    return await askOnce(method, path, body, headers);
  } catch (problem) {
    if (problem.code !== "bad_csrf_token") throw problem;
    person = null;
    return askOnce(method, path, body, headers);
  }
}

async function askOnce(method, path, body, headers) {
  let answer;
  try {
    answer = await fetch(BASE + path, {
      method,
      headers: {
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
        ...(method === "GET" ? {} : { "X-CSRF-Token": (await me()).csrf }),
        ...headers,
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch {
    throw new Problem(
      { code: "offline", message: "The server cannot be reached. Check your connection and try again." },
      0,
    );
  }
  const isFile = answer.headers.get("Content-Disposition")?.startsWith("attachment");
  const content = isFile ? await answer.blob() : await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Problem(content, answer.status);
  return { status: answer.status, body: content };
}

export const get = async (path) => (await ask("GET", path)).body;

/** Every table, page after page: for the lists of staff. */
export async function allTables() {
  const tables = [];
  for (let next = `${BASE}/tables?size=100`; next;) {
    const page = await get(next.slice(BASE.length));
    tables.push(...page.tables);
    next = page.next;
  }
  return tables;
}

/** Like get, but patient: the mathematics may need a moment when a game is asked for first. */
export async function getPatiently(path, tries = 300) {
  for (let n = 0; n < tries; n += 1) {
    const answer = await ask("GET", path);
    if (answer.status !== 202) return answer.body;
    await new Promise((done) => setTimeout(done, 1000 * (answer.body.seconds ?? 1)));
  }
  throw new Problem({ message: "This takes longer than usual. Try again in a minute." }, 202);
}

/** Who I am; asked once, since it also gives the token that every change needs. */
export async function me() {
  person ??= get("/me");
  try {
    return await person;
  } catch (problem) {
    person = null;
    throw problem;
  }
}

export async function comeIn() {
  const known = await me();
  if (known.role) return known;
  try {
    person = Promise.resolve((await ask("POST", "/guests", {})).body);
  } catch (problem) {
    if (problem.code !== "already_done") throw problem;
    person = null; // somebody came in from another tab: we are the same
  }
  return me();
}

/** With a teacher's class code: as a new guest, or as the one we are. */
export async function joinClass(code) {
  await me(); // its cookie
  person = Promise.resolve((await ask("POST", "/class", { code })).body);
  return person;
}

/** In the demo: try a job. Gives the rehearsal table and the page where the job is done. */
export async function workAs(role, rulebook) {
  const known = await me();
  if (known.role && !known.guest)
    throw new Problem({ message: `You are signed in as ${known.name}: sign out first.` }, 409);
  if (known.role !== role) {
    if (known.role) await signOut();
    person = Promise.resolve((await ask("POST", "/guests", { role })).body);
  }
  return (await ask("POST", "/rehearsals", { rulebook })).body;
}

/** `code`: the six digits of an authenticator, where one is asked for. */
export async function signIn(name, password, code = "") {
  person = Promise.resolve((await ask("POST", "/session", { name, password, ...(code && { code }) })).body);
  return person;
}

/** The secret for an authenticator; it counts from the first code on. */
export const setUpAuthenticator = async (name, password) =>
  (await ask("POST", "/session/second-factor", { name, password })).body;

/** This session, or with "/sessions" those of all devices. */
export async function signOut(which = "/session") {
  await ask("DELETE", which);
  /** @type {any} */ person = null;
}

/** All other devices are signed out. */
export async function changePassword(old, fresh) {
  person = Promise.resolve((await ask("POST", "/me/password", { old, new: fresh })).body);
  return person;
}

/** A board that can be seen says so; gives whether it may still do more than look. */
export const watching = async () => (await ask("POST", "/me/watching")).body;

/** `meant` is the round, and the question, that the person had on the screen. */
function tablePath(table, resource, meant) {
  const query = new URLSearchParams(Object.entries(meant).filter(([, value]) => value)).toString();
  return `/tables/${encodeURIComponent(table)}/${resource}${query && `?${query}`}`;
}

/** What waits at a table for those who work there. */
export const work = (table) => get(`/tables/${encodeURIComponent(table)}/work`);

/** @type {any} */ let described = null;

/** Every command by its type, with label, roles and fields; asked once. */
export async function commands() {
  described ??= get("/commands").then(({ commands: all }) =>
    Object.fromEntries(all.map((description) => [description.type, description])),
  );
  try {
    return await described;
  } catch (problem) {
    described = null;
    throw problem;
  }
}

/** What a command would lead to, in sentences. Nothing is written. */
export async function foresee(table, type, fields = {}) {
  return (await ask("POST", tablePath(table, "foresee", {}), { type, ...fields })).body;
}

/** What the forms of staff offer at a table, by the names of the lists. */
export const pickLists = async (table) => (await get(`/tables/${encodeURIComponent(table)}/picks`)).lists;

/** The findings of `croupier check` on a submission, and on a rulebook of one's own. */
export const checkSubmission = async (upload) => (await ask("POST", "/submissions/check", upload)).body;

/** Something that is not a command of a table: people, links. */
export async function tell(path, body) {
  const key = crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}`;
  return (await ask("POST", path, body, { "Idempotency-Key": key })).body;
}

/** Done betting. */
export async function ready(table, seat, round) {
  return (await ask("POST", tablePath(table, "ready", { round }), { seat })).body;
}

let sending = 0; // commands of this page that are not answered yet
let sent = 0; // the version of the table after the last one

/** Did this page itself bring the table to this version? */
export const isOwnChange = (version) => sending > 0 || version <= sent;

/** The clauses of the duties on this page: only what a person was shown can be on record as confirmed by them. */
const dutiesShown = () =>
  [
    ...new Set(
      $$("[data-duty]")
        .filter((node) => node.checkVisibility?.() ?? true)
        .flatMap((node) => node.dataset.duty.split(",")),
    ),
  ].join();

/** A retry carries the same key, so that a bet is placed once however often it is sent. */
export async function command(table, type, fields = {}, meant = {}) {
  const key = crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}`;
  const path = tablePath(table, "commands", { ...meant, duties: dutiesShown() });
  sending += 1;
  try {
    for (let n = 0; ; n += 1) {
      try {
        const { body } = await ask("POST", path, { type, ...fields }, { "Idempotency-Key": key });
        sent = Math.max(sent, body.version ?? 0);
        return body;
      } catch (problem) {
        if (problem.code !== "offline" || n === 2) throw problem;
        await new Promise((done) => setTimeout(done, 400 * (n + 1)));
      }
    }
  } finally {
    sending -= 1;
  }
}
