// Money comes as "7.50" and is counted in whole cents.

export function cents(text) {
  if (!text) return 0;
  const [whole, part = ""] = text.replace("-", "").split(".");
  const sum = Number(whole) * 100 + Number((part + "00").slice(0, 2));
  return text.startsWith("-") ? -sum : sum;
}

export const wire = (amount) => `${Math.floor(amount / 100)}.${String(amount % 100).padStart(2, "0")}`;

/** $7.50, $1,200 */
export function dollars(amount) {
  const whole = Math.floor(Math.abs(amount) / 100).toLocaleString("en-US");
  const part = Math.abs(amount) % 100;
  return `${amount < 0 ? "−" : ""}$${whole}${part ? "." + String(part).padStart(2, "0") : ""}`;
}

export const inDollars = (text) => dollars(cents(text));
export const signed = (amount) => (amount > 0 ? "+" : "") + dollars(amount);
export const meter = (amount) =>
  "$" + (amount / 100).toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
