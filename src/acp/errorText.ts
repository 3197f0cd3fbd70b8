/** Longest text kept of a message or detail; some agents put whole pages of HTML into `data`. */
const textLimit = 4000;
/** How deep texts are looked for; providers nest their errors two or three levels. */
const depthLimit = 4;
/** Where agents put texts, most telling first. */
const textKeys = [
  'message',
  'details',
  'detail',
  'error',
  'reason',
  'description',
  'title',
  'cause',
  'errors',
] as const;

/** The different texts in what an agent calls an error, most telling first; JSON inside strings is looked into. */
export function texts(value: unknown, depth = 0): string[] {
  if (depth > depthLimit) return [];
  if (typeof value === 'string') return textsOfString(value.trim(), depth);
  if (Array.isArray(value)) return unique(value.flatMap((item) => texts(item, depth + 1)));
  if (typeof value !== 'object' || value === null) return [];
  const fields = value as Readonly<Record<string, unknown>>;
  return unique(textKeys.flatMap((key) => texts(fields[key], depth + 1)));
}

function textsOfString(text: string, depth: number): string[] {
  if (text === '') return [];
  if (text.startsWith('{') || text.startsWith('[')) {
    const inner = texts(parsed(text), depth + 1);
    if (inner.length > 0) return inner;
  }
  return [text];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON after all: the caller shows the text as it is.
    return undefined;
  }
}

/** The value on one line, or nothing when it cannot be written down. */
export function compact(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    // A value that cannot be written down has nothing to say to a reader.
    return '';
  }
}

/** At most 4,000 characters of a text, the rest replaced by an ellipsis. */
export function cut(text: string): string {
  return text.length > textLimit ? `${text.slice(0, textLimit)}…` : text;
}

function unique(items: readonly string[]): string[] {
  return [...new Set(items)];
}
