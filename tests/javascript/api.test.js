import { serve } from "./browser.js";
import assert from "node:assert/strict";
import { test } from "node:test";

const api = await import("../../src/croupier/web/static/js/shared/api.js");

const refused = (problem) => assert.rejects.bind(assert, () => api.get("/x"), problem);
const as = async (body, problem) => {
  serve(() => body);
  await refused(problem)();
};

test("a refusal is shown as a sentence with its clause", async () => {
  await as(
    { status: 409, code: "over_limit", message: "the limit is $5", clause: "9(b)" },
    { message: "The limit is $5.", code: "over_limit", clause: "9(b)", status: 409 },
  );
});

test("where the server's sentence is for programs, people read what they can do", async () => {
  await as({ status: 409, code: "stale", message: "version 3, not 4" }, { message: /^The table has moved on/ });
  await as({ status: 409, code: "stale", message: "already decided by Flo" }, { message: "Already decided by Flo." });
  await as({ status: 401, code: "signed_out", message: "x" }, { message: /Reload the page to come in again\.$/ });
  await as(
    { status: 401, code: "signed_out", message: "you were signed out by Olga" },
    { message: "You were signed out by Olga. Sign in again." },
  );
  await as({ status: 500 }, { message: /^Something went wrong on the server/ });
});

test("a time of day is told by the clock of this place", async () => {
  await as(
    { status: 429, code: "locked", message: "locked until 14:05 UTC: try again then" },
    { message: /^Locked until \d\d:\d\d [AP]M\.$|^Locked until \d\d:\d\d\.$/ },
  );
});

test("a server that cannot be reached is a problem, too", async () => {
  globalThis.fetch = () => Promise.reject(new TypeError("no network"));
  await assert.rejects(api.get("/x"), { code: "offline", message: /^The server cannot be reached/ });
});

test("a stale token is asked for again, once", async () => {
  let tokens = 0;
  const requests = serve(({ path, headers }) => {
    if (path === "/me") return { csrf: `token ${(tokens += 1)}` };
    return headers["X-CSRF-Token"] === "token 2" ? { done: true } : { status: 403, code: "bad_csrf_token" };
  });
  assert.deepEqual((await api.ask("POST", "/x", {})).body, { done: true });
  assert.equal(requests.filter(({ path }) => path === "/x").length, 2);
});

test("a command that got no answer is sent again with the same key", async () => {
  let tries = 0;
  const requests = serve(({ path }) => {
    if (path === "/me") return { csrf: "t" };
    if ((tries += 1) < 3) throw new TypeError("no network");
    return { version: 9 };
  });
  assert.deepEqual(await api.command("T 1", "fold", { seat: 2 }, { round: 3, seen: 0 }), { version: 9 });
  const sent = requests.filter(({ path }) => path.includes("/commands"));
  assert.equal(sent.length, 3);
  assert.equal(new Set(sent.map(({ headers }) => headers["Idempotency-Key"])).size, 1);
  assert.equal(sent[0].path, "/tables/T%201/commands?round=3");
  assert.deepEqual(sent[0].body, { type: "fold", seat: 2 });
  assert.ok(api.isOwnChange(9));
  assert.ok(!api.isOwnChange(10));
});

test("a refused command is not sent again", async () => {
  const requests = serve(({ path }) =>
    path === "/me" ? { csrf: "t" } : { status: 409, code: "bet_too_small", message: "no" },
  );
  await assert.rejects(api.command("T1", "fold"), { code: "bet_too_small" });
  assert.equal(requests.filter(({ path }) => path.includes("/commands")).length, 1);
});

test("all tables are read page after page", async () => {
  serve(({ path }) =>
    path.includes("after")
      ? { tables: [{ id: "c" }], next: null }
      : { tables: [{ id: "a" }, { id: "b" }], next: "/api/v1/tables?after=b" },
  );
  assert.deepEqual(
    (await api.allTables()).map(({ id }) => id),
    ["a", "b", "c"],
  );
});

test("a long answer is waited for", async () => {
  let asked = 0;
  serve(() => ((asked += 1) < 3 ? { status: 202, seconds: 0.001 } : { edge: 2.2 }));
  assert.deepEqual(await api.getPatiently("/figures"), { edge: 2.2 });
  serve(() => ({ status: 202, seconds: 0.001 }));
  await assert.rejects(api.getPatiently("/figures", 2), { message: /takes longer than usual/ });
});
