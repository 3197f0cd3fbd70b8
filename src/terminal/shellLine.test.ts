import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseShell, displayCommand, planLaunch, throughCmd } from './shellLine';

const posix = { platform: 'linux' as const, shell: '/bin/bash', isFile: (path: string) => path === '/opt/my tool/run' };
const windows = { platform: 'win32' as const, shell: 'cmd.exe', isFile: () => false };

const rows: readonly (readonly [command: string, args: readonly string[], viaShell: boolean])[] = [
  ['ls', [], false],
  ['./run.sh', [], false],
  ['/usr/bin/env', [], false],
  ['python3.12', [], false],
  ['ls -la', [], true],
  ['echo a && echo b', [], true],
  ['echo a|cat', [], true],
  ['cat<file', [], true],
  ['ls;pwd', [], true],
  ['$HOME/bin/x', [], true],
  ['~/bin/x', [], true],
  ['*.sh', [], true],
  ['line one\nline two', [], true],
  ['/opt/my tool/run', [], false],
  ['/opt/my tool/other', [], true],
  ['echo', ['a && b', '$HOME', '*'], false],
  ['my prog', ['x'], false],
  ['ls -la', [''], false],
];

test('runs in the shell only a multi-word command without arguments', () => {
  for (const [command, args, viaShell] of rows) {
    const launch = planLaunch(command, args, posix);
    assert.equal(launch.viaShell, viaShell, command);
    assert.deepEqual(
      [launch.file, launch.args],
      viaShell ? ['/bin/bash', ['-c', command]] : [command, args],
      `${command} ${args.join(' ')}`,
    );
  }
});

test('on Windows, backslashes are paths and the line passes unchanged', () => {
  assert.equal(planLaunch(String.raw`C:\tools\run.exe`, [], windows).viaShell, false);
  assert.deepEqual(planLaunch('dir /b "C:\\a b" & ver', [], windows), {
    file: 'cmd.exe',
    args: '/d /s /c "dir /b "C:\\a b" & ver"',
    viaShell: true,
  });
});

test("a batch file's arguments can't run anything else", () => {
  const { args } = throughCmd('cmd.exe', String.raw`C:\p\npm.cmd`, ['run', 'a b', 'x&calc', '%PATH%', 'say "hi"']);
  assert.equal(
    args,
    String.raw`/d /e:on /v:off /s /c ""C:\p\npm.cmd" "run" ` +
      String.raw`"a b" "x&calc" "%%cd:~,%PATH%%cd:~,%" "say ""hi""""`,
  );
});

test("uses the user's shell if it supports the agents' syntax", () => {
  const exists = (path: string) => path !== '/usr/bin/missing/zsh';
  assert.equal(chooseShell('linux', { SHELL: '/usr/bin/zsh' }, exists), '/usr/bin/zsh');
  assert.equal(chooseShell('linux', { SHELL: '/usr/bin/fish' }, exists), '/bin/bash');
  assert.equal(chooseShell('linux', { SHELL: '/usr/bin/missing/zsh' }, exists), '/bin/bash');
  assert.equal(
    chooseShell('linux', { SHELL: 'zsh' }, () => false),
    '/bin/sh',
  );
  assert.equal(chooseShell('darwin', {}, exists), '/bin/bash');
  assert.equal(chooseShell('win32', { ComSpec: String.raw`C:\w\cmd.exe` }, exists), String.raw`C:\w\cmd.exe`);
  assert.equal(chooseShell('win32', { comspec: String.raw`C:\w\cmd.exe` }, exists), String.raw`C:\w\cmd.exe`);
  assert.equal(chooseShell('win32', {}, exists), 'cmd.exe');
});

test('displays a shell line unchanged and quotes words that need it', () => {
  assert.equal(displayCommand('echo a && echo b', []), 'echo a && echo b');
  assert.equal(displayCommand('git', ['commit', '-m', "it's done", '']), String.raw`git commit -m 'it'\''s done' ''`);
});
