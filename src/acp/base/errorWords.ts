import { readableError } from './errors';
import { attempt } from '../../shared/values/attempt';
import { isRecord } from '../../shared/values/isRecord';

/** Returns an agent's words about an error, without what only programs read. All of it is in the protocol log. */
export function errorWords(error: unknown): string {
  const { message, detail = '' } = readableError(error);
  // Agents put the name of the error's code before its reason.
  const reason = message.replace(/^Internal error: (?=\S)/, '');
  const lines = withoutJson(`${reason}\n${detail}`).split('\n');
  const words = lines.flatMap((line) => {
    // Claude ends its words with the time in seconds.
    const said = line.replace(/\|\d{10}\s*$/, '').trim();
    return said === '' ? [] : [said];
  });
  return [...new Set(words)].join('\n');
}

/** Returns a text without the JSON in it. */
function withoutJson(text: string): string {
  let rest = text;
  for (let at = nextStart(rest, 0); at >= 0; at = nextStart(rest, at)) {
    const end = endOfJson(rest, at);
    if (end > at && hasFields(attempt(() => JSON.parse(rest.slice(at, end)) as unknown))) {
      const before = rest.slice(0, at).replace(/[ \t:,(]+$/, '');
      rest = before + rest.slice(end);
      at = before.length;
    } else at += 1;
  }
  return rest;
}

function nextStart(text: string, from: number): number {
  const at = text.slice(from).search(/[{[]/);
  return at < 0 ? -1 : from + at;
}

/** Returns where the brackets that open at a place are closed; -1 if they aren't. */
function endOfJson(text: string, from: number): number {
  let depth = 0;
  let isInText = false;
  for (let at = from; at < text.length; at++) {
    const char = text.charAt(at);
    if (isInText && char === '\\') at += 1;
    else if (char === '"') isInText = !isInText;
    else if (!isInText && /[{[]/.test(char)) depth += 1;
    else if (!isInText && /[}\]]/.test(char)) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return -1;
}

/** A list without objects can be words, such as an index. */
function hasFields(value: unknown): boolean {
  return isRecord(value) || (Array.isArray(value) && value.some(isRecord));
}
