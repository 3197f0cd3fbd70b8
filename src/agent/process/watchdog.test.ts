import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { after, afterEach, suite, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { build } from 'esbuild';
import { fixtureAgent, ProcessMark } from '../../../test/unit-support/markedProcesses';
import { posixOnly } from '../../../test/unit-support/platform';
import { startTimeOf } from '../../process/processTree';
import { beforeTests } from '../../../test/unit-support/beforeTests';

let folder: string;
let mark = new ProcessMark();
const hosts = new Set<ChildProcess>();

beforeTests(async () => {
  if (posixOnly.skip) return;
  folder = await mkdtemp(join(tmpdir(), 'parley-watchdog-'));
  const shared = { bundle: true, platform: 'node', format: 'cjs', absWorkingDir: process.cwd() } as const;
  await build({ ...shared, entryPoints: ['src/agent/process/watchdog/main.ts'], outfile: join(folder, 'watchdog.js') });
  await build({ ...shared, entryPoints: ['test/unit-support/guardedHost.ts'], outfile: join(folder, 'host.js') });
});
after(async () => {
  if (!posixOnly.skip) await rm(folder, { recursive: true });
});
afterEach(async () => {
  for (const host of hosts) host.kill('SIGKILL');
  hosts.clear();
  await mark.clean();
  mark = new ProcessMark();
});

interface Host {
  readonly process: ChildProcess;
  readonly lines: Interface;
  /** Sends a command and resolves with the line that answers it. */
  do(command: string): Promise<string>;
}

/**
 * Starts a process in place of the extension host. The process has no mark, but its children do, including the
 * watchdog.
 */
function startHost(fixture: string, args: readonly string[] = [], idleMs = 0): Host {
  const options = {
    watchdog: join(folder, 'watchdog.js'),
    agent: fixtureAgent(fixture),
    args,
    env: mark.env,
    cwd: process.cwd(),
    idleMs,
  };
  const child = spawn(process.execPath, [join(folder, 'host.js'), JSON.stringify(options)], {
    env: { PATH: process.env['PATH'] },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  hosts.add(child);
  const lines = createInterface({ input: child.stdout });
  return {
    process: child,
    lines,
    async do(command) {
      const answer = once(lines, 'line') as Promise<[string]>;
      child.stdin.write(`${command}\n`);
      return (await answer)[0];
    },
  };
}

async function killHost(host: Host): Promise<void> {
  const ended = once(host.process, 'exit');
  host.process.kill('SIGKILL');
  await ended;
}

suite('when the host is killed', () => {
  const cases: [fixture: string, args: string[], processes: number][] = [
    ['ignoresStdinEnd', [], 1],
    ['ignoresSigterm', [], 2],
    ['ignoresSigterm', ['escape'], 2],
    ['wrapsDeafChild', [], 2],
  ];
  for (const [fixture, args, processes] of cases) {
    test(`no process is left of ${[fixture, ...args].join(' ')}, nor the watchdog`, posixOnly, async () => {
      const host = startHost(fixture, args);
      const watchdog = Number(await host.do('start'));
      await mark.waitForCount(processes);
      assert.ok(await startTimeOf(watchdog));
      await killHost(host);
      await mark.waitForCount(0);
      await waitForEnd(watchdog);
    });
  }

  // Only Linux shows which signals a process handles. Until the watchdog handles them, they end it, and the host starts
  // another one.
  if (process.platform === 'linux') {
    test('a signal to everything does not end the watchdog before the agents', posixOnly, async () => {
      const host = startHost('ignoresStdinEnd');
      const watchdog = Number(await host.do('start'));
      await waitUntilListening(watchdog, constants.signals.SIGHUP);
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.kill(watchdog, signal);
      await killHost(host);
      await mark.waitForCount(0);
      await waitForEnd(watchdog);
    });
  }

  test('leaves an agent alone that was removed from the guard', posixOnly, async () => {
    const host = startHost('ignoresStdinEnd');
    const watchdog = Number(await host.do('start'));
    await host.do('unguard');
    await waitForEnd(watchdog);
    await killHost(host);
    assert.equal((await mark.pids()).length, 1);
  });
});

test('the watchdog runs only while it guards something and blocks no exit', posixOnly, async () => {
  const host = startHost('silent');
  const watchdog = Number(await host.do('start'));
  await host.do('stop');
  await waitForEnd(watchdog);
  const again = Number(await host.do('start'));
  assert.notEqual(again, watchdog);
  const ended = once(host.process, 'exit');
  await host.do('stopAndLeave');
  assert.deepEqual(await ended, [0, null]);
  await waitForEnd(again);
});

test('the watchdog also guards an agent that starts soon after another', posixOnly, async () => {
  const host = startHost('silent', [], 60_000);
  const watchdog = await host.do('start');
  await host.do('stop');
  assert.equal(await host.do('start'), watchdog);
  await killHost(host);
  await mark.waitForCount(0);
  await waitForEnd(Number(watchdog));
});

test('a watchdog with nothing to guard exits with its host', posixOnly, async () => {
  const [left, killed] = [startHost('silent', [], 60_000), startHost('silent', [], 60_000)];
  const watchdogs = [Number(await left.do('start')), Number(await killed.do('start'))];
  const ended = once(left.process, 'exit');
  await left.do('stopAndLeave');
  assert.deepEqual(await ended, [0, null]);
  await killed.do('stop');
  await killHost(killed);
  for (const watchdog of watchdogs) await waitForEnd(watchdog);
});

test('disposing the guard stops a remaining agent', posixOnly, async () => {
  const host = startHost('ignoresStdinEnd');
  const watchdog = Number(await host.do('start'));
  await host.do('dispose');
  await mark.waitForCount(0);
  await waitForEnd(watchdog);
});

test('a killed watchdog is replaced and guards the same agents', posixOnly, async () => {
  const host = startHost('ignoresStdinEnd');
  const watchdog = Number(await host.do('start'));
  const replaced = once(host.lines, 'line') as Promise<[string]>;
  process.kill(watchdog, 'SIGKILL');
  assert.match((await replaced)[0], /The watchdog ended: SIGKILL/);
  await killHost(host);
  await mark.waitForCount(0);
});

/** Other processes send no event, so these two functions poll until the timeout. */
async function waitForEnd(pid: number): Promise<void> {
  await until(async () => (await startTimeOf(pid)) === undefined);
}

async function waitUntilListening(pid: number, signal: number): Promise<void> {
  await until(async () => {
    const caught = /^SigCgt:\s*([0-9a-f]+)/m.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '0';
    return ((BigInt(`0x${caught}`) >> BigInt(signal - 1)) & 1n) === 1n;
  });
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 10_000;
  while (!(await isSo())) {
    assert.ok(performance.now() < deadline, 'It took more than 10 s.');
    await delay(20);
  }
}
