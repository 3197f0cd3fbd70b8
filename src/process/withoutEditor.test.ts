import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { needsGit } from '../../test/unit-support/platform';
import { tempFolder } from '../../test/unit-support/tempFolder';
import { withoutEditor } from './withoutEditor';

const git = ['-c', 'user.name=a', '-c', 'user.email=a@b.example'];

test('Git opens no editor, whatever the user has chosen', needsGit, (t) => {
  const cwd = tempFolder(t);
  const env = { ...process.env, EDITOR: 'false', GIT_EDITOR: 'false', ...withoutEditor(process.platform) };
  const run = (...args: readonly string[]) => execFileSync('git', [...git, ...args], { cwd, env, encoding: 'utf8' });
  run('init', '--quiet');
  run('commit', '--quiet', '--allow-empty', '--message', 'First');
  run('commit', '--quiet', '--allow-empty', '--amend');
  assert.equal(run('log', '--format=%s').trim(), 'First');
});

test('each system has a program that does nothing', () => {
  assert.deepEqual(withoutEditor('win32'), {
    EDITOR: 'cmd.exe /d /c rem',
    VISUAL: 'cmd.exe /d /c rem',
    GIT_EDITOR: ':',
    GIT_SEQUENCE_EDITOR: ':',
    GIT_MERGE_AUTOEDIT: 'no',
  });
  const { EDITOR, VISUAL, DEBIAN_FRONTEND } = withoutEditor('linux');
  assert.deepEqual([EDITOR, VISUAL, DEBIAN_FRONTEND], ['true', 'true', 'noninteractive']);
});
