/**
 * An amount of cents as people write it, for example `12.05`.
 * @param {number} cents
 */
export function formatMoney(cents) {
  const rest = String(cents % 100).padStart(2, '0');
  return `${Math.floor(cents / 100)}.${rest}`;
}
