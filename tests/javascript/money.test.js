import assert from "node:assert/strict";
import { test } from "node:test";

import { cents, dollars, inDollars, meter, signed, wire } from "../../src/croupier/web/static/js/shared/money.js";

test("amounts of the wire are counted in cents", () => {
  for (const [text, sum] of [
    ["7.50", 750],
    ["0.05", 5],
    ["-0.05", -5],
    ["1200.00", 120_000],
    ["12", 1200],
    ["3.5", 350],
    ["", 0],
    [null, 0],
    [undefined, 0],
  ])
    assert.equal(cents(text), sum, String(text));
});

test("what is written for the wire is read back as it was", () => {
  for (const sum of [0, 1, 99, 100, 101, 750, 123_456_789]) assert.equal(cents(wire(sum)), sum);
});

test("people read whole dollars without cents, and a real minus", () => {
  assert.equal(dollars(750), "$7.50");
  assert.equal(dollars(120_000), "$1,200");
  assert.equal(dollars(-5), "−$0.05");
  assert.equal(inDollars("25000.00"), "$25,000");
});

test("a result has its sign, a meter always has cents", () => {
  assert.equal(signed(500), "+$5");
  assert.equal(signed(0), "$0");
  assert.equal(signed(-500), "−$5");
  assert.equal(meter(1_234_500), "$12,345.00");
});
