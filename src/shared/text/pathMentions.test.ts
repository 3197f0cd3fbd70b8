import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isPathLike, pathMentions, wholePathMention } from './pathMentions';

const found = (text: string) =>
  pathMentions(text).map(({ start, end, path, line, column, endLine }) => [
    text.slice(start, end),
    path,
    line,
    column,
    endLine,
  ]);

test('finds paths in prose with lines and without surrounding punctuation', () => {
  assert.deepEqual(found('See src/a.ts, src/a.ts:12, (src/a.ts:12:3) and “a.ts#L3-L9”. Then src/b.ts:12-20!'), [
    ['src/a.ts', 'src/a.ts', undefined, undefined, undefined],
    ['src/a.ts:12', 'src/a.ts', 12, undefined, undefined],
    ['src/a.ts:12:3', 'src/a.ts', 12, 3, undefined],
    ['a.ts#L3-L9', 'a.ts', 3, undefined, 9],
    ['src/b.ts:12-20', 'src/b.ts', 12, undefined, 20],
  ]);
  assert.deepEqual(
    found('/etc/hosts ~/notes.md C:\\work\\a.ts:7 C:/work/a.ts ../up/x.rs ./b.c .github/ci.yml src/größe.ts').map(
      ([, path, line]) => [path, line],
    ),
    [
      ['/etc/hosts', undefined],
      ['~/notes.md', undefined],
      ['C:\\work\\a.ts', 7],
      ['C:/work/a.ts', undefined],
      ['../up/x.rs', undefined],
      ['./b.c', undefined],
      ['.github/ci.yml', undefined],
      ['src/größe.ts', undefined],
    ],
  );
  assert.deepEqual(
    found('在 src/a.ts：12，然后 b.ts。').map(([text]) => text),
    ['src/a.ts', 'b.ts'],
  );
});

test('ignores line 0 and ranges that end before they begin', () => {
  assert.deepEqual(found('a.ts:9-3 b.ts:0'), [
    ['a.ts:9-3', 'a.ts', 9, undefined, undefined],
    ['b.ts:0', 'b.ts', undefined, undefined, undefined],
  ]);
});

test('ignores addresses, network paths, numbers, and words', () => {
  const texts = [
    'https://example.com/a.ts',
    'file:///etc/passwd',
    '//host/share/a.ts',
    '\\\\host\\share\\a.ts',
    '1.5',
    'Well. Then',
    '...',
    '../',
    'src/',
    'a:b/c.ts',
    'command:workbench.action',
    'src/\u202ea.ts',
  ];
  for (const text of texts) assert.deepEqual(found(text), [], text);
  assert.equal(isPathLike('\\\\host\\share\\a.ts'), false);
  assert.equal(isPathLike('/\\host/a.ts'), false);
});

test('treats inline code as one path, including spaces and brackets', () => {
  assert.equal(wholePathMention('app/[id]/my page.tsx:4')?.path, 'app/[id]/my page.tsx');
  assert.equal(wholePathMention('app/[id]/my page.tsx:4')?.line, 4);
  assert.equal(wholePathMention('npm test'), undefined);
  assert.equal(wholePathMention('foo()'), undefined);
  assert.equal(wholePathMention('a.b\nc/d.ts'), undefined);
});

test('a place in parentheses, as compilers write it, belongs to the path', () => {
  assert.deepEqual(found('src/a.ts(12,5): error, b.ts(7) and c.ts(now)'), [
    ['src/a.ts(12,5)', 'src/a.ts', 12, 5, undefined],
    ['b.ts(7)', 'b.ts', 7, undefined, undefined],
    ['c.ts', 'c.ts', undefined, undefined, undefined],
  ]);
});
