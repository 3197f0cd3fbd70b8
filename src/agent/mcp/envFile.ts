/** Parses a file of `NAME=value` lines, as used by `envFile`; supports comments, quotes, and `export`. */
export function parseEnvFile(text: string): Readonly<Record<string, string>> {
  const env: Record<string, string> = {};
  for (const line of text.replace(/^\uFEFF/, '').split(/\r?\n/)) {
    const match = /^\s*(?:export\s+)?([\w.-]+)\s*=\s*(.*?)\s*$/.exec(line);
    const [, name, value = ''] = match ?? [];
    if (name !== undefined) env[name] = unquote(value);
  }
  return env;
}

function unquote(value: string): string {
  const quoted = /^(["'])(.*)\1(?:\s+#.*)?$/.exec(value);
  if (!quoted) return value.replace(/\s+#.*$/, '');
  const [, quote, inner = ''] = quoted;
  return quote === '"' ? inner.replace(/\\([nrt"\\])/g, (_match, letter: string) => escapes[letter] ?? letter) : inner;
}

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };
