import MarkdownIt from 'markdown-it';

const markdown = new MarkdownIt({ html: false, linkify: false });

/** Returns the lines that a reader of rendered Markdown sees, without the marks. */
export function markdownLines(text: string): readonly string[] {
  const lines: string[] = [];
  for (const token of markdown.parse(text, {})) {
    if (token.type === 'fence' || token.type === 'code_block') {
      lines.push(...token.content.replace(/\n$/, '').split('\n'));
    } else if (token.type === 'inline') {
      const parts = (token.children ?? []).map((child) => {
        if (child.type === 'softbreak' || child.type === 'hardbreak') return '\n';
        return child.content;
      });
      lines.push(...parts.join('').split('\n'));
    }
  }
  return lines;
}
