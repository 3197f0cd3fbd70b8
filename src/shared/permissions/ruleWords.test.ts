import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WrittenRule } from './permissionRules';
import { originWords, ruleSentence, ruleWarning } from './ruleWords';

test('describes a rule by all of its conditions', () => {
  const sentences: readonly (readonly [WrittenRule, string])[] = [
    [{ answer: 'ask' }, 'Asks about every request'],
    [{ command: 'npm test *', answer: 'allow_once' }, 'Allows commands that match “npm test *”'],
    [
      { kind: ['edit', 'delete'], path: ['src/**', 'a.md'], where: 'inside', agent: 'Claude', answer: 'reject_once' },
      'Rejects editing files, deleting files · in “src/**”, “a.md” · inside the workspace · from Claude',
    ],
    [{ mcpServer: 'lab', mcpTool: 'run', answer: 'ask' }, 'Asks about the tool “run” of the MCP server “lab”'],
    [{ mcpServer: 'lab', answer: 'ask' }, 'Asks about every tool of the MCP server “lab”'],
  ];
  for (const [rule, sentence] of sentences) assert.equal(ruleSentence(rule), sentence);
});

test('shows hidden characters of a rule or a title', () => {
  assert.doesNotMatch(ruleSentence({ command: 'a\u202eb', answer: 'ask' }), /\u202e/);
  assert.doesNotMatch(originWords('session', 'a\u202eb'), /\u202e/);
});

test('a rule that allows whatever a program can run carries a warning', () => {
  const warning = (command: string) => ruleWarning({ command, answer: 'allow_once' });
  for (const wide of ['*', '* test', '/.*/', '/^.+$/']) assert.match(warning(wide), /any command/, wide);
  const programs =
    'cross-env|watch|parallel|busybox|tsx|java|psql|rsync|code|npx|bash|python3|node|xargs|env|ssh|git|gh';
  for (const program of programs.split('|'))
    assert.match(warning(`${program} *`), new RegExp(`that ${program} can`), program);
  for (const wide of ['git config *', 'npm exec *', 'docker run *', 'python -c *', '/usr/bin/env *', 'bash -c *'])
    assert.notEqual(warning(wide), '', wide);
  for (const narrow of [
    'npm test *',
    'npm run build *',
    'ls *',
    'git status *',
    'bash build.sh',
    'make all',
    'git log -*',
  ])
    assert.equal(warning(narrow), '', narrow);
  assert.equal(ruleWarning({ command: '*', answer: 'reject_once' }), '');
  assert.notEqual(ruleWarning({ kind: 'execute', title: '*', answer: 'allow_once' }), '');
});
