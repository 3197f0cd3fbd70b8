/**
 * A text as line-based instructions to make it from another one. A positive number copies lines, a negative number
 * skips lines, and strings are inserted.
 */
export type TextDelta = readonly (number | string)[];

/** How many lines ahead to search for a moved line. Beyond that, the line is inserted as text. */
const lookAhead = 24;
/** Approximate cost of a number in JSON, in characters; shorter texts are inserted as they are. */
const tokenCost = 4;

/** Returns the instructions to make `text` from `base`; undefined if they would save little. Takes linear time. */
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

/** Returns the text that was passed to `deltaOf`, given the same base. */
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

/** Returns the lines with their line breaks, so that joining them gives the text. */
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
