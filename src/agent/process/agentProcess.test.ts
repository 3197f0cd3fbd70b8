import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { afterEach, suite, test } from 'node:test';
import { fixtureAgent, ProcessMark } from '../../../test/unit-support/markedProcesses';
import { posixOnly } from '../../../test/unit-support/platform';
import type { ProcessExit } from '../../session/services';
import { startAgentProcess, type AgentLaunch, type AgentProcess, type AgentProcessOptions } from './agentProcess';

let mark = new ProcessMark();

function launchOf(fixture: string, ...args: string[]): AgentLaunch {
  return { command: process.execPath, args: [fixtureAgent(fixture), ...args], env: mark.env, cwd: process.cwd() };
}

function start(fixture: string, args: string[] = [], options?: AgentProcessOptions): Promise<AgentProcess> {
  return startAgentProcess(launchOf(fixture, ...args), options);
}

function exitOf(agent: AgentProcess): Promise<ProcessExit> {
  return new Promise((resolve) => agent.onDidExit(resolve));
}

function firstLine(agent: AgentProcess): Promise<unknown> {
  return once(createInterface({ input: agent.stdout }), 'line');
}

function ask(agent: AgentProcess, method: string, params: unknown = {}): void {
  agent.stdin.write(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }) + '\n');
}

async function elapsed(action: () => Promise<unknown>): Promise<number> {
  const begin = performance.now();
  await action();
  return performance.now() - begin;
}

afterEach(async () => {
  await mark.clean();
  mark = new ProcessMark();
});

suite('the exit of an agent process', () => {
  test('a crash at start reports the exit code and the last output', posixOnly, async () => {
    const agent = await start('crashesAtStart');
    assert.deepEqual(await exitOf(agent), { exitCode: 3 });
    assert.equal(agent.stderrTail(), 'loading the model list\nfatal: no credentials found\n');
    await agent.stop();
    assert.deepEqual(await mark.pids(), []);
  });

  test('a crash in a turn delivers the output first, then the exit', posixOnly, async () => {
    for (const [args, expected] of [
      [[], { exitCode: 7 }],
      [['SIGKILL'], { signal: 'SIGKILL' }],
    ] as const) {
      const agent = await start('crashesInTurn', [...args]);
      const events: string[] = [];
      agent.stdout.setEncoding('utf8').on('data', (text: string) => events.push(text.trim()));
      const exited = exitOf(agent).then((exit) => {
        events.push('exit');
        return exit;
      });
      ask(agent, 'session/prompt', { sessionId: 's1' });
      assert.deepEqual(await exited, expected);
      assert.equal(events.length, 2);
      assert.match(events[0]!, /I will now/);
      assert.equal(events[1], 'exit');
      assert.match(agent.stderrTail(), /turn is not iterable/);
    }
  });

  test('a repeatedly pausing reader gets all output before the exit', posixOnly, async () => {
    const script = 'process.stdout.write("x".repeat(300_000))';
    const agent = await startAgentProcess({ ...launchOf(''), args: ['-e', script] });
    let hasExited = false;
    const exited = exitOf(agent).then(() => (hasExited = true));
    let length = 0;
    agent.stdout.on('data', (chunk: Buffer) => {
      assert.ok(!hasExited);
      length += chunk.length;
      agent.stdout.pause();
      setTimeout(() => agent.stdout.resume(), 50);
    });
    await exited;
    assert.equal(length, 300_000);
  });

  test('late subscribers are notified once', posixOnly, async () => {
    const agent = await start('crashesAtStart');
    await exitOf(agent);
    let calls = 0;
    const late = agent.onDidExit(() => calls++);
    agent.onDidExit(() => calls++).dispose();
    assert.equal(calls, 0);
    await exitOf(agent);
    late.dispose();
    assert.equal(calls, 1);
  });

  test('stops a child holding stdout open without delaying the exit', posixOnly, async () => {
    const agent = await start('childKeepsStdout');
    const text: string[] = [];
    agent.stdout.setEncoding('utf8').on('data', (part: string) => text.push(part));
    const took = await elapsed(async () => {
      assert.deepEqual(await exitOf(agent), { exitCode: 5 });
    });
    assert.equal(text.join(''), 'last words\n');
    assert.ok(took < 5000, `${took} ms`);
    await mark.waitForCount(0);
    await agent.stop();
  });

  test('an escaped child delays the exit by at most the drain time', posixOnly, async () => {
    const agent = await start('childKeepsStdout', ['escape'], { drainMs: 100 });
    agent.stdout.resume();
    assert.deepEqual(await exitOf(agent), { exitCode: 5 });
    assert.ok(agent.stdout.destroyed);
    await agent.stop();
    // The parent exited before the process was found, so nothing leads to the process any more.
    assert.equal((await mark.pids()).length, 1);
  });

  test('writing to an exited agent does not crash', posixOnly, async () => {
    const agent = await start('crashesAtStart');
    await exitOf(agent);
    agent.stdin.write('{}\n');
    agent.stdin.end('more');
    await agent.stop();
  });

  test('a pipe closed in the middle of writing does not crash', posixOnly, async () => {
    const agent = await start('crashesAtStart');
    const exited = exitOf(agent);
    for (let i = 0; i < 100; i++) agent.stdin.write('x'.repeat(100_000) + '\n');
    await exited;
    await agent.stop();
  });
});

suite('stderr', () => {
  test('10 MB of output never blocks the agent and keeps complete lines', posixOnly, async () => {
    const agent = await start('floodsStderr', [], { stderrLimit: 10_000 });
    let length = 0;
    agent.onDidWriteStderr((text) => (length += text.length));
    ask(agent, 'initialize');
    await firstLine(agent);
    agent.stdin.end();
    await exitOf(agent);
    const tail = agent.stderrTail();
    assert.ok(length > 5 * 1024 * 1024);
    assert.ok(tail.length <= 10_000 && tail.length > 5000);
    assert.ok(tail.startsWith('debug é') && tail.endsWith('\nend of the flood\n'));
    assert.ok(!tail.includes('\uFFFD'));
  });
});

suite('stopping an agent process', () => {
  const cases: [fixture: string, args: string[], processes: number][] = [
    ['silent', [], 1],
    ['printsJunk', [], 1],
    ['crashesOnShutdown', [], 1],
    ['ignoresStdinEnd', [], 1],
    ['ignoresSigterm', [], 2],
    ['ignoresSigterm', ['escape'], 2],
    ['wrapsDeafChild', [], 2],
    ['leavesChildBehind', [], 2],
  ];
  for (const [fixture, args, processes] of cases) {
    test(`no process is left of ${[fixture, ...args].join(' ')}`, posixOnly, async () => {
      const agent = await start(fixture, args);
      const exits: ProcessExit[] = [];
      agent.onDidExit((exit) => exits.push(exit));
      if (processes > 1) await firstLine(agent);
      else agent.stdout.resume();
      await mark.waitForCount(processes);
      await Promise.all([agent.stop(200), agent.stop(200)]);
      assert.deepEqual(await mark.pids(), []);
      assert.equal(exits.length, 1);
    });
  }

  test('an agent that exits with stdin gets no signal', posixOnly, async () => {
    const agent = await start('silent');
    await agent.stop(60_000);
    assert.deepEqual(await exitOf(agent), { exitCode: 0 });
  });

  test('ignoring the end of stdin leads to SIGTERM, then SIGKILL', posixOnly, async () => {
    const patient = await start('ignoresStdinEnd');
    ask(patient, 'initialize');
    await firstLine(patient);
    await patient.stop(100);
    assert.deepEqual(await exitOf(patient), { signal: 'SIGTERM' });
    const deaf = await start('ignoresSigterm');
    await firstLine(deaf);
    await deaf.stop(100);
    assert.deepEqual(await exitOf(deaf), { signal: 'SIGKILL' });
  });

  test('stops an agent that floods its output while nothing reads', posixOnly, async () => {
    const agent = await start('floodsStdout');
    ask(agent, 'session/prompt', { sessionId: 's1' });
    await once(agent.stdout, 'readable');
    await agent.stop(100);
    assert.deepEqual(await mark.pids(), []);
  });

  test('stops an agent that keeps sending after a cancel', posixOnly, async () => {
    const agent = await start('ignoresCancel');
    ask(agent, 'session/prompt', { sessionId: 's1' });
    await firstLine(agent);
    agent.stdin.write('{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"s1"}}\n');
    await agent.stop();
    assert.deepEqual(await exitOf(agent), { exitCode: 0 });
  });

  test('kill ends everything immediately, even during a stop', posixOnly, async () => {
    for (const escape of [[], ['escape']]) {
      const agent = await start('ignoresSigterm', escape);
      await firstLine(agent);
      const stopped = agent.stop(60_000);
      agent.kill();
      agent.kill();
      await stopped;
      assert.deepEqual(await exitOf(agent), { signal: 'SIGKILL' });
      assert.deepEqual(await mark.pids(), []);
    }
  });
});

test('a guard lists the process while any part may be running', posixOnly, async () => {
  const told: string[] = [];
  const guard = { add: (pid: number) => told.push(`+${pid}`), remove: (pid: number) => told.push(`-${pid}`) };
  const agent = await start('wrapsDeafChild', [], { guard });
  assert.deepEqual(told, [`+${agent.pid}`]);
  await firstLine(agent);
  await agent.stop(50);
  assert.deepEqual(told, [`+${agent.pid}`, `-${agent.pid}`]);
});
