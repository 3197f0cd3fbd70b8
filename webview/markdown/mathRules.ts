import type MarkdownIt from 'markdown-it';

type Md = InstanceType<typeof MarkdownIt>;
type BlockRule = Parameters<Md['block']['ruler']['before']>[2];
type InlineRule = Parameters<Md['inline']['ruler']['before']>[2];

/** Maximum number of UTF-16 units of a formula. Something longer is text. */
const maxLength = 4000;

/** The delimiters of formulas that are set apart from the text. */
const displays = [
  ['$$', '$$'],
  ['\\[', '\\]'],
] as const;

/**
 * Adds formulas to a markdown parser: `$…$` and `\(…\)` in the text, `$$…$$` and `\[…\]` set apart. A formula is rendered as code of
 * the class `math` with its delimiters, so that it can be read before it is typeset.
 */
export function addMath(md: Md): void {
  md.block.ruler.before('fence', 'math', blockMath, { alt: ['paragraph', 'reference', 'blockquote', 'list'] });
  md.inline.ruler.before('escape', 'math', inlineMath);
  md.renderer.rules['math'] = (tokens, index) =>
    `<code class="math">${md.utils.escapeHtml(tokens[index]?.content ?? '')}</code>`;
  md.renderer.rules['math_block'] = (tokens, index) =>
    `<p><code class="math">${md.utils.escapeHtml(tokens[index]?.content ?? '')}</code></p>\n`;
}

/**
 * A formula on lines of its own, up to the closing delimiter. Without one before a blank line, the lines are a paragraph. They're never part
 * of another block, so the result doesn't depend on how much of a growing text is there.
 */
const blockMath: BlockRule = (state, startLine, endLine, silent) => {
  const lineAt = (line: number) =>
    state.src.slice((state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0), state.eMarks[line]).trimEnd();
  const ends = (line: number) => state.isEmpty(line) || (state.sCount[line] ?? 0) < state.blkIndent;
  if ((state.sCount[startLine] ?? 0) - state.blkIndent >= 4) return false;
  const first = lineAt(startLine);
  const delimiters = displays.find(([open]) => first.startsWith(open));
  if (!delimiters) return false;
  const [open, close] = delimiters;
  const rest = first.slice(open.length);
  const isWhole = rest.indexOf(close) >= 0;
  // Text behind it makes it part of a paragraph, and so does text that isn't one of TeX's commands.
  if (isWhole ? rest.indexOf(close) + close.length < rest.length : !/^\s*(?:\\(?![[\]()])|$)/.test(rest)) return false;
  if (silent) return true;
  const lines = [first];
  let isClosed = isWhole;
  let length = first.length;
  let line = startLine + 1;
  for (; !isClosed && line < endLine && !ends(line) && length < maxLength; line++) {
    const text = lineAt(line);
    lines.push(text);
    length += text.length;
    isClosed = text.endsWith(close);
  }
  if (!isClosed) state.push('paragraph_open', 'p', 1).map = [startLine, line];
  const token = state.push(isClosed ? 'math_block' : 'inline', '', 0);
  token.content = lines.join('\n');
  token.map = [startLine, line];
  token.children = [];
  if (!isClosed) state.push('paragraph_close', 'p', -1);
  state.line = line;
  return true;
};

const inlineMath: InlineRule = (state, silent) => {
  const found = mathAt(state.src, state.pos, state.posMax);
  if (found === undefined) return false;
  if (!silent) state.push('math', '', 0).content = found;
  state.pos += found.length;
  return true;
};

/** Returns the formula that begins at a position of a text, with its delimiters. */
export function mathAt(text: string, start: number, end = text.length): string | undefined {
  const limit = Math.min(end, start + maxLength);
  const two = text.slice(start, start + 2);
  if (two === '\\(' || two === '\\[' || two === '$$') {
    const close = two === '\\(' ? '\\)' : two === '\\[' ? '\\]' : '$$';
    const at = text.indexOf(close, start + 2);
    if (at < 0 || at + 2 > limit) return undefined;
    const formula = text.slice(start + 2, at);
    const [before = '', after = ''] = [text[start - 1], text[at + 2]];
    const isRight = two === '$$' ? isDisplayed(formula, before, after) : !isEscaped(formula, after, two === '\\[');
    return isRight && !isCode(formula) ? text.slice(start, at + 2) : undefined;
  }
  if (text[start] !== '$' || /[\w$\\]/.test(text[start - 1] ?? '')) return undefined;
  let at = start + 1;
  while (at < limit && text[at] !== '$') at += text[at] === '\\' ? 2 : 1;
  if (at >= limit) return undefined;
  const formula = text.slice(start + 1, at);
  return isFormula(formula, text[at + 1] ?? '') ? text.slice(start, at + 1) : undefined;
}

/** Returns whether a text is more likely code than TeX: it has quotes, a shell's operators, or the parts of a regular expression. */
function isCode(text: string): boolean {
  return text.trim() === '' || /[`"]|&&|\$[({]|\.[*+]|\[\^|\w\\\||\[[a-z0-9]-[a-z0-9]\]/i.test(text);
}

/** Returns whether a text between `$$` is a formula, and not the text between two numbers of a shell's process. */
function isDisplayed(text: string, before: string, after: string): boolean {
  if (/[\w$]/.test(before + after) || /^\s*[;|]/.test(text)) return false;
  return /^\S(?:[^]*\S)?$/.test(text) || /[\\^_=+<>{}]/.test(text);
}

/** Returns whether the brackets are only escaped: a citation, a link, a box to tick, or words. */
function isEscaped(text: string, after: string, isSquare: boolean): boolean {
  if (/^[\d\s,;–-]*$/.test(text)) return true;
  if (!isSquare) return /[*{+]/.test(after);
  return after === '(' || /^[a-z]{2,}(?:[\s,'’-]+[a-z]+)*$/i.test(text) || (/^[xX]$/.test(text) && after === ' ');
}

/** Returns whether a text between two dollar signs is a formula, and not the text between two prices or two variables of a shell. */
function isFormula(text: string, after: string): boolean {
  if (/^\s|\s$/.test(text) || isCode(text) || /[\w${(@<*#?!'/]/.test(after)) return false;
  // `$@`, `$?`, `$'…'`, `${NAME}`, and `$(program)` belong to a shell or to make.
  if (/^[@?#!*'<]/.test(text) || /^\{\w+[}:%#/](?![\^_]|$)/.test(text) || /^\([a-z][a-z-]{2,}[ )]/i.test(text))
    return false;
  // A formula that begins with a number has an operator or is nothing but the number: in "$5 or 10$", neither is true.
  if (/^\d/.test(text)) return /[\\^_=+<>{}*/|]/.test(text) || /^[\d.,]+[a-z]?%?$/i.test(text);
  return true;
}
