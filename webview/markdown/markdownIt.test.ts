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
