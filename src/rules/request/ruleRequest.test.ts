import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wordsOf } from './ruleRequest';

test('a value attached to options counts as a path', () => {
  for (const [line, path] of [
    ['tar -C.git', '.git'],
    ['tar -xzf/etc/a.tar', '/etc/a.tar'],
    ['tar -xf../a.tar', '../a.tar'],
    ['curl -so~/.npmrc', '~/.npmrc'],
    ['gcc -Isrc', 'src'],
    ['tool --out=/etc/x', '/etc/x'],
  ] as const) {
    assert.ok(wordsOf(line).includes(path), line);
  }
  assert.deepEqual(wordsOf('ls -la'), ['ls', 'a']);
  assert.deepEqual(wordsOf('head -20'), ['head']);
});
