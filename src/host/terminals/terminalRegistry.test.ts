import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { describe, test, type TestContext } from 'node:test';
import { ProcessMark } from '../../../test/unit-support/markedProcesses';
import { ResponseError } from '../../acp/base/errors';
import type { ClientContext, ProcessExit, TerminalEvents } from '../../session/services';
import type { SessionKey } from '../../shared/values/ids';
import { ProcessStarter } from '../../terminal/ptyProcess';
import { TerminalRegistry, type TerminalRegistryOptions } from './terminalRegistry';

const session = (name: string): ClientContext => ({
  session: name as SessionKey,
  agentName: 'Test',
  cwd: tmpdir(),
  ask: () => Promise.resolve(undefined),
});
const never = new AbortController().signal;
const line = (command: string) => ({ command, args: [], env: {} });
const quiet: TerminalEvents = { onOutput: () => undefined, onExit: () => undefined };

function setUp(context: TestContext, more: Partial<TerminalRegistryOptions> = {}) {
  const mark = new ProcessMark();
  const registry = new TerminalRegistry({
    baseEnvironment: () => Promise.resolve(mark.env),
    starter: new ProcessStarter((reason) => assert.fail(String(reason))),
    idSuffix: 'test',
    graceMs: 300,
    ...more,
  });
  context.after(async () => {
    await registry.stopAll();
    await mark.clean();
  });
  return { registry, mark };
}

/** A shell command that prints `on` once it has a child in another process session. */
const leavesItsGroup = `"${process.execPath}" -e "
  const child = require('child_process').spawn('sleep', ['100'], { detached: true, stdio: 'ignore' });
  child.on('spawn', () => console.log('on'));"`;

/** Records the transcript's events in order. */
function listen() {
  const told: (string | ProcessExit)[] = [];
  let look: () => void = () => undefined;
  const events: TerminalEvents = {
    onOutput(data) {
      told.push(data);
      look();
    },
    onExit: (exit) => told.push(exit),
  };
  const text = () => told.filter((item) => typeof item === 'string').join('');
  const says = (part: string) =>
    new Promise<void>((resolve) => {
      look = () => {
        if (text().includes(part)) resolve();
      };
      look();
    });
  return { told, events, text, says };
}

async function refusal(promise: Promise<unknown>): Promise<ResponseError<unknown>> {
  const error: unknown = await promise.then(
    () => assert.fail('It was not refused.'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof ResponseError, String(error));
  return error as ResponseError<unknown>;
}

// A timeout for the whole suite, which may take long on a busy machine.
const options = { timeout: 60_000, skip: process.platform === 'win32' ? 'POSIX commands' : false };

describe('agent terminals', options, () => {
  test('output is partial while a command runs, and exit comes last', async (context) => {
    const { registry } = setUp(context);
    const { events, says, told } = listen();
    const terminal = await registry.create(session('a'), line('echo first; read x; echo last; exit 4'), events);
    await says('first');
    assert.deepEqual(terminal.output(), { output: 'first\n', truncated: false });
    assert.deepEqual([terminal.driver, terminal.cwd], ['pty', tmpdir()]);
    registry.find('a' as SessionKey, terminal.terminalId)?.type('\r');
    assert.deepEqual(await terminal.waitForExit(never), { exitCode: 4 });
    assert.deepEqual(terminal.output().exit, { exitCode: 4 });
    assert.match(terminal.output().output, /^first\n\nlast\n$/);
    assert.deepEqual(told.at(-1), { exitCode: 4 }, 'the end is told after all output');
    assert.deepEqual(await terminal.waitForExit(never), { exitCode: 4 }, 'at once after the end');
  });

  test('aborting one request for an exit leaves the others waiting', async (context) => {
    const { registry } = setUp(context);
    const terminal = await registry.create(session('a'), line('read x'), quiet);
    const leaving = new AbortController();
    const waiters = [terminal.waitForExit(never), terminal.waitForExit(never)];
    const left = refusal(terminal.waitForExit(leaving.signal));
    leaving.abort();
    assert.equal((await left).code, -32800);
    assert.equal((await refusal(terminal.waitForExit(leaving.signal))).code, -32800);
    assert.equal(terminal.output().exit, undefined, 'the process is left alone');
    registry.find('a' as SessionKey, terminal.terminalId)?.type('\r');
    assert.deepEqual(await Promise.all(waiters), [{ exitCode: 0 }, { exitCode: 0 }]);
  });

  test('a killed command reports its signal, keeps its output, and kills children', async (context) => {
    const { registry, mark } = setUp(context);
    const { events, says } = listen();
    const params = { command: 'sh', args: ['-c', `sleep 100 & ${leavesItsGroup} & wait`], env: {} };
    const terminal = await registry.create(session('a'), params, events);
    await says('on');
    await mark.waitForCount(4);
    await Promise.all([terminal.kill(), terminal.kill()]);
    assert.deepEqual(await mark.pids(), []);
    assert.deepEqual(terminal.output(), { output: 'on\n', truncated: false, exit: { signal: 'SIGTERM' } });
    await terminal.kill();
    assert.equal(registry.find('a' as SessionKey, terminal.terminalId), terminal);
  });

  test('releasing a running command answers waiting requests and removes its id', async (context) => {
    const { registry, mark } = setUp(context);
    const terminal = await registry.create(session('a'), { command: 'sleep', args: ['100'], env: {} }, quiet);
    const waiter = terminal.waitForExit(never);
    await terminal.release();
    assert.deepEqual(await waiter, { signal: 'SIGTERM' });
    assert.deepEqual(await mark.pids(), []);
    assert.equal(registry.find('a' as SessionKey, terminal.terminalId), undefined);
  });

  test('a command that ignores the signal is killed after the grace period', async (context) => {
    const { registry } = setUp(context);
    const { events, says } = listen();
    const terminal = await registry.create(session('a'), line(`trap '' TERM; echo on; sleep 100; sleep 100`), events);
    await says('on');
    await terminal.kill();
    assert.deepEqual(terminal.output().exit, { signal: 'SIGKILL' });
  });

  test('a server started by a command runs until the session closes', async (context) => {
    const { registry, mark } = setUp(context);
    const other = await registry.create(session('b'), { command: 'sleep', args: ['100'], env: {} }, quiet);
    const terminal = await registry.create(session('a'), line("trap '' HUP; sleep 100 & echo started"), quiet);
    assert.deepEqual(await terminal.waitForExit(never), { exitCode: 0 });
    await terminal.release();
    await mark.waitForCount(2);
    assert.equal(await registry.countRunning(), 2);
    await registry.endSession('a' as SessionKey);
    assert.equal((await mark.pids()).length, 1);
    assert.equal(other.output().exit, undefined);
    assert.equal((await refusal(registry.create(session('a'), line('true'), quiet))).code, -32603);
  });

  test('cuts whole characters at the byte limit and sends the transcript everything', async (context) => {
    const { registry } = setUp(context);
    for (const [limit, output] of [
      [0, ''],
      [3, '€'],
      [4, '€'],
      [5, '€'],
      [6, '€€'],
    ] as const) {
      const { events, text } = listen();
      const terminal = await registry.create(session('a'), { ...line('printf "a€€"'), outputByteLimit: limit }, events);
      await terminal.waitForExit(never);
      assert.deepEqual(terminal.output(), { output, truncated: true, exit: { exitCode: 0 } }, `limit ${limit}`);
      assert.equal(text(), 'a€€');
    }
  });

  test('the agent reads raw output while transcript and tab get safe output', async (context) => {
    const { registry } = setUp(context);
    const { events, text } = listen();
    const raw = '\u001b]0;title\u0007\u001b[31mred\u001b[0m\u001b]52;c;eA==\u0007';
    const terminal = await registry.create(session('a'), { command: 'printf', args: ['%s', raw], env: {} }, events);
    const command = registry.find('a' as SessionKey, terminal.terminalId);
    await terminal.waitForExit(never);
    assert.equal(terminal.output().output, raw);
    assert.equal(text(), '\u001b[31mred\u001b[0m');
    assert.equal(command?.replay(), '\u001b[31mred\u001b[0m');
  });

  test('a flood of output reaches the transcript completely, in batches', async (context) => {
    const { registry } = setUp(context);
    const { events, told, text } = listen();
    const script = `process.stdout.write('0123456789abcde\\n'.repeat(320 * 1024))`;
    const params = { command: process.execPath, args: ['-e', script], env: {}, outputByteLimit: 100 };
    const terminal = await registry.create(session('a'), params, events);
    await terminal.waitForExit(never);
    assert.equal(text().length, 17 * 320 * 1024);
    assert.ok(told.length < 1000, `${told.length} batches`);
    assert.equal(terminal.output().output.length, 100);
  });

  test('rejects with the reason when a command cannot start', async (context) => {
    const { registry } = setUp(context);
    const missing = await refusal(
      registry.create(session('a'), { command: 'no-such-program', args: ['x'], env: {} }, quiet),
    );
    assert.equal(missing.code, -32602);
    assert.match(missing.message, /"no-such-program" wasn't found/);
    const folder = registry.create(session('a'), { ...line('true'), cwd: '/no/such/folder' }, quiet);
    assert.match((await refusal(folder)).message, /"\/no\/such\/folder" doesn't exist/);
    assert.equal(
      (await refusal(registry.create(session('a'), { ...line('true'), cwd: 'relative' }, quiet))).code,
      -32602,
    );
    assert.equal(await registry.countRunning(), 0);
  });

  test('terminal ids are unique per window and session', async (context) => {
    const { registry } = setUp(context);
    const first = await registry.create(session('a'), line('true'), quiet);
    const second = await registry.create(session('b'), line('true'), quiet);
    assert.deepEqual([first.terminalId, second.terminalId], ['t1-test', 't2-test']);
    assert.equal(registry.find('b' as SessionKey, first.terminalId), undefined);
  });

  test('stopAll stops running and starting commands and refuses new ones', async (context) => {
    let give: (env: Record<string, string>) => void = () => undefined;
    const slow = new Promise<Record<string, string>>((resolve) => {
      give = resolve;
    });
    let calls = 0;
    const { registry, mark } = setUp(context, {
      baseEnvironment: () => (++calls === 1 ? Promise.resolve(mark.env) : slow),
    });
    const running = await registry.create(session('a'), line('sleep 100 & sleep 100'), quiet);
    const starting = refusal(registry.create(session('a'), line('sleep 100'), quiet));
    const stopped = registry.stopAll();
    give(mark.env);
    await stopped;
    assert.deepEqual(await mark.pids(), []);
    assert.equal(running.output().exit?.signal, 'SIGTERM');
    assert.equal((await starting).code, -32603);
    assert.equal((await refusal(registry.create(session('a'), line('true'), quiet))).code, -32603);
  });

  test('the guard lists exactly the running process groups', async (context) => {
    const guarded = new Set<number>();
    let changed: () => void = () => undefined;
    const guard = {
      add: (pid: number) => void guarded.add(pid),
      remove(pid: number) {
        guarded.delete(pid);
        changed();
      },
    };
    const { registry } = setUp(context, { guard });
    const terminal = await registry.create(session('a'), line('sleep 100 & sleep 100'), quiet);
    assert.deepEqual([...guarded], [registry.find('a' as SessionKey, terminal.terminalId)?.pid]);
    const removed = new Promise<void>((resolve) => {
      changed = resolve;
    });
    await terminal.kill();
    await removed;
    assert.equal(guarded.size, 0);
  });
});
