/** Limits for the source of a diagram. */
export const maxLength = 50_000;
export const maxLines = 2_000;
export const maxEdges = 1_000;

/** Limits for a drawing. The page shows it as an image, which it lays out and paints itself. */
export const maxSvgLength = 600_000;
export const maxElements = 6_000;
/** Longest side, in px. */
export const maxSide = 20_000;

/** Numbers that make Mermaid create that many things: `space:9999999`, `columns 9999999`. */
const counts = /(?::|\bcolumns\s+|\bticks:?\s+|-)\s*\d{5,}/iu;
const countingKinds = /^\s*(?:block|packet|radar|kanban)/imu;

/** Whether a source is too large to be drawn, or asks for too many things. A worker could be ended, but not before it took the memory. */
export function isTooLarge(source: string): boolean {
  if (source.length > maxLength || source.split('\n', maxLines + 1).length > maxLines) return true;
  return countingKinds.test(source) && counts.test(source);
}
