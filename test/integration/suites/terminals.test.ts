import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import * as vscode from 'vscode';
import { createTerminalService, type TerminalServiceOptions } from '../../../src/host/terminals/terminalService';
import type { ClientContext, ProcessExit, TerminalEvents } from '../../../src/session/services';
import { Emitter } from '../../../src/shared/values/event';
import type { SessionKey, TerminalId } from '../../../src/shared/values/ids';
import { ProcessMark } from '../../unit-support/markedProcesses';
import { suite, test, type TestContext } from '../api';
import { needsShell } from '../platform';

const key = 'session-of-a-test' as SessionKey;
const session: ClientContext = {
  session: key,
  agentName: 'Test',
  cwd: tmpdir(),
  ask: () => Promise.resolve(undefined),
};
const never = new AbortController().signal;
const quiet: TerminalEvents = { onOutput: () => undefined, onExit: () => undefined };
/** Makes the editor's executable act as Node on the desktop, too. */
const env = { ELECTRON_RUN_AS_NODE: '1' };
const line = (command: string) => ({ command, args: [], env });
/** A shell command with a child in another process session. */
const leavesItsGroup = `"${process.execPath}" -e "
  require('child_process').spawn('sleep', ['100'], { detached: true, stdio: 'ignore' });"`;

function setUp(context: TestContext, more: Partial<TerminalServiceOptions> = {}) {
  needsShell(context);
  const mark = new ProcessMark();
  const service = createTerminalService({
    baseEnvironment: () => Promise.resolve(mark.env),
    onNoPty: (reason) => assert.fail(String(reason)),
    ...more,
  });
  context.after(async () => {
    await service.stopAll();
    await mark.clean();
  });
  return { service, mark };
}

/** Returns events that fire once the transcript contains `text`. */
function waitFor(text: string) {
  let output = '';
  let resolve: () => void = () => undefined;
  const seen = new Promise<void>((done) => {
    resolve = done;
  });
  const onOutput = (data: string) => {
    output += data;
    if (output.includes(text)) resolve();
  };
  return { seen, events: { ...quiet, onOutput } };
}

/** Returns the output of the terminal tab that `show` opens, from the first character. */
async function openTab(show: () => unknown) {
  const opened = new Promise<vscode.Terminal>((resolve) => {
    const listening = vscode.window.onDidOpenTerminal((terminal) => {
      listening.dispose();
      resolve(terminal);
    });
  });
  show();
  const tab = vscode.window.terminals.at(-1);
  assert.ok(tab && 'pty' in tab.creationOptions, 'a terminal of the extension is there');
  let written = '';
  let look: () => void = () => undefined;
  tab.creationOptions.pty.onDidWrite((text) => {
    written += text;
    look();
  });
  assert.equal(await opened, tab);
  const says = (pattern: RegExp) =>
    new Promise<RegExpExecArray>((resolve) => {
      look = () => {
        const match = pattern.exec(written);
        if (match) resolve(match);
      };
      look();
    });
  return { tab, says, written: () => written };
}

function closed(tab: vscode.Terminal): Promise<void> {
  return new Promise((resolve) => {
    const listening = vscode.window.onDidCloseTerminal((terminal) => {
      if (terminal !== tab) return;
      listening.dispose();
      resolve();
    });
  });
}

suite('terminals', () => {
  test('a command runs in a pseudoterminal and opens no tab', async (context) => {
    const { service } = setUp(context);
    const before = vscode.window.terminals.length;
    const terminal = await service.create(session, line('test -t 1 && echo yes'), quiet);
    assert.deepEqual(await terminal.waitForExit(never), { exitCode: 0 });
    assert.deepEqual([terminal.driver, terminal.output().output], ['pty', 'yes\n']);
    assert.equal(vscode.window.terminals.length, before);
  });

  test('a tab shows all output and sends input to the command', async (context) => {
    const { service } = setUp(context);
    const command = String.raw`printf '\033]0;title\007early\n'; read name; echo "hello $name"; exit 3`;
    const early = waitFor('early');
    const terminal = await service.create(session, line(command), early.events);
    await early.seen;
    const { tab, says, written } = await openTab(() => service.show(key, terminal.terminalId));
    assert.ok(tab.name.startsWith('printf '), tab.name);
    await says(/early\r\n/u);
    tab.sendText('Ada');
    assert.deepEqual(await terminal.waitForExit(never), { exitCode: 3 });
    await says(/hello Ada\r\n[^]*exited with code 3/u);
    assert.doesNotMatch(written(), /title/u);
    assert.match(terminal.output().output, /title/u, 'the agent reads it raw');
  });

  test('a command has one tab, survives closing, and can be shown again', async (context) => {
    const { service } = setUp(context);
    const terminal = await service.create(session, line('echo kept; read x; echo $x'), quiet);
    const { tab, says } = await openTab(() => service.show(key, terminal.terminalId));
    await says(/kept/u);
    const count = vscode.window.terminals.length;
    assert.equal(service.show(key, terminal.terminalId), true);
    assert.equal(vscode.window.terminals.length, count);
    const gone = closed(tab);
    tab.dispose();
    await gone;
    assert.equal(terminal.output().exit, undefined);
    const again = await openTab(() => service.show(key, terminal.terminalId));
    await again.says(/kept/u);
    again.tab.sendText('typed');
    assert.deepEqual(await terminal.waitForExit(never), { exitCode: 0 });
  });

  test('the command gets the size of its tab', async (context) => {
    const { service } = setUp(context);
    const script = `const { stdout } = process;
      const size = () => console.log('size ' + stdout.columns + 'x' + stdout.rows + '.');
      stdout.on('resize', size); size(); setInterval(() => {}, 1000);`;
    const params = { command: process.execPath, args: ['-e', script], env };
    const first = waitFor('size 120x30.');
    const terminal = await service.create(session, params, first.events);
    await first.seen;
    const { says } = await openTab(() => service.show(key, terminal.terminalId));
    await says(/size 120x30\.[^]*size (?!120x30)\d+x\d+\./u);
    await terminal.kill();
  });

  test('Ctrl+C in the tab and Stop end the command and its children', async (context) => {
    const { service, mark } = setUp(context);
    const first = await service.create(session, line('sleep 100 & sleep 100'), quiet);
    const { tab } = await openTab(() => service.show(key, first.terminalId));
    await mark.waitForCount(3);
    tab.sendText('\u0003', false);
    const exit = await first.waitForExit(never);
    assert.equal(exit.signal, 'SIGINT');
    const second = await service.create(session, line(`${leavesItsGroup} & sleep 100`), quiet);
    await mark.waitForCount(4);
    assert.equal(await service.stop(key, second.terminalId), true);
    assert.equal(second.output().exit?.signal, 'SIGTERM');
    assert.equal(await service.stop(key, 'none' as TerminalId), false);
    await service.endSession(key);
    assert.deepEqual(await mark.pids(), []);
  });

  test("an agent's own terminal is read-only and cannot set clipboard or title", async (context) => {
    const { service } = setUp(context);
    const output = new Emitter<string>();
    const exit = new Emitter<ProcessExit>();
    const { says, written } = await openTab(() =>
      service.attach({
        session: key,
        terminalId: 'agents-own' as TerminalId,
        title: 'npm test',
        output: 'one\ntwo\u001b]52;c;',
        onOutput: output.event,
        onExit: exit.event,
      }),
    );
    output.fire('eA==\u0007 \u001b[32mthree\u001b[0m\n');
    exit.fire({ signal: 'SIGTERM' });
    await says(/SIGTERM/u);
    assert.match(written(), /one\r\ntwo \u001b\[32mthree\u001b\[0m\r\n/u);
    assert.doesNotMatch(written(), /eA==|\]52/u);
  });

  test('without a pseudoterminal, a command uses pipes and its tab sends lines', async (context) => {
    const reasons: unknown[] = [];
    const { service } = setUp(context, {
      loadPty: () => Promise.reject(new Error('no binary')),
      onNoPty: (reason) => reasons.push(reason),
    });
    const terminal = await service.create(session, line('echo ready; read x; echo "got $x"'), quiet);
    assert.equal(terminal.driver, 'pipe');
    const { tab, says } = await openTab(() => service.show(key, terminal.terminalId));
    await says(/No terminal available[^]*ready\r\n/u);
    tab.sendText('a line');
    await says(/got a line\r\n/u);
    assert.deepEqual(await terminal.waitForExit(never), { exitCode: 0 });
    assert.equal(reasons.length, 1);
  });

  test('no process and no tab is left after stopAll', async (context) => {
    const { service, mark } = setUp(context);
    const running = await service.create(session, line(`trap '' TERM; sleep 100 & ${leavesItsGroup} & wait`), quiet);
    const done = await service.create(session, line(`trap '' HUP; sleep 100 & echo`), quiet);
    await done.waitForExit(never);
    const { tab } = await openTab(() => service.show(key, running.terminalId));
    await mark.waitForCount(5);
    const gone = closed(tab);
    service.dispose();
    await service.stopAll();
    await gone;
    assert.deepEqual(await mark.pids(), []);
    assert.equal(await service.countRunning(), 0);
    await assert.rejects(service.create(session, line('true'), quiet));
  });
});
