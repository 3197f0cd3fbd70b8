/** Prefixes of a command that aren't the command itself. */
const wrapper = /^(?:sudo|env|command|exec|nohup|time|xargs|then|do|else|!|[A-Za-z_]\w*=\S*)\s+/;
/** Maximum number of parts of a line to check separately. With more, only the whole line is checked. */
const mostParts = 200;
const longest = 4 * 4096;

/**
 * Returns a line and everything in it that may be a command, without regard to quotes: for rules that reject or ask, and
 * for lines that can't be parsed.
 */
export function withParts(line: string): readonly string[] {
  const parts = line.slice(0, longest).split(/[;&|\n`(){}]+/, mostParts);
  const inner = parts.map((part) => {
    let text = part.trim();
    for (let count = 0; count < 5 && wrapper.test(text); count++) text = text.replace(wrapper, '');
    return text;
  });
  return [line, ...inner.filter((part) => part !== '')];
}
