import type MarkdownIt from 'markdown-it';

type Md = InstanceType<typeof MarkdownIt>;
type BlockRule = Parameters<Md['block']['ruler']['before']>[2];
type InlineRule = Parameters<Md['inline']['ruler']['before']>[2];

const inlineTag = /<(?:br\s*\/?|\/?(?:kbd|sub|sup))>/iy;
/** The name is a number or a word: `[^a-z]` belongs to a regular expression. */
const footnote = /\[\^(\d{1,3}|[a-z][a-z0-9_]{1,30})\](?!:)/iy;
const footnoteText = /^\[\^(\d{1,3}|[a-z][a-z0-9_]{1,30})\]:[ \t]+/i;
const detailsOpen = /^<details(?:\s+open)?>\s*/i;
const detailsClose = /<\/details>\s*$/i;
const summary = /^<summary>(.*?)<\/summary>\s*/i;

/** Adds what models write beside Markdown: a few tags of HTML without attributes, `<details>`, and footnotes. */
export function addTags(md: Md): void {
  md.inline.ruler.before('autolink', 'tag', tag);
  md.inline.ruler.before('link', 'footnote', footnoteMark);
  const alt = ['paragraph', 'reference', 'blockquote', 'list'];
  md.block.ruler.before('html_block', 'details', details, { alt });
  md.block.ruler.before('reference', 'footnote_text', footnoteBlock, { alt: ['paragraph'] });
  md.renderer.rules['tag'] = (tokens, index) => tokens[index]?.content ?? '';
  md.renderer.rules['footnote'] = (tokens, index) => `<sup>${md.utils.escapeHtml(tokens[index]?.content ?? '')}</sup>`;
}

const tag: InlineRule = (state, silent) => {
  inlineTag.lastIndex = state.pos;
  const [found] = inlineTag.exec(state.src) ?? [];
  if (found === undefined) return false;
  if (!silent) state.push('tag', '', 0).content = found.toLowerCase().replace(/\s*\/>$/, '>');
  state.pos += found.length;
  return true;
};

const footnoteMark: InlineRule = (state, silent) => {
  footnote.lastIndex = state.pos;
  const [found, name = ''] = footnote.exec(state.src) ?? [];
  if (found === undefined) return false;
  if (!silent) state.push('footnote', '', 0).content = name;
  state.pos += found.length;
  return true;
};

/** The text of a footnote is a paragraph where it stands, so that a growing text needs nothing from later. */
const footnoteBlock: BlockRule = (state, startLine, endLine, silent) => {
  if (!beginsWith(state, startLine, '[^')) return false;
  if ((state.sCount[startLine] ?? 0) - state.blkIndent >= 4) return false;
  const first = state.getLines(startLine, startLine + 1, state.sCount[startLine] ?? 0, false);
  const [found, name = ''] = footnoteText.exec(first) ?? [];
  if (found === undefined) return false;
  if (silent) return true;
  let line = startLine + 1;
  const next = (at: number) => state.getLines(at, at + 1, state.sCount[at] ?? 0, false);
  while (line < endLine && !state.isEmpty(line) && !footnoteText.test(next(line))) line++;
  state.push('paragraph_open', 'p', 1).map = [startLine, line];
  const token = state.push('inline', '', 0);
  token.content =
    `[^${name}] ${state.getLines(startLine, line, state.blkIndent, false).trim().slice(found.length)}`.trim();
  token.map = [startLine, line];
  token.children = [];
  state.push('paragraph_close', 'p', -1);
  state.line = line;
  return true;
};

/** `<details>` with blocks inside, up to the line that closes it, or to the end of what is there. */
const details: BlockRule = (state, startLine, endLine, silent) => {
  if (!beginsWith(state, startLine, '<')) return false;
  if ((state.sCount[startLine] ?? 0) - state.blkIndent >= 4) return false;
  const lineAt = (line: number) => state.getLines(line, line + 1, state.sCount[line] ?? 0, false);
  const first = lineAt(startLine);
  // What closes one that was cut has no meaning.
  if (/^<\/details>\s*$/i.test(first)) {
    if (!silent) state.line = startLine + 1;
    return true;
  }
  if (!detailsOpen.test(first)) return false;
  if (silent) return true;
  let open = 0;
  let end = startLine;
  for (; end < endLine; end++) {
    const text = lineAt(end);
    if (detailsOpen.test(text)) open++;
    if (detailsClose.test(text)) open--;
    if (open === 0) break;
  }
  const lines = Array.from({ length: Math.min(end + 1, endLine) - startLine }, (_, index) =>
    state.getLines(startLine + index, startLine + index + 1, state.blkIndent, false),
  );
  const inside = lines
    .join('\n')
    .replace(detailsOpen, '')
    .replace(open === 0 ? detailsClose : /$^/, '');
  const [head = '', title = ''] = summary.exec(inside) ?? [];
  const whole = state.push('details_open', 'details', 1);
  whole.map = [startLine, Math.min(end + 1, endLine)];
  if (head !== '') {
    state.push('summary_open', 'summary', 1);
    const token = state.push('inline', '', 0);
    token.content = title;
    token.children = [];
    state.push('summary_close', 'summary', -1);
  }
  // Its blocks keep no places: only the whole has one.
  const tokens: typeof state.tokens = [];
  state.md.block.parse(inside.slice(head.length), state.md, state.env, tokens);
  for (const token of tokens) {
    token.map = null;
    token.level += state.level;
    state.tokens.push(token);
  }
  state.push('details_close', 'details', -1);
  state.line = Math.min(end + 1, endLine);
  return true;
};

function beginsWith(state: Parameters<BlockRule>[0], line: number, text: string): boolean {
  return state.src.startsWith(text, (state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0));
}
