import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readFrontMatter } from './frontMatter';

const read = (text: string) => {
  const { values, body } = readFrontMatter(text);
  return { ...Object.fromEntries(values), body };
};

test('reads plain, quoted, and long values', () => {
  assert.deepEqual(read('---\ntitle: Fix: a bug\nDescription: "Two words"\nempty:\n---\nText\n'), {
    title: 'Fix: a bug',
    description: 'Two words',
    empty: '',
    body: 'Text\n',
  });
  assert.deepEqual(read("---\r\nname: 'x'\r\ndescription: >-\r\n  goes on\r\n  here\r\n...\r\nText"), {
    name: 'x',
    description: 'goes on here',
    body: 'Text',
  });
});

test("skips lines that aren't values", () => {
  const text = '---\n# comment\n- item\n  more\nmetadata:\n  author: me\ntitle: A\n\n  lost\n---\nText';
  assert.deepEqual(read(text), { metadata: 'author: me', title: 'A', body: 'Text' });
});

test('takes a front matter without an end for text', () => {
  for (const text of ['---\ntitle: A\nText', 'Text\n---\n', '', '--- \n', '-----\na: b\n---\n'])
    assert.deepEqual(read(text), { body: text });
  const long = `---\n${'a: b\n'.repeat(300)}---\n`;
  assert.equal(read(long).body, long);
});

test('drops a byte order mark', () => {
  assert.deepEqual(read('\ufeff---\ntitle: A\n---\nText'), { title: 'A', body: 'Text' });
});
