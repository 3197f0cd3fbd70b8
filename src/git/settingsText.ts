/** One setting of git: its key, with the section and the name in lower case, and its value. A key without a value is true. */
export type Setting = readonly [key: string, value: string];

/**
 * Reads a file of git's settings as text. What git would include isn't read. Undefined if it isn't such a file, in which case git wouldn't use it
 * either.
 */
export function readSettings(text: string): Setting[] | undefined {
  const found: Setting[] = [];
  let section = '';
  let at = text.startsWith('\uFEFF') ? 1 : 0;
  const match = (pattern: RegExp): RegExpExecArray | undefined => {
    pattern.lastIndex = at;
    const one = pattern.exec(text) ?? undefined;
    if (one) at += one[0].length;
    return one;
  };
  while (at < text.length) {
    if (match(/\s+|[#;][^\n]*/y)) continue;
    const head = match(/\[([\w.-]+)(?:[ \t]+"((?:[^"\\\n]|\\[^\n])*)")?[ \t]*\]/y);
    if (head) {
      const [, name = '', below] = head;
      section = name.toLowerCase() + (below === undefined ? '' : `.${below.replace(/\\(.)/g, '$1')}`);
      continue;
    }
    const name = match(/[a-z][\w-]*/iy)?.[0];
    if (name === undefined || section === '') return undefined;
    const key = `${section}.${name.toLowerCase()}`;
    if (!match(/[ \t]*=[ \t]*/y)) {
      if (!match(/[ \t]*(?:\r?\n|$|(?=[#;]))/y)) return undefined;
      found.push([key, 'true']);
      continue;
    }
    const value = readValue(match(/(?:"(?:[^"\\]|\\[^])*"|\\\r?\n|\\[^]|[^"\\\n#;])*/y)?.[0] ?? '');
    if (value === undefined || !match(/(?:[#;][^\n]*)?(?:\n|$)/y)) return undefined;
    found.push([key, value]);
  }
  return found;
}

/** Returns what a value stands for, without its quotes, and without spaces at its end that aren't in quotes. */
function readValue(raw: string): string | undefined {
  let value = '';
  /** How much of the value is more than spaces at its end. */
  let kept = 0;
  let isQuoted = false;
  for (const [part] of raw.matchAll(/\\\r?\n|\\[^]|[^]/g)) {
    if (part === '"') isQuoted = !isQuoted;
    else if (/^\\\r?\n$/.test(part)) continue;
    else if (part.startsWith('\\')) {
      const escaped = { n: '\n', t: '\t', b: '\b', '"': '"', '\\': '\\' }[part.slice(1)];
      if (escaped === undefined) return undefined;
      value += escaped;
    } else {
      value += part;
      if (!isQuoted && /\s/.test(part)) continue;
    }
    if (!isQuoted || part !== '"') kept = value.length;
  }
  return value.slice(0, kept);
}

/** Returns the text of a file with these settings, whose keys have no section of their own in between. */
export function settingsText(settings: readonly Setting[]): string {
  return settings
    .map(([key, value]) => {
      const at = key.indexOf('.');
      const escaped = value
        .replace(/["\\]/g, '\\$&')
        .replace(/\n/g, '\\n')
        .replace(/\t/g, '\\t')
        .replace(/[\b]/g, '\\b');
      return `[${key.slice(0, at)}]\n\t${key.slice(at + 1)} = "${escaped}"\n`;
    })
    .join('');
}
