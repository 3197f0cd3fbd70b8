import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, afterEach, suite, test } from 'node:test';
import { ProcessMark } from '../../../test/unit-support/markedProcesses';
import { posixOnly } from '../../../test/unit-support/platform';
import { createShellEnvironment, readShellEnvironment, type ShellEnvironmentOptions } from './shellEnvironment';
import { tempFolder } from '../../../test/unit-support/tempFolder';

const home = tempFolder({ after });
let mark = new ProcessMark();

afterEach(async () => {
  await mark.clean();
  mark = new ProcessMark();
});

/** Creates a program called `name` that replaces the user's shell. */
async function fakeShell(name: string, ...lines: string[]): Promise<string> {
  const path = join(home, name);
  await writeFile(path, ['#!/bin/sh', ...lines].join('\n') + '\n');
  await chmod(path, 0o755);
  return path;
}

function read(shell: string | undefined, options: ShellEnvironmentOptions = {}) {
  const env = { ...mark.env, HOME: home, EDITOR: 'vi', VSCODE_PID: '1', ...options.env };
  return readShellEnvironment({ ...options, ...(shell === undefined ? {} : { shell }), env });
}

/** Runs the last argument, as `sh -i -l -c COMMAND` does. */
const runLast = 'for last; do :; done; /bin/sh -c "$last"';

suite('the environment of a real bash', () => {
  test('has the variables of .bash_profile and .bashrc, whatever they print', posixOnly, async () => {
    await writeFile(
      join(home, '.bash_profile'),
      'echo "Welcome {"; export FROM_PROFILE="a b"$\'\\n\'"ü"; . ~/.bashrc; export NODE_OPTIONS="--require /no/such.js"\n',
    );
    await writeFile(
      join(home, '.bashrc'),
      'case $- in *i*) ;; *) return;; esac; export PATH="/opt/tool:$PATH"; set -x; read answer\n',
    );
    const result = await read('/bin/bash');
    assert.equal(result.problem, undefined);
    assert.equal(result.source, 'shell');
    assert.equal(result.env['FROM_PROFILE'], 'a b\nü');
    assert.match(result.env['PATH'] ?? '', /^\/opt\/tool:/);
    assert.equal(result.env['EDITOR'], 'vi');
    const traces = Object.keys(result.env).filter((name) =>
      /^(PARLEY_(?!TEST)|VSCODE_|ELECTRON_|NODE_OPTIONS|SHLVL|PWD|_$)/.test(name),
    );
    assert.deepEqual(traces, []);
    await mark.waitForCount(0);
  });

  test('survives an rc file that replaces an interactive shell', posixOnly, async () => {
    await writeFile(join(home, '.bash_profile'), 'export FROM_PROFILE=1; case $- in *i*) exec false;; esac\n');
    const result = await read('/bin/bash');
    assert.equal(result.source, 'shell');
    assert.equal(result.env['FROM_PROFILE'], '1');
  });
});

test('ignores noise before and after the output', posixOnly, async () => {
  const result = await read(await fakeShell('noisy', 'echo "{}"', 'export NEW=1', runLast, 'echo bye'));
  assert.equal(result.source, 'shell');
  assert.equal(result.env['NEW'], '1');
});

test('does not wait for a shell that keeps running after its output', posixOnly, async () => {
  const begin = performance.now();
  const result = await read(await fakeShell('lingering', 'export NEW=1', runLast, 'exec sleep 60'));
  assert.equal(result.env['NEW'], '1');
  assert.ok(performance.now() - begin < 9000);
  await mark.waitForCount(0);
});

test("stops a hanging shell with its children and uses the editor's environment", posixOnly, async () => {
  const result = await read(await fakeShell('hanging', "trap '' TERM", 'sleep 60 &', 'wait; sleep 60'), {
    timeoutMs: 300,
  });
  assert.equal(result.source, 'process');
  assert.match(result.problem ?? '', /hanging: no response within 0\.3 s/);
  assert.equal(result.env['EDITOR'], 'vi');
  assert.equal(result.env['VSCODE_PID'], undefined);
  await mark.waitForCount(0);
});

test('reports a failed, missing, or interrupted shell without rejecting', posixOnly, async () => {
  const failing = await read(await fakeShell('failing', 'exit 1'));
  assert.equal(failing.source, 'process');
  assert.match(failing.problem ?? '', /exit code 1/);
  const missing = await read(join(home, 'no-such-shell'));
  assert.equal(missing.source, 'process');
  assert.match(missing.problem ?? '', /ENOENT/);
  const broken = await read(await fakeShell('broken', 'printf "%s{%s" "$PARLEY_MARK" "$PARLEY_MARK"'));
  assert.match(broken.problem ?? '', /Couldn’t read the environment/);
});

test('does not ask shells with their own grammar', posixOnly, async () => {
  for (const name of ['nu', 'nologin']) {
    const result = await read(`/usr/bin/${name}`, {
      spawn: (() => assert.fail('It was asked.')) as unknown as typeof spawn,
    });
    assert.equal(result.source, 'process');
    assert.match(result.problem ?? '', /this shell isn’t supported/);
  }
});

test('uses the shell in SHELL', posixOnly, async () => {
  const shell = await fakeShell('named', 'export NEW=1', runLast);
  const result = await read(undefined, { env: { SHELL: shell } });
  assert.equal(result.shell, shell);
  assert.equal(result.env['NEW'], '1');
});

test('on Windows, asks no shell and reports no problem', async () => {
  const result = await read(undefined, { platform: 'win32' });
  assert.equal(result.source, 'process');
  assert.equal(result.problem, undefined);
});

test('concurrent callers share one run of the shell', posixOnly, async () => {
  let asked = 0;
  const counting = ((...args: Parameters<typeof spawn>) => {
    asked++;
    return spawn(...args);
  }) as typeof spawn;
  const shell = await fakeShell('counted', 'export NEW=1', runLast);
  const get = createShellEnvironment({ shell, spawn: counting, env: mark.env });
  assert.equal(asked, 0);
  const [first, second] = await Promise.all([get(), get()]);
  assert.equal(first, second);
  assert.equal(await get(), first);
  assert.equal(asked, 1);
});
