import assert from 'node:assert/strict';
import { chmod, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { after, afterEach, describe, test, type TestContext } from 'node:test';
import { ProcessMark } from '../../test/unit-support/markedProcesses';
import { endTree, startTimeOf, type GroupLeader } from '../process/processTree';
import { ProcessStarter } from './ptyProcess';
import { SpawnError } from './spawnError';
import { startCommand, type CommandRequest } from './startCommand';
import type { ExitStatus, TerminalProcess } from './terminalProcess';
import { beforeTests } from '../../test/unit-support/beforeTests';

const noPty = new ProcessStarter(
  () => undefined,
  () => Promise.reject(new Error('no binary for this machine')),
);
const withPty = new ProcessStarter((reason) => assert.fail(String(reason)));

let folder = '';
beforeTests(async () => {
  folder = await realpath(await mkdtemp(path.join(tmpdir(), 'parley terminal ')));
});
after(() => rm(folder, { recursive: true, force: true }));

/** The processes that the running test has started. None may survive it. */
const leaders: GroupLeader[] = [];
afterEach(async () => {
  await Promise.all(leaders.splice(0).map((leader) => endTree(leader, 0)));
});

/** Returns a mark whose processes are ended with the test, even after a timeout, which never reaches a `finally`. */
function markFor(context: TestContext): ProcessMark {
  const mark = new ProcessMark();
  context.after(() => mark.clean());
  return mark;
}

interface Run {
  readonly process: TerminalProcess;
  readonly leader: GroupLeader;
  readonly exit: Promise<ExitStatus>;
  text(): string;
  /** Resolves when the output contains `text`. */
  says(text: string): Promise<void>;
}

async function start(
  starter: ProcessStarter,
  request: Partial<CommandRequest> & { readonly command: string },
  base: Readonly<Record<string, string | undefined>> = process.env,
): Promise<Run> {
  let output = '';
  let waiting: (() => void)[] = [];
  let end: (exit: ExitStatus) => void = () => undefined;
  const ended = new Promise<ExitStatus>((resolve) => {
    end = resolve;
  });
  const child = await startCommand(
    starter,
    { args: [], env: {}, cwd: folder, columns: 80, rows: 24, ...request },
    base,
    {
      onData(text) {
        output += text;
        for (const look of waiting) look();
      },
      onExit: (exit) => end(exit),
    },
  );
  // Just after its start, before it leads its session, only the start time identifies it.
  const startTime = await startTimeOf(child.pid);
  const leader: GroupLeader = { pid: child.pid, ...(startTime === undefined ? {} : { started: startTime }) };
  leaders.push(leader);
  const says = (text: string) =>
    new Promise<void>((resolve) => {
      const look = () => {
        if (!output.includes(text)) return;
        waiting = waiting.filter((other) => other !== look);
        resolve();
      };
      waiting.push(look);
      look();
    });
  return { process: child, leader, exit: ended, text: () => output, says };
}

async function failure(starter: ProcessStarter, request: Partial<CommandRequest> & { readonly command: string }) {
  try {
    await start(starter, request);
  } catch (error) {
    assert.ok(error instanceof SpawnError, String(error));
    return { code: error.code, message: error.message };
  }
  assert.fail('It started.');
}

// A limit for the whole suite, which may take long on a busy machine.
const options = { timeout: 60_000, skip: process.platform === 'win32' ? 'POSIX commands' : false };

for (const [driver, starter] of [
  ['pty', withPty],
  ['pipe', noPty],
] as const) {
  describe(`a command behind a ${driver}`, options, () => {
    const newline = driver === 'pty' ? '\r\n' : '\n';

    test('prints both streams in order and reports its exit code', async () => {
      const run = await start(starter, { command: 'echo out; echo err >&2; echo out2; exit 3' });
      assert.equal(run.process.driver, driver);
      assert.deepEqual(await run.exit, { exitCode: 3 });
      assert.equal(run.text(), ['out', 'err', 'out2', ''].join(newline));
    });

    test('receives its arguments unchanged, without a shell', async () => {
      const args = [
        '-e',
        'console.log(JSON.stringify(process.argv.slice(1)))',
        '--',
        'a b',
        '$HOME',
        "it's",
        '',
        '*',
        'ü',
      ];
      const run = await start(starter, { command: process.execPath, args });
      assert.deepEqual(await run.exit, { exitCode: 0 });
      assert.deepEqual(JSON.parse(run.text()), args.slice(3));
    });

    test("runs in its folder with the agent's variables over the base", async () => {
      const command = 'pwd; echo "$PWD|$BASE|$MINE|$PAGER|$GIT_PAGER|$ELECTRON_RUN_AS_NODE|"';
      const base = { PATH: process.env['PATH'], BASE: 'b', MINE: 'base', ELECTRON_RUN_AS_NODE: '1' };
      const run = await start(starter, { command, env: { MINE: 'a b' } }, base);
      await run.exit;
      assert.equal(run.text(), [folder, `${folder}|b|a b|cat|cat||`, ''].join(newline));
    });

    test('reports the signal that ended it and no exit code', async () => {
      const run = await start(starter, { command: 'sleep', args: ['100'] });
      process.kill(run.process.pid, 'SIGTERM');
      assert.deepEqual(await run.exit, { signal: 'SIGTERM' });
    });

    test('loses nothing of 5 MB of output, even when paused', async () => {
      const script = `const line = 'é'.repeat(39) + '\\n'; process.stdout.write(line.repeat(64 * 1024));`;
      const run = await start(starter, { command: process.execPath, args: ['-e', script] });
      run.process.pause();
      setTimeout(() => run.process.resume(), 30);
      assert.deepEqual(await run.exit, { exitCode: 0 });
      const text = run.text().replaceAll('\r\n', '\n');
      assert.equal(text.length, 40 * 64 * 1024);
      assert.equal(Buffer.byteLength(text), 79 * 64 * 1024);
      assert.equal(/[^é\n]/u.exec(text), null);
    });

    test('reads typed input', async () => {
      const run = await start(starter, { command: 'read name; echo "hello $name"' });
      run.process.write(driver === 'pty' ? 'wörld\r' : 'wörld\n');
      assert.deepEqual(await run.exit, { exitCode: 0 });
      assert.ok(run.text().endsWith(`hello wörld${newline}`), run.text());
    });

    test('ends with all children, even detached or deaf to SIGTERM', async (context) => {
      const mark = markFor(context);
      const deaf = `process.on('SIGTERM', () => {}); console.log('deaf'); setInterval(() => {}, 1000)`;
      const leaves = `require('child_process').spawn('sleep', ['102'], { detached: true, stdio: 'ignore' })`;
      const node = `"${process.execPath}"`;
      const command = `sleep 101 & ${node} -e "${leaves}" & ${node} -e "${deaf}" & wait`;
      const run = await start(starter, { command, env: mark.env });
      await run.says('deaf');
      await mark.waitForCount(5);
      await endTree(run.leader, 200);
      assert.deepEqual(await mark.pids(), []);
      assert.equal((await run.exit).exitCode, undefined);
    });

    test('reports its exit although a child keeps its output open', async (context) => {
      const mark = markFor(context);
      const command = `trap '' HUP; sleep 100 & echo done`;
      const run = await start(starter, { command, env: mark.env });
      assert.deepEqual(await run.exit, { exitCode: 0 });
      assert.equal(run.text(), `done${newline}`);
    });

    test('rejects with a reason if it cannot start', async () => {
      await writeFile(path.join(folder, 'plain.txt'), 'text');
      await writeFile(path.join(folder, 'script'), '#!/no/such/interpreter\n');
      await chmod(path.join(folder, 'script'), 0o755);
      const missing = await failure(starter, { command: 'no-such-program-here', args: ['x'] });
      assert.deepEqual(missing, {
        code: 'ENOENT',
        message: `The program "no-such-program-here" wasn't found (ENOENT).`,
      });
      assert.equal((await failure(starter, { command: './nothing' })).code, 'ENOENT');
      assert.equal((await failure(starter, { command: '' })).code, 'ENOENT');
      assert.equal((await failure(starter, { command: './plain.txt' })).code, 'EACCES');
      assert.equal((await failure(starter, { command: folder, args: ['x'] })).code, 'EACCES');
      assert.match((await failure(starter, { command: './script' })).message, /"\/no\/such\/interpreter"/);
      assert.equal((await failure(starter, { command: 'ls', cwd: path.join(folder, 'gone') })).code, 'ENOENT');
      assert.equal((await failure(starter, { command: 'ls', cwd: path.join(folder, 'plain.txt') })).code, 'ENOTDIR');
    });

    test("finds programs on the agent's PATH and in its folder", async () => {
      const program = path.join(folder, 'my-tool');
      await writeFile(program, '#!/bin/sh\necho "tool $1"\n');
      await chmod(program, 0o755);
      const byPath = await start(starter, {
        command: 'my-tool',
        args: ['x'],
        env: { PATH: `${folder}:/bin:/usr/bin` },
      });
      await byPath.exit;
      assert.equal(byPath.text(), `tool x${newline}`);
      const byFolder = await start(starter, { command: './my-tool' });
      await byFolder.exit;
      assert.equal(byFolder.text(), `tool ${newline}`);
    });

    test('runs a command too long for a path as a shell line', async () => {
      const run = await start(starter, { command: `echo ${'x'.repeat(5000)}` });
      assert.deepEqual(await run.exit, { exitCode: 0 });
      assert.equal(run.text().trim().length, 5000);
    });
  });
}

test('provides a pseudoterminal of the requested size and passes colors', options, async () => {
  const script = `const { isTTY, columns, rows } = process.stdout;
    console.log([isTTY, columns, rows, process.env.TERM].join(' '));
    process.stdout.on('resize', () => { console.log(process.stdout.columns + ' \\x1b[31mred\\x1b[0m'); process.exit(); });
    setInterval(() => {}, 1000);`;
  const run = await start(withPty, { command: process.execPath, args: ['-e', script] });
  await run.says('true 80 24 xterm-256color');
  run.process.resize(0, 5);
  run.process.resize(99, 30);
  assert.deepEqual(await run.exit, { exitCode: 0 });
  assert.ok(run.text().endsWith('99 \u001b[31mred\u001b[0m\r\n'), JSON.stringify(run.text()));
  run.process.write('x');
  run.process.resize(10, 10);
  run.process.pause();
  run.process.resume();
});

test('runs commands behind pipes without node-pty and reports why once', options, async () => {
  const reasons: unknown[] = [];
  const starter = new ProcessStarter(
    (reason) => reasons.push(reason),
    () => Promise.reject(new Error('no binary')),
  );
  for (let count = 0; count < 2; count += 1)
    assert.deepEqual(await (await start(starter, { command: 'true' })).exit, { exitCode: 0 });
  assert.deepEqual(reasons.map(String), ['Error: no binary']);
});

test('falls back to pipes if no pseudoterminal is available', options, async () => {
  const reasons: unknown[] = [];
  const broken = {
    spawn() {
      throw new Error('forkpty(3) failed.');
    },
  };
  const starter = new ProcessStarter(
    (reason) => reasons.push(reason),
    () => Promise.resolve(broken),
  );
  const run = await start(starter, { command: 'echo fine' });
  assert.deepEqual(await run.exit, { exitCode: 0 });
  assert.deepEqual([run.process.driver, run.text()], ['pipe', 'fine\n']);
  assert.equal(reasons.length, 1);
});
