/** Maximum length of a message or detail, because some agents put whole HTML pages into `data`. */
const textLimit = 4000;
/** Maximum depth to search for texts. Providers nest their errors two or three levels deep. */
const depthLimit = 4;
/** Where agents put texts, most informative first. */
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

/** Returns the distinct texts in an agent's error value, most informative first. Also parses JSON inside strings. */
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
    // Not valid JSON, so the caller shows the text unchanged.
    return undefined;
  }
}

/** Returns the value on one line, or an empty text if it can't be serialized. */
export function compact(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    // A value that can't be serialized has no useful text.
    return '';
  }
}

/** Cuts a text to 4,000 characters and adds an ellipsis. */
export function cut(text: string): string {
  return text.length > textLimit ? `${text.slice(0, textLimit)}…` : text;
}

function unique(items: readonly string[]): string[] {
  return [...new Set(items)];
}
