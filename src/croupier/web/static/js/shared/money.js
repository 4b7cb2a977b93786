// Money comes as "7.50" and is counted in whole cents.

/** @param {string | null | undefined} text */
export function cents(text) {
  if (!text) return 0;
  const [whole, part = ""] = text.replace("-", "").split(".");
  const sum = Number(whole) * 100 + Number((part + "00").slice(0, 2));
  return text.startsWith("-") ? -sum : sum;
}

/** @param {number} amount in cents */
export const wire = (amount) => `${Math.floor(amount / 100)}.${String(amount % 100).padStart(2, "0")}`;

/**
 * $7.50, $1,200
 *
 * @param {number} amount in cents
 */
export function dollars(amount) {
  const whole = Math.floor(Math.abs(amount) / 100).toLocaleString("en-US");
  const part = Math.abs(amount) % 100;
  return `${amount < 0 ? "−" : ""}$${whole}${part ? "." + String(part).padStart(2, "0") : ""}`;
}

/** @param {string | null | undefined} text */
export const inDollars = (text) => dollars(cents(text));
/** @param {number} amount in cents */
export const signed = (amount) => (amount > 0 ? "+" : "") + dollars(amount);
/** @param {number} amount in cents */
export const meter = (amount) =>
  "$" + (amount / 100).toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
