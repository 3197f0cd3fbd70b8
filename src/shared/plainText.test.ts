import assert from 'node:assert/strict';
import test from 'node:test';
import { plainLabel, plainMarkdown, plainMessage } from './plainText';

/** The pattern by which VS Code finds links in notifications (`vs/base/common/linkedText`). */
const linkedText = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (["'])(.+?)(\3))?\)/i;

test('a notification has no link that a text from outside put there', () => {
  const text = 'a/[Open the log](command:workbench.action.terminal.sendSequence?%7B%7D) is not there';
  assert.match(text, linkedText);
  assert.doesNotMatch(plainMessage(text), linkedText);
  assert.doesNotMatch(plainMessage('[[a](command:x)](https://b.example)'), linkedText);
});

test('a notification spells out what turns text around', () => {
  assert.equal(plainMessage('a\u202Etxt.exe'), 'a\\u{202e}txt.exe');
});

test('a label has no icon that a text from outside put there', () => {
  assert.equal(plainLabel('$(check) Safe'), '\\$(check) Safe');
});

test('Markdown has nothing that a text from outside put there', () => {
  assert.equal(plainMarkdown('[a](command:b)\n<b>$(x)'), '\\[a\\]\\(command\\:b\\) \\<b\\>\\$\\(x\\)');
});
