import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadParser, requestOf } from '../../../test/unit-support/ruleRequests';
import type { ToolCallContent } from '../../shared/transcript/content';
import type { ToolKind } from '../../shared/transcript/transcript';
import type { ShellParser } from '../line/shellParser';
import { onlyReads } from './onlyReads';
import { beforeTests } from '../../../test/unit-support/beforeTests';

let parser: ShellParser;
beforeTests(async () => {
  parser = await loadParser();
});

function runs(command: string | readonly string[]): boolean {
  return onlyReads(requestOf({ entry: { toolKind: 'execute', rawInput: { command } } }, parser), []);
}

test('lines of programs that only print are known to read', () => {
  for (const line of [
    'git diff',
    'git --no-pager log --oneline -5',
    'git -C sub status --short | head -20',
    'cat src/a.ts && grep -rn "todo" src',
    "sed -n '10,40p' src/a.ts",
    'find . -name "*.ts" | wc -l',
    'ls -la 2>/dev/null',
    'cd src; rg -n foo',
  ]) {
    assert.equal(runs(line), true, line);
  }
  assert.equal(runs(['bash', '-lc', 'git diff HEAD | head']), true);
});

test('everything that could change something is not', () => {
  for (const line of [
    'npm test',
    'git checkout .',
    'git -c core.pager=sh log',
    'git diff --output=a.ts',
    'git diff --ext-diff',
    'git grep -Oless todo',
    'git branch new',
    'cat a.ts > b.ts',
    'GIT_EXTERNAL_DIFF=./x git diff',
    'PATH=. ls',
    './cat a.ts',
    'find . -delete',
    'find . -exec rm {} +',
    'fd -x rm',
    'sort -o a.ts a.ts',
    "sed -i 's/a/b/' a.ts",
    "sed -n 'w out' a.ts",
    'rg --pre ./run foo',
    'ls $(touch a)',
    'cat <(rm a)',
    'echo a | tee b',
    'cat a; rm a',
    'xargs rm < list',
    'node -e "1"',
    'env ls',
    '',
  ]) {
    assert.equal(runs(line), false, line);
  }
  assert.equal(runs(['bash', '-lc', 'git diff HEAD > out']), false);
});

test('other requests count as reading only if their kind says so', () => {
  const reads = (toolKind: ToolKind, content: readonly ToolCallContent[] = []) =>
    onlyReads(requestOf({ entry: { toolKind, content } }, parser), content);
  const kinds: readonly ToolKind[] = [
    'read',
    'search',
    'think',
    'fetch',
    'edit',
    'delete',
    'move',
    'switch_mode',
    'other',
  ];
  assert.deepEqual(
    kinds.filter((kind) => reads(kind)),
    ['read', 'search', 'think', 'fetch'],
  );
  assert.equal(reads('read', [{ type: 'diff', path: '/ws/a.ts', newText: 'x' }]), false);
});
