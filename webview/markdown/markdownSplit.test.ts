import { test } from 'node:test';
import assert from 'node:assert/strict';
import { markdownIt } from './markdownIt';
import { MarkdownSplitter, safeCut, type MarkdownPiece } from './markdownSplit';

function all(text: string, sizes: () => number): MarkdownPiece[] {
  const splitter = new MarkdownSplitter();
  const out: MarkdownPiece[] = [];
  for (let at = 0; at < text.length;) {
    const size = sizes();
    out.push(...splitter.push(text.slice(at, at + size)));
    at += size;
  }
  return [...out, ...splitter.end()];
}

/** Renders the pieces. The result doesn't depend on how a fence was streamed. */
function html(pieces: readonly MarkdownPiece[]): string {
  let out = '';
  let code = '';
  let info = '';
  const env = {};
  for (const piece of pieces) {
    if (piece.type === 'blocks') out += markdownIt.render(piece.source, env);
    else if (piece.type === 'fenceOpen') ({ info } = piece);
    else if (piece.type === 'fenceText') code += piece.text;
    else {
      out += markdownIt.render(`~~~~~~${info}\n${code}~~~~~~\n`, env);
      code = '';
    }
  }
  return out;
}

function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return 1 + (state % 23);
  };
}

const sample = `# Title

A paragraph with \`code\`
over two lines
---

- one
- two

  still two

1. first
   \`\`\`sh
   nested
   \`\`\`
2. second

| a | b |
|---|---|
| 1 | 2 |

> quote
> more
#hashtag is text

\`\`\`\`ts title="x"
a
\`\`\`
  b
\`\`\`\`
~~~
tilde
~~~
Some text, then
$$
a = b
- c
---
# d
$$
\\[
x
\\]
$$
not closed
- list

$$ is text
- list

Last [link][ref]

[ref]: https://example.com
`;

test('finishes a block only when the next one has begun', () => {
  const splitter = new MarkdownSplitter();
  assert.deepEqual(splitter.push('One\n\nTw'), []);
  assert.equal(splitter.tail.source, 'One\n\nTw');
  assert.deepEqual(splitter.push('o\n'), [{ type: 'blocks', source: 'One\n\n', continues: false }]);
  assert.equal(splitter.tail.source, 'Two\n');
});

test('does not decide the kind of a block from half a line', () => {
  const splitter = new MarkdownSplitter();
  assert.deepEqual(splitter.push('Text\n#'), []);
  assert.deepEqual(splitter.push('hashtag\n'), []);
  assert.deepEqual(splitter.end(), [{ type: 'blocks', source: 'Text\n#hashtag\n', continues: false }]);
});

test("streams a fence's text and closes it only with its own kind", () => {
  const splitter = new MarkdownSplitter();
  assert.deepEqual(splitter.push('````ts\na'), [
    { type: 'fenceOpen', info: 'ts' },
    { type: 'fenceText', text: 'a' },
  ]);
  assert.deepEqual(splitter.push('\n``'), [{ type: 'fenceText', text: '\n' }]);
  assert.deepEqual(splitter.push('`\nb\n'), [{ type: 'fenceText', text: '```\nb\n' }]);
  assert.deepEqual(splitter.push('````\nafter'), [{ type: 'fenceClose' }]);
  assert.equal(splitter.tail.source, 'after');
});

test('renders a text the same however it is split', () => {
  const expected = markdownIt.render(sample.replace('[link][ref]', '[link]')).replace('[link]', '[link][ref]');
  for (let seed = 1; seed <= 100; seed++) {
    const shown = html(all(sample, random(seed)));
    assert.equal(shown.replace(/<a[^>]*>link<.a>/, '[link][ref]'), expected, `seed ${seed}`);
  }
  assert.equal(html(all(sample, () => 1)), expected);
});

test('returns all text except carriage returns', () => {
  const splitter = new MarkdownSplitter();
  const pieces = [
    ...splitter.push('One\r\n\r\n- a\r\n'),
    ...splitter.push('- b\r'),
    ...splitter.push('\n'),
    ...splitter.end(),
  ];
  assert.equal(pieces.map((piece) => (piece.type === 'blocks' ? piece.source : '')).join(''), 'One\n\n- a\n- b\n');
});

const giants: Record<string, string> = {
  paragraph: 'Some words of a **paragraph** that goes on. '.repeat(3000),
  lines: 'a line of a paragraph\n'.repeat(6000),
  list: '- an item\n'.repeat(12_000),
  ordered: Array.from({ length: 8000 }, (_, index) => `${index + 1}. an item\n`).join(''),
  nested: `- outer\n${'  - inner\n'.repeat(12_000)}`,
  quote: '> a quoted line\n'.repeat(8000),
  word: 'x'.repeat(120_000),
  emoji: '😀'.repeat(60_000),
};

for (const [name, text] of Object.entries(giants)) {
  test(`cuts a giant ${name}, so that the part to redraw stays short`, () => {
    const splitter = new MarkdownSplitter();
    let out = '';
    for (let at = 0; at < text.length; at += 500) {
      for (const piece of splitter.push(text.slice(at, at + 500))) if (piece.type === 'blocks') out += piece.source;
      assert.ok(splitter.tail.source.length <= 18_000, `${splitter.tail.source.length} at ${at}`);
    }
    for (const piece of splitter.end()) if (piece.type === 'blocks') out += piece.source;
    assert.equal(out, text);
  });
}

test('a giant table repeats its header, and each row appears once', () => {
  const rows = Array.from({ length: 2000 }, (_, index) => `| row${index} | value |\n`).join('');
  const pieces = all(`| a | b |\n|---|---|\n${rows}`, () => 777);
  assert.ok(pieces.length > 2);
  const text = pieces.map((piece) => (piece.type === 'blocks' ? piece.source : '')).join('');
  for (const index of [0, 777, 1999]) assert.equal(text.split(`| row${index} |`).length, 2);
  assert.deepEqual(
    new Set(pieces.map((piece) => piece.type === 'blocks' && piece.source.startsWith('| a | b |'))),
    new Set([true]),
  );
});

test('does not draw text after a giant block into it', () => {
  for (const text of [
    '| a | b |\n|---|---|\n' + '| row | value |\n'.repeat(2000),
    '> quote\n'.repeat(3000),
    '- item\n'.repeat(3000),
  ]) {
    for (const size of [100, 4000, 8192]) {
      const pieces = all(`${text}\n\nThe end`, () => size);
      const last = pieces.at(-1);
      assert.ok(last?.type === 'blocks');
      assert.match(markdownIt.render(last.source), /<p>The end<\/p>\n$/);
    }
  }
});

test('cuts a paragraph where that shows least', () => {
  assert.equal(safeCut('One line here\nand more words', 28), 14);
  assert.equal(safeCut('A first sentence. **bold words go on and on', 43), 18);
  assert.equal(safeCut('xxxxxxxxxx', 10), 10);
  assert.equal(safeCut('xxxxxxxxx😀', 10), 9);
});

test('a fence of Markdown holds fences, however it is split', () => {
  const file = '# Title\n```bash\nls\n```\nMore\n';
  const text = `Here:\n\n\`\`\`markdown\n${file}\`\`\`\n\nThe *rest*.\n`;
  const whole = html([{ type: 'blocks', source: text, continues: false }]);
  assert.match(whole, /<pre><code class="fence-markdown"># Title[^]*More\n<\/code><\/pre>\n<p>The <em>rest/);
  for (let seed = 1; seed < 40; seed++) {
    const pieces = all(text, random(seed));
    assert.equal(
      pieces.flatMap((piece) => (piece.type === 'fenceText' ? [piece.text] : [])).join(''),
      pieces.some(({ type }) => type === 'fenceOpen') ? file : '',
    );
    assert.equal(html(pieces), whole);
  }
});

test('details and footnotes are the same however they are split', () => {
  const text = 'A[^1]\n\n<details>\n<summary>S</summary>\n\n- a\n\n```sh\nb\n```\n\n</details>\n\n[^1]: c\n\nd\n';
  const whole = html([{ type: 'blocks', source: text, continues: false }]);
  for (let seed = 1; seed < 40; seed++) assert.equal(html(all(text, random(seed))), whole);
});
