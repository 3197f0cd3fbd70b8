import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { needsGit } from '../../test/unit-support/platform';
import { harmlessOf } from './harmless';
import { readSettings, settingsText } from './settingsText';

const text = `; a comment
[core]
\tautocrlf = input # why
\tbare
\tignoreCase = true ; why
[Filter "Big \\"A\\".b"]
\tClean = sh -c \\"x\\" "# kept ; " after  \t
\tsmudge = one \\
two\\tthree\\nfour
[branch.Old] merge = refs/heads/x
[core] eol = lf
\tempty =
[include]
\tpath = "C:\\\\Users\\\\a b"
`;

function asGitReads(settings: string): (readonly [string, string])[] {
  const args = ['config', '--no-includes', '-f', '-', '--list', '-z'];
  const printed = execFileSync('git', args, { input: settings, encoding: 'utf8' });
  return printed
    .split('\0')
    .slice(0, -1)
    .map((entry) => {
      const end = entry.indexOf('\n');
      return end < 0 ? ([entry, 'true'] as const) : ([entry.slice(0, end), entry.slice(end + 1)] as const);
    });
}

test('reads settings as git reads them', needsGit, () => {
  assert.deepEqual(readSettings(text), asGitReads(text));
  assert.deepEqual(readSettings('\uFEFF[a]\r\n\tb = c\r\n'), [['a.b', 'c']]);
});

test('reads nothing of a file that git refuses', () => {
  for (const broken of ['a = b', '[core\n', '[core]\n\ta = "b', '[core]\n\ta = \\x', '[core]\n\t1 = 2', '[]\n']) {
    assert.equal(readSettings(broken), undefined, broken);
  }
});

test('git reads the settings that are passed on as they are', needsGit, () => {
  const settings = [
    ['core.excludesfile', 'C:\\a "b"\t#c;\n d '],
    ['core.eol', ''],
  ] as const;
  assert.deepEqual(asGitReads(settingsText(settings)), settings);
});

test('passes on only settings that are known to start nothing', () => {
  const own = [
    ['core.autocrlf', 'false'],
    ['core.fsmonitor', 'x'],
    ['core.worktree', '/'],
    ['core.anything', 'x'],
    ['include.path', 'x'],
    ['filter.lfs.clean', 'x'],
    ['core.autocrlf', 'input'],
    ['extensions.worktreeconfig', 'true'],
    ['core.repositoryformatversion', '1'],
  ] as const;
  const users = [
    ['core.repositoryformatversion', '7'],
    ['core.eol', 'lf'],
    ['core.hookspath', 'x'],
  ] as const;
  assert.deepEqual(harmlessOf(users, own), [
    ['core.autocrlf', 'input'],
    ['core.eol', 'lf'],
    ['core.repositoryformatversion', '1'],
  ]);
  assert.equal(harmlessOf([], [['extensions.later', 'true']]), undefined);
});
