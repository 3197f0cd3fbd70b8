/**
 * A text as a way to make it from another one, line by line: so many lines are taken over (positive number) or left out
 * (negative number), and strings stand between them as they are.
 */
export type TextDelta = readonly (number | string)[];

/** A line that is not where it was is looked for this far ahead; farther away it is written out. */
const lookAhead = 24;
/** What a number costs in JSON, about; a shorter text is sent as it is. */
const tokenCost = 4;

/** How to make `text` from `base`; undefined when that would save little. Takes time in proportion to both texts. */
export function deltaOf(base: string, text: string): TextDelta | undefined {
  const from = linesOf(base);
  const to = linesOf(text);
  const delta: (number | string)[] = [];
  let cost = 0;
  let at = 0;
  let taken = 0;
  let own: string[] = [];
  const write = () => {
    if (own.length === 0) return;
    const joined = own.join('');
    delta.push(joined);
    cost += joined.length + tokenCost;
    own = [];
  };
  const take = () => {
    if (taken === 0) return;
    delta.push(taken);
    cost += tokenCost;
    taken = 0;
  };
  for (const line of to) {
    const found = next(from, at, line);
    if (found < 0) {
      take();
      own.push(line);
      continue;
    }
    write();
    if (found > at) {
      take();
      delta.push(at - found);
      cost += tokenCost;
    }
    taken++;
    at = found + 1;
  }
  take();
  write();
  return cost < text.length * 0.7 ? delta : undefined;
}

/** The text that `deltaOf` was given, for the same base. */
export function applyDelta(base: string, delta: TextDelta): string {
  const from = linesOf(base);
  let at = 0;
  let text = '';
  for (const part of delta) {
    if (typeof part === 'string') {
      text += part;
    } else {
      if (part > 0) text += from.slice(at, at + part).join('');
      at += Math.abs(part);
    }
  }
  return text;
}

function next(lines: readonly string[], at: number, line: string): number {
  const end = Math.min(lines.length, at + lookAhead);
  for (let index = at; index < end; index++) if (lines[index] === line) return index;
  return -1;
}

/** Lines with their breaks; joined they are the text. */
function linesOf(text: string): string[] {
  const lines: string[] = [];
  let start = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', start)) {
    lines.push(text.slice(start, at + 1));
    start = at + 1;
  }
  if (start < text.length) lines.push(text.slice(start));
  return lines;
}
