// SHA-256 of a text or of bytes, in hexadecimal. The browser's own is there on secure pages only, and a seal can be checked on any.

/** @type {number[]} */
const primes = [];
for (let n = 2; primes.length < 64; n += 1) if (primes.every((p) => n % p)) primes.push(n);
/** @param {number} x */
const fraction = (x) => ((x - Math.floor(x)) * 2 ** 32) >>> 0;
const START = primes.slice(0, 8).map((p) => fraction(Math.sqrt(p)));
const K = primes.map((p) => fraction(Math.cbrt(p)));
/**
 * @param {number} x
 * @param {number} n
 */
const turn = (x, n) => (x >>> n) | (x << (32 - n));

/** @param {string | Uint8Array} data */
export function sha256(data) {
  const bytes = typeof data === "string" ? new TextEncoder().encode(data) : data;
  const blocks = new DataView(new ArrayBuffer(((bytes.length + 72) >> 6) << 6));
  bytes.forEach((byte, n) => blocks.setUint8(n, byte));
  blocks.setUint8(bytes.length, 0x80);
  blocks.setUint32(blocks.byteLength - 8, Math.floor(bytes.length / 2 ** 29));
  blocks.setUint32(blocks.byteLength - 4, bytes.length << 3);
  let state = START;
  for (let at = 0; at < blocks.byteLength; at += 64) state = mixed(state, words(blocks, at));
  return state.map((word) => word.toString(16).padStart(8, "0")).join("");
}

/**
 * @param {DataView} blocks
 * @param {number} at
 */
function words(blocks, at) {
  /** @type {number[]} */
  const w = [];
  for (let n = 0; n < 64; n += 1) {
    if (n < 16) w.push(blocks.getUint32(at + 4 * n));
    else {
      const s0 = turn(w[n - 15], 7) ^ turn(w[n - 15], 18) ^ (w[n - 15] >>> 3);
      const s1 = turn(w[n - 2], 17) ^ turn(w[n - 2], 19) ^ (w[n - 2] >>> 10);
      w.push((w[n - 16] + s0 + w[n - 7] + s1) >>> 0);
    }
  }
  return w;
}

/**
 * @param {number[]} state
 * @param {number[]} w
 */
function mixed(state, w) {
  let [a, b, c, d, e, f, g, h] = state;
  for (let n = 0; n < 64; n += 1) {
    const t1 = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + K[n] + w[n]) >>> 0;
    const t2 = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) >>> 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) >>> 0, c, b, a, (t1 + t2) >>> 0];
  }
  return [a, b, c, d, e, f, g, h].map((word, n) => (word + state[n]) >>> 0);
}
