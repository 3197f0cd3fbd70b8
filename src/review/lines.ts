const lineBreak = /\r\n|\r|\n/g;

/** The lines of a text without their breaks, counted as the editor counts them: an empty text has one line, and so does what follows the last break. */
export function splitLines(text: string): string[] {
  return text.includes('\r') ? text.split(lineBreak) : text.split('\n');
}

/** Whether two texts differ in nothing but their line breaks. */
export function isSameButLineBreaks(a: string, b: string): boolean {
  return a === b || withoutCarriageReturns(a) === withoutCarriageReturns(b);
}

function withoutCarriageReturns(text: string): string {
  return text.includes('\r') ? text.replace(lineBreak, '\n') : text;
}

/** The line break most lines of a text end with; `fallback` when it has a single line. */
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
 * Cuts `limit` lines from `line` on, with the breaks they have. Lines count from 1 and 0 means 1; a limit of 0 and a
 * line beyond the end give an empty text (https://agentclientprotocol.com/protocol/file-system).
 */
export function cutLines(text: string, line = 1, limit = Number.POSITIVE_INFINITY): string {
  if (limit <= 0) return '';
  const start = offsetAfterBreaks(text, 0, Math.max(1, line) - 1);
  if (start === undefined) return '';
  if (limit === Number.POSITIVE_INFINITY) return text.slice(start);
  return text.slice(start, offsetAfterBreaks(text, start, limit) ?? text.length);
}

/** Offset behind the n-th line break from `from` on; undefined when there are fewer. */
function offsetAfterBreaks(text: string, from: number, count: number): number | undefined {
  if (count === 0) return from;
  const pattern = new RegExp(lineBreak);
  pattern.lastIndex = from;
  for (let passed = 0; passed < count; passed++) {
    if (pattern.exec(text) === null) return undefined;
  }
  return pattern.lastIndex;
}
