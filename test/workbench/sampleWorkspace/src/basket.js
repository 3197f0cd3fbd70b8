/**
 * @typedef {object} Item
 * @property {string} name
 * @property {number} price in cents, for one piece
 * @property {number} pieces
 */

const bulkPieces = 10;
const bulkDiscount = 0.1;

/**
 * Price of one line in cents, with the discount for ten pieces or more.
 * @param {Item} item
 */
export function linePrice(item) {
  const full = item.price * item.pieces;
  return item.pieces > bulkPieces ? Math.round(full * (1 - bulkDiscount)) : full;
}

/**
 * Price of the whole basket in cents.
 * @param {readonly Item[]} items
 */
export function total(items) {
  return items.reduce((sum, item) => sum + linePrice(item), 0);
}
