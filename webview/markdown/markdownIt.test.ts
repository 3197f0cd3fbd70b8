import { test } from 'node:test';
import assert from 'node:assert/strict';
import { linkTarget, markdownIt } from './markdownIt';

test('resolves web addresses to the web, and paths to files and lines', () => {
  assert.deepEqual(linkTarget('https://example.com/a:1'), { type: 'web', href: 'https://example.com/a:1' });
  assert.deepEqual(linkTarget('mailto:a@example.com'), { type: 'web', href: 'mailto:a@example.com' });
  assert.deepEqual(linkTarget('src/a.ts'), { type: 'file', path: 'src/a.ts' });
  assert.deepEqual(linkTarget('src/a.ts:12:3'), { type: 'file', path: 'src/a.ts', line: 12 });
  assert.deepEqual(linkTarget('a.ts:12'), { type: 'file', path: 'a.ts', line: 12 });
  assert.deepEqual(linkTarget('src/a.ts#L12-L20'), { type: 'file', path: 'src/a.ts', line: 12, endLine: 20 });
  assert.deepEqual(linkTarget('file:///home/me/a%20b.ts#L3'), { type: 'file', path: '/home/me/a b.ts', line: 3 });
  assert.deepEqual(linkTarget('file:///C:/x/a.ts'), { type: 'file', path: 'C:/x/a.ts' });
  assert.deepEqual(linkTarget('C:\\x\\a.ts:7'), { type: 'file', path: 'C:\\x\\a.ts', line: 7 });
});

test('resolves encoded characters to names, and lines in parentheses', () => {
  assert.deepEqual(linkTarget('docs/a%23b.md#L3'), { type: 'file', path: 'docs/a#b.md', line: 3 });
  assert.deepEqual(linkTarget('docs/50%25.md'), { type: 'file', path: 'docs/50%.md' });
  assert.deepEqual(linkTarget('src/a.ts(12,5)'), { type: 'file', path: 'src/a.ts', line: 12 });
  assert.deepEqual(linkTarget('src/a (1).ts'), { type: 'file', path: 'src/a (1).ts' });
});

test('renders bold and strikethrough beside Chinese and Japanese marks', () => {
  assert.equal(markdownIt.render('**重要：**请看'), '<p><strong>重要：</strong>请看</p>\n');
  assert.equal(markdownIt.render('これは~~「古い」~~です'), '<p>これは<s>「古い」</s>です</p>\n');
});

test('renders a few tags without attributes', () => {
  assert.equal(
    markdownIt.render('<kbd>Ctrl</kbd> H<sub>2</sub>O x<sup>2</sup> a<br/>b'),
    '<p><kbd>Ctrl</kbd> H<sub>2</sub>O x<sup>2</sup> a<br>b</p>\n',
  );
  assert.equal(markdownIt.render('<kbd onclick=x>a</kbd> `<br>`').includes('<kbd onclick'), false);
  assert.match(markdownIt.render('| a |\n| --- |\n| b<br>c |'), /<td>b<br>c<\/td>/);
});

test('renders details with their summary and blocks', () => {
  assert.equal(
    markdownIt.render('<details>\n<summary>More *here*</summary>\n\n- one\n\n</details>\n\nafter'),
    '<details>\n<summary>More <em>here</em></summary>\n<ul>\n<li>one</li>\n</ul>\n</details>\n<p>after</p>\n',
  );
  assert.equal(
    markdownIt.render('<details><summary>A</summary>\ntext\n</details>'),
    '<details>\n<summary>A</summary>\n<p>text</p>\n</details>\n',
  );
});

test('renders footnotes as raised marks', () => {
  assert.equal(
    markdownIt.render('As shown[^1].\n\n[^1]: In *a* book'),
    '<p>As shown<sup>1</sup>.</p>\n<p><sup>1</sup> In <em>a</em> book</p>\n',
  );
  assert.equal(markdownIt.render('Use [^a-z] here'), '<p>Use [^a-z] here</p>\n');
});

test('keeps fences inside a fence of Markdown', () => {
  const file = '# Title\n```bash\nls\n```\nMore\n';
  const html = markdownIt.render(`\`\`\`markdown\n${file}\`\`\`\n\nafter`);
  assert.equal(html, `<pre><code class="fence-markdown">${file}</code></pre>\n<p>after</p>\n`);
});

test('resolves no other links', () => {
  for (const href of [
    'javascript:alert(1)',
    'command:workbench.action.quit',
    'vscode://x',
    'data:text/html,x',
    '//host/x',
    '#top',
    '',
    'vbscript:x',
    'JaVaScRiPt:alert(1)',
  ]) {
    assert.equal(linkTarget(href), undefined, href);
  }
});

test('renders no HTML or images, and does not link file names', () => {
  assert.equal(markdownIt.render('<b onclick=x>hi</b>'), '<p>&lt;b onclick=x&gt;hi&lt;/b&gt;</p>\n');
  assert.equal(
    markdownIt.render('![pic](https://x.example/p.png)'),
    '<p><a href="https://x.example/p.png">pic</a></p>\n',
  );
  assert.equal(markdownIt.render('See readme.md and build.sh'), '<p>See readme.md and build.sh</p>\n');
  assert.equal(markdownIt.render('[x](command:foo)'), '<p>[x](command:foo)</p>\n');
  assert.equal(markdownIt.render('# One'), '<h3>One</h3>\n');
});
