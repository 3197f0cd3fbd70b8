import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commandText, hasControls } from './commandText';
import { languageOf, namedCode, proposedName } from './namedFile';

test("finds a code block's file in its info or first comment", () => {
  const named = (info: string, text = 'x') => namedCode({ info, text }).path;
  assert.equal(named('ts src/a.ts'), 'src/a.ts');
  assert.equal(named('ts title="src/my a.ts"'), 'src/my a.ts');
  assert.equal(named("js {filename: 'b.js'}"), 'b.js');
  assert.equal(named('ts:src/a.ts'), 'src/a.ts');
  assert.equal(named('12:20:src/a.ts'), 'src/a.ts');
  assert.equal(named('src/a.ts'), 'src/a.ts');
  assert.equal(named('ts', '// src/a.ts\nx'), 'src/a.ts');
  assert.equal(named('py', '# file: tools/b.py\nx'), 'tools/b.py');
  assert.equal(named('html', '<!-- a/index.html -->\nx'), 'a/index.html');
  assert.equal(named('css', '/* site.css */\nx'), 'site.css');
  for (const [info, text] of [
    ['ts', '// a comment\nx'],
    ['ts title="//host/share/a.ts"', 'x'],
    ['bash', '#!/bin/sh\nx'],
    ['', 'x'],
  ] as const) {
    assert.equal(named(info, text), undefined, info + text);
  }
});

test('removes a line that only names the file', () => {
  assert.equal(namedCode({ info: 'ts', text: '// src/a.ts\n\nx\n' }).text, 'x\n');
  assert.equal(namedCode({ info: 'ts src/b.ts', text: '// src/a.ts\nx' }).text, '// src/a.ts\nx');
});

test('recognizes languages and proposes file names', () => {
  assert.equal(languageOf('TS {1,2}'), 'ts');
  assert.equal(proposedName('typescript'), 'untitled.ts');
  assert.equal(proposedName('go'), 'untitled.go');
  assert.equal(proposedName('../x'), 'untitled.txt');
  for (const language of ['bash', 'shell', 'zsh']) assert.equal(proposedName(language), 'untitled.sh', language);
});

test('strips prompts, output, tabs, and surrounding line breaks from commands', () => {
  assert.equal(commandText('\n$ npm ci\n$ npm test\n\n', 'bash'), 'npm ci\nnpm test');
  assert.equal(commandText('$ ls\na.ts\n', 'console'), 'ls');
  assert.equal(commandText('cat <<E\n\t$ x\nE\n', 'sh'), 'cat <<E\n    $ x\nE');
  assert.equal(commandText('a\r\nb', 'sh'), 'a\nb');
  // This empties a file, and is no prompt.
  assert.equal(commandText('> a.log', 'sh'), '> a.log');
  assert.equal(commandText('$ cat <<E\n> x\n> E\nx\n', 'console'), 'cat <<E\nx\nE');
  assert.equal(hasControls('echo \u0003'), true);
  assert.equal(hasControls('a\nb'), false);
});
