// Answers of reviewing agents, as models write them and as they shouldn't.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileMeant, parseRemarks } from './remarks';

const short = (answer: string) => parseRemarks(answer).map(({ path, line, text }) => `${path}:${line} ${text}`);

test('reads remarks from the JSON block that was asked for', () => {
  const json =
    '[{ "path": "src/a.ts", "line": 12, "text": "Off by one" }, { "path": "b.ts", "line": 3, "text": "Typo" }]';
  const expected = ['src/a.ts:12 Off by one', 'b.ts:3 Typo'];
  for (const answer of [
    `\`\`\`json\n${json}\n\`\`\``,
    `I found two problems:\n\n\`\`\`\n${json}\n\`\`\`\n\nThat is all.`,
    `~~~json\r\n${json}\r\n~~~\r\n`,
    `\`\`\`json\n${json}`,
    json,
    `Here you are: ${json} Done.`,
    `\`\`\`json\n{ "remarks": ${json} }\n\`\`\``,
    `{ "summary": "Two", "findings": { "major": ${json} } }`,
    `\`\`\`json\n${json.replace(/\]$/, ',]')}\n\`\`\``,
    '```jsonl\n{ "path": "src/a.ts", "line": 12, "text": "Off by one" }\n{ "path": "b.ts", "line": 3, "text": "Typo" }\n```',
  ]) {
    assert.deepEqual(short(answer), expected, answer);
  }
});

test('takes the names of fields that models prefer', () => {
  assert.deepEqual(
    short(
      JSON.stringify([
        { file: 'a.ts', startLine: '7', comment: 'One' },
        { filename: 'a.ts:9', message: 'Two' },
        { filePath: 'a.ts', lines: [4, 6], body: 'Three' },
        { path: 'a.ts', line: 'L5-8', title: 'Four' },
        { path: 'a.ts', description: 'No line' },
        { text: 'No place' },
      ]),
    ),
    ['a.ts:7 One', 'a.ts:9 Two', 'a.ts:4 Three', 'a.ts:5 Four', 'a.ts:0 No line', ':0 No place'],
  );
});

test('reads lines that begin with a place', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['src/a.ts:12: Off by one', 'src/a.ts:12 Off by one'],
    ['- **src/a.ts:12** — Off by one', 'src/a.ts:12 Off by one'],
    ['1. `src/a.ts:12-15`: Off by one', 'src/a.ts:12 Off by one'],
    ['* `src/a.ts` line 12: Off by one', 'src/a.ts:12 Off by one'],
    ['src/a.ts, lines 12-14: Off by one', 'src/a.ts:12 Off by one'],
    ['- src/a.ts (line 12): Off by one', 'src/a.ts:12 Off by one'],
    ['- [src/a.ts:12](src/a.ts:12) Off by one', 'src/a.ts:12 Off by one'],
    ['- [src/a.ts#L12](./src/a.ts#L12): Off by one', 'src/a.ts:12 Off by one'],
    ['### src/a.ts:12\n\nOff by one', 'src/a.ts:12 Off by one'],
    ['src/a.ts:12:5 Off by one\n  because of this', 'src/a.ts:12 Off by one\n  because of this'],
    ['| `src/a.ts` | 12 | Off by one |', 'src/a.ts:12 Off by one'],
    ['C:\\work\\a.ts:12: Off by one', 'C:\\work\\a.ts:12 Off by one'],
  ];
  for (const [answer, expected] of cases) assert.deepEqual(short(answer), [expected], answer);
});

test('ends a remark with an empty line or the next place', () => {
  assert.deepEqual(short('Intro.\n\na.ts:1: One\nmore\nb.ts:2: Two\n\nOverall fine: see 12:30.'), [
    'a.ts:1 One\nmore',
    'b.ts:2 Two',
  ]);
  assert.deepEqual(short('Writing failed: {"message": "No"}\n\na.ts:1: One'), ['a.ts:1 One']);
});

test('finds nothing where nothing is said', () => {
  for (const answer of [
    '',
    '[]',
    '```json\n[]\n```',
    'No remarks. The change looks good at 12:30.',
    'null',
    '[1, "a", null, [[[[[[[{"text": 1}]]]]]]]]',
    '{"path": "a.ts", "line": 3}',
    '[{"path": "a.ts", "line": 3, "text": "   "}]',
    '```\n',
    '{"__proto__": {"text": 1}}',
    'http://example.com:8080 is down',
  ]) {
    assert.deepEqual(short(answer), [], answer);
  }
});

test('survives answers that mean harm', () => {
  assert.deepEqual(short('[{"path":"a.ts","line":-4,"text":"x"},{"path":"a.ts","line":1e99,"text":"y"}]'), [
    'a.ts:0 x',
    'a.ts:0 y',
  ]);
  assert.equal(parseRemarks(JSON.stringify(Array(5000).fill({ path: 'a', line: 1, text: 'same' }))).length, 1);
  const many = Array.from({ length: 5000 }, (_, at) => `a.ts:${at + 1}: remark`).join('\n');
  assert.equal(parseRemarks(many).length, 200);
  assert.equal(parseRemarks(`a.ts:1: ${'x'.repeat(3000)}\n${'y'.repeat(5000)}`)[0]?.text.length, 4001);
  const started = performance.now();
  for (const text of ['[', '{', '`', '#', '*', ':', '- ', 'a/', '|', 'a.ts:', '\n', '{"a":', '(((']) {
    parseRemarks(text.repeat(200_000 / text.length));
  }
  assert.ok(performance.now() - started < 5000);
});

test('finds the file that is meant, however it is written', () => {
  const files = ['src/a.ts', 'src/b/index.ts', 'src/c/index.ts', 'a/deep.ts'].map((path) => ({
    path,
    absolute: `/work/project/${path}`,
  }));
  const meant = (path: string) => fileMeant(path, files)?.path;
  for (const path of [
    'src/a.ts',
    './src/a.ts',
    'a/src/a.ts',
    'b/src/a.ts',
    '/work/project/src/a.ts',
    'a.ts',
    'src\\a.ts',
    'file:///work/project/src/a.ts',
    'project/src/a.ts',
  ]) {
    assert.equal(meant(path), 'src/a.ts', path);
  }
  assert.equal(meant('a/deep.ts'), 'a/deep.ts');
  for (const path of ['index.ts', '', 'other.ts', '../src/aa.ts', 'ts', '/'])
    assert.equal(meant(path), undefined, path);
});
