const lineBreak = /\r\n|\r|\n/g;

/**
 * Returns the lines of a text without their breaks, counted as in the editor: an empty text has one line, and the last break starts a new
 * line.
 */
export function splitLines(text: string): string[] {
  return text.includes('\r') ? text.split(lineBreak) : text.split('\n');
}

/** Returns whether two texts differ only in their line breaks. */
export function isSameButLineBreaks(a: string, b: string): boolean {
  return a === b || withoutCarriageReturns(a) === withoutCarriageReturns(b);
}

function withoutCarriageReturns(text: string): string {
  return text.includes('\r') ? text.replace(lineBreak, '\n') : text;
}

/** Returns the line break of most lines in a text, or `fallback` for a single line. */
export function dominantLineBreak(text: string, fallback: '\n' | '\r\n'): '\n' | '\r\n' {
  let crlf = 0;
  let all = 0;
  for (const match of text.matchAll(lineBreak)) {
    all++;
    if (match[0] === '\r\n') crlf++;
  }
  if (all === 0) return fallback;
  return crlf * 2 > all ? '\r\n' : '\n';
}

/**
 * Returns `limit` lines from `line` on, with their breaks. Lines count from 1, and 0 means 1. A limit of 0 or a line past the end gives an
 * empty text (https://agentclientprotocol.com/protocol/file-system).
 */
export function cutLines(text: string, line = 1, limit = Number.POSITIVE_INFINITY): string {
  if (limit <= 0) return '';
  const start = offsetAfterBreaks(text, 0, Math.max(1, line) - 1);
  if (start === undefined) return '';
  if (limit === Number.POSITIVE_INFINITY) return text.slice(start);
  return text.slice(start, offsetAfterBreaks(text, start, limit) ?? text.length);
}

/** Returns the offset after `count` line breaks, starting at `from`, or undefined if there are fewer. */
function offsetAfterBreaks(text: string, from: number, count: number): number | undefined {
  if (count === 0) return from;
  const pattern = new RegExp(lineBreak);
  pattern.lastIndex = from;
  for (let passed = 0; passed < count; passed++) {
    if (pattern.exec(text) === null) return undefined;
  }
  return pattern.lastIndex;
}
