import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { withoutEditor } from '../process/withoutEditor';
import { terminalEnvironment } from './terminalEnvironment';

const linux = { cwd: '/w', driver: 'pty', platform: 'linux' } as const;

test('removes variables of the editor, outer agent, and outer terminal', () => {
  const base = {
    PATH: '/bin',
    ELECTRON_RUN_AS_NODE: '1',
    VSCODE_IPC_HOOK: 'x',
    NODE_OPTIONS: '--inspect',
    NODE_PATH: 'n',
    CLAUDECODE: '1',
    TMUX: 'x',
    COLUMNS: '5',
    GONE: undefined,
  };
  assert.deepEqual(terminalEnvironment(base, {}, linux), {
    PATH: '/bin',
    NODE_PATH: 'n',
    ...withoutEditor('linux'),
    PAGER: 'cat',
    GIT_PAGER: 'cat',
    PWD: '/w',
    TERM: 'xterm-256color',
  });
});

test("the agent's variables override all others", () => {
  const agent = { PAGER: 'less', TERM: 'dumb', NODE_OPTIONS: '--x', NEW: '1' };
  const env = terminalEnvironment({ NEW: '0' }, agent, linux);
  assert.deepEqual([env['PAGER'], env['TERM'], env['NODE_OPTIONS'], env['NEW']], ['less', 'dumb', '--x', '1']);
});

test('does not promise a terminal behind pipes', () => {
  assert.equal(terminalEnvironment({}, {}, { ...linux, driver: 'pipe' })['TERM'], undefined);
});

test('a shell behind pipes does not assume a remote login', () => {
  const level = (base: Record<string, string>) => terminalEnvironment(base, {}, { ...linux, driver: 'pipe' })['SHLVL'];
  assert.deepEqual([level({}), level({ SHLVL: '0' }), level({ SHLVL: '3' })], ['1', '1', '3']);
});

test('keeps cmd.exe from searching the current folder unless the agent insists', () => {
  const name = 'NoDefaultCurrentDirectoryInExePath';
  const value = (agent: Record<string, string>, platform: NodeJS.Platform) =>
    terminalEnvironment({}, agent, { ...linux, platform })[name];
  assert.deepEqual([value({}, 'win32'), value({ [name]: '' }, 'win32'), value({}, 'linux')], ['1', '', undefined]);
});

test('overrides variables on Windows whatever their case', () => {
  const env = terminalEnvironment({ Path: 'a', pager: 'b' }, { PATH: 'c' }, { ...linux, platform: 'win32' });
  assert.deepEqual([env['Path'], env['PATH'], env['pager'], env['PAGER']], [undefined, 'c', undefined, 'cat']);
});

test('opens no editor unless the agent sets one', () => {
  const base = { EDITOR: 'vim', VISUAL: 'code --wait', GIT_EDITOR: 'vim' };
  const names = ['EDITOR', 'VISUAL', 'GIT_EDITOR', 'GIT_SEQUENCE_EDITOR', 'GIT_MERGE_AUTOEDIT', 'DEBIAN_FRONTEND'];
  const values = (env: Record<string, string>) => names.map((name) => env[name]);
  assert.deepEqual(values(terminalEnvironment(base, {}, linux)), ['true', 'true', ':', ':', 'no', 'noninteractive']);
  const windows = values(terminalEnvironment(base, {}, { ...linux, platform: 'win32' }));
  assert.deepEqual(windows, ['cmd.exe /d /c rem', 'cmd.exe /d /c rem', ':', ':', 'no', undefined]);
  assert.equal(terminalEnvironment(base, { EDITOR: 'nano' }, linux)['EDITOR'], 'nano');
});

test('git uses the message unchanged instead of opening an editor', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'parley-editor-'));
  try {
    const env = terminalEnvironment(
      { ...process.env, EDITOR: 'cat' },
      {},
      { ...linux, cwd: folder, platform: process.platform },
    );
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@b', ...args], {
        cwd: folder,
        env,
        encoding: 'utf8',
        stdio: 'pipe',
      });
    git('init', '-q');
    git('commit', '-q', '--allow-empty', '-m', 'one');
    git('commit', '-q', '--allow-empty', '--amend');
    assert.equal(git('log', '--format=%s').trim(), 'one');
    assert.throws(() => git('commit', '--allow-empty'), /empty commit message/);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
