/** A generator of numbers that gives the same ones for the same seed (mulberry32). */
export type Random = () => number;

export function seeded(seed: number): Random {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export function below(random: Random, end: number): number {
  return Math.floor(random() * end);
}

export function pick<T>(random: Random, list: readonly T[]): T {
  const found = list[below(random, list.length)];
  if (found === undefined) throw new Error('There is nothing to pick from');
  return found;
}

/** A text of up to `most` of these pieces; now and then one of them comes many times in a row. */
export function textOf(random: Random, pieces: readonly string[], most = 30): string {
  let text = '';
  for (let left = below(random, most); left >= 0; left -= 1) {
    const piece = pick(random, pieces);
    text += random() < 0.05 ? piece.repeat(1 + below(random, 60)) : piece;
  }
  return text;
}

/** Any value that JSON has, of strings made by `text`. */
export function jsonOf(random: Random, text: () => string, depth = 0): unknown {
  const kind = below(random, depth > 4 ? 5 : 8);
  if (kind === 0) return null;
  if (kind === 1) return random() < 0.5;
  if (kind === 2) return pick(random, [0, -1, 1.5, 1e308, Number.MAX_SAFE_INTEGER, below(random, 100)]);
  if (kind <= 4) return text();
  if (kind === 5) return Array.from({ length: below(random, 4) }, () => jsonOf(random, text, depth + 1));
  return Object.fromEntries(
    Array.from({ length: below(random, 5) }, () => [text(), jsonOf(random, text, depth + 1)] as const),
  );
}
