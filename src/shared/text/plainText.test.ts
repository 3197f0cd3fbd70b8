import assert from 'node:assert/strict';
import test from 'node:test';
import { plainLabel, plainMarkdown, plainMessage } from './plainText';

/** VS Code's pattern for links in notifications (`vs/base/common/linkedText`). */
const linkedText = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (["'])(.+?)(\3))?\)/i;

test('shows no links from untrusted text in notifications', () => {
  const text = 'a/[Open the log](command:workbench.action.terminal.sendSequence?%7B%7D) is not there';
  assert.match(text, linkedText);
  assert.doesNotMatch(plainMessage(text), linkedText);
  assert.doesNotMatch(plainMessage('[[a](command:x)](https://b.example)'), linkedText);
});

test('spells out bidirectional characters in notifications', () => {
  assert.equal(plainMessage('a\u202Etxt.exe'), 'a\\u{202e}txt.exe');
});

test('shows no icons from untrusted text in labels', () => {
  assert.equal(plainLabel('$(check) Safe'), '\\$(check) Safe');
});

test('renders no Markdown from untrusted text', () => {
  assert.equal(plainMarkdown('[a](command:b)\n<b>$(x)'), '\\[a\\]\\(command\\:b\\) \\<b\\>\\$\\(x\\)');
});
