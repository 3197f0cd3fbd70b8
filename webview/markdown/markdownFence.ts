import type MarkdownIt from 'markdown-it';

type Md = InstanceType<typeof MarkdownIt>;
type BlockRule = Parameters<Md['block']['ruler']['before']>[2];

/** Whether a fence with these words is a Markdown file, which may have fences itself. Models often write both with three backticks. */
export function holdsFences(info: string): boolean {
  return /^\s*(?:markdown|md|mdx)\b/i.test(info);
}

/** What a line inside a fence of Markdown changes: 1 if it opens a fence there, -1 if it closes one, else 0. */
export function innerFence(line: string, char: string, length: number, open: number): -1 | 0 | 1 {
  const [, marks = '', info = ''] = /^ {0,3}(`{3,}|~{3,})[ \t]*([^`]*)$/.exec(line) ?? [];
  if (!marks.startsWith(char) || marks.length < length) return 0;
  if (info.trim() !== '') return 1;
  return open > 0 ? -1 : 0;
}

/** Returns the index of the line that closes a fence of Markdown, which the first line opens. -1 if none does. */
export function fenceEnd(lines: readonly string[], char: string, length: number): number {
  let open = 0;
  for (let at = 1; at < lines.length; at++) {
    const line = lines[at] ?? '';
    const change = innerFence(line, char, length, open);
    open += change;
    if (change === 0 && /^ {0,3}(?:`{3,}|~{3,})[ \t]*$/.test(line)) {
      const marks = line.trim();
      if (marks.startsWith(char) && marks.length >= length) return at;
    }
  }
  return -1;
}

/** Adds fences of Markdown that hold fences: one that opens inside is closed before the whole is. */
export function addMarkdownFence(md: Md): void {
  md.block.ruler.before('fence', 'markdown_fence', markdownFence, {
    alt: ['paragraph', 'reference', 'blockquote', 'list'],
  });
}

const markdownFence: BlockRule = (state, startLine, endLine, silent) => {
  const mark = state.src.charAt((state.bMarks[startLine] ?? 0) + (state.tShift[startLine] ?? 0));
  if (mark !== '`' && mark !== '~') return false;
  if ((state.sCount[startLine] ?? 0) - state.blkIndent >= 4) return false;
  const lineAt = (line: number) => state.getLines(line, line + 1, state.sCount[startLine] ?? 0, false);
  const first = lineAt(startLine);
  const [, marks = '', info = ''] = /^(`{3,}|~{3,})([^`]*)$/.exec(first) ?? [];
  if (marks === '' || !holdsFences(info)) return false;
  if (silent) return true;
  const lines = [first];
  let line = startLine + 1;
  for (; line < endLine; line++) {
    // A line outside the list or quote that the fence is in ends it.
    if ((state.sCount[line] ?? 0) < state.blkIndent && !state.isEmpty(line)) break;
    lines.push(lineAt(line));
  }
  const end = fenceEnd(lines, marks.charAt(0), marks.length);
  const last = end < 0 ? lines.length : end;
  const token = state.push('fence', 'code', 0);
  token.info = info;
  token.content = lines
    .slice(1, last)
    .map((text) => `${text}\n`)
    .join('');
  token.markup = marks;
  state.line = startLine + (end < 0 ? lines.length : end + 1);
  token.map = [startLine, state.line];
  return true;
};
