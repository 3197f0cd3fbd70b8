/** A Markdown text, and the values of the lines above it. */
export interface MarkdownFile {
  /** Values by key, in lower case. */
  readonly values: ReadonlyMap<string, string>;
  readonly body: string;
}

/** Maximum number of lines that are read as values. */
const mostLines = 200;

/**
 * Splits a Markdown text into its front matter and the rest. Understands lines with a key and a value, with or without
 * quotes, and values that go on in indented lines. Skips all others. A front matter without an end is text.
 */
export function readFrontMatter(text: string): MarkdownFile {
  const lines = text.replace(/^\ufeff/, '').split(/\r?\n/);
  const end = lines.findIndex((line, at) => at > 0 && /^(---|\.\.\.)[ \t]*$/.test(line));
  const isThere = /^---[ \t]*$/.test(lines[0] ?? '') && end > 0 && end <= mostLines;
  if (!isThere) return { values: new Map(), body: lines.join('\n') };
  const values = new Map<string, string>();
  let open: string | undefined;
  for (const line of lines.slice(1, end)) {
    const found = /^([A-Za-z][\w-]{0,40}):(?:[ \t]+(.*))?$/.exec(line);
    const [, key, value = ''] = found ?? [];
    if (key !== undefined) {
      open = key.toLowerCase();
      values.set(open, /^[>|][+-]?\d?$/.test(value.trim()) ? '' : unquoted(value.trim()));
    } else if (open !== undefined && /^[ \t]+\S/.test(line)) {
      values.set(open, `${values.get(open) ?? ''} ${line.trim()}`.trim());
    } else {
      open = undefined;
    }
  }
  return { values, body: lines.slice(end + 1).join('\n') };
}

function unquoted(value: string): string {
  const [quote = ''] = value;
  return value.length > 1 && (quote === '"' || quote === "'") && value.endsWith(quote) ? value.slice(1, -1) : value;
}
