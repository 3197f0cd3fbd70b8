// What runs after a turn, with real commands and the editor's tasks: shown in the session, and stopped there.
import assert from 'node:assert/strict';
import { beforeEach, test, type TestContext } from 'node:test';
import { ProcessMark } from '../../../test/unit-support/markedProcesses';
import { SessionHarness, settle } from '../../../test/unit-support/fakeSession';
import { tempFolder } from '../../../test/unit-support/tempFolder';
import { editor, tasks } from '../../../test/unit-support/vscode';
import type { Session } from '../../session/session';
import { lateWorkOf } from '../../shared/transcript/lateWork';
import { ProcessStarter } from '../../terminal/ptyProcess';
import { TerminalRegistry } from '../terminals/terminalRegistry';
import { runCheck } from './runCheck';
import { taskTerminals } from './taskTerminals';

beforeEach(() => editor.reset());

const never = new AbortController().signal;
const needsShell = { skip: process.platform === 'win32' ? 'POSIX commands' : false, timeout: 60_000 };

/** A session without a running turn, and terminals with real processes. */
async function setUp(context: TestContext) {
  const mark = new ProcessMark();
  const terminals = new TerminalRegistry({
    baseEnvironment: () => Promise.resolve(mark.env),
    starter: new ProcessStarter((reason) => assert.fail(String(reason))),
    idSuffix: 'test',
    graceMs: 5000,
  });
  context.after(async () => {
    await terminals.stopAll();
    await mark.clean();
  });
  const harness = new SessionHarness('Claude', undefined, tempFolder(context));
  harness.open();
  harness.session.sendPrompt('begin');
  await harness.agent.end();
  return { harness, terminals, session: harness.session };
}

/** Resolves once the session's view fulfills the condition. */
function until(session: Session, holds: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (!holds()) return;
      listener.dispose();
      resolve();
    };
    const listener = session.onDidApply(look);
    look();
  });
}

test('shows the output and resolves to how the command ended', needsShell, async (context) => {
  const { harness, session, terminals } = await setUp(context);
  const end = await runCheck(session, terminals, 'echo three tests failed; exit 3', never);
  assert.equal(end?.exitCode, 3);
  assert.match(end.output, /three tests failed/);
  const call = harness.all('tool_call').at(-1);
  assert.deepEqual([call?.title, call?.status], ['After the turn: echo three tests failed; exit 3', 'failed']);
  assert.match(harness.text, /three tests failed/);
});

test('Stop is no failure, even if the program exits by itself', needsShell, async (context) => {
  const { session, terminals } = await setUp(context);
  // Programs like npm turn the signal into an exit code.
  const program = `trap 'exit 1' TERM HUP INT; echo ready; while :; do sleep 0.05; done`;
  const running = runCheck(session, terminals, program, never);
  await until(session, () => [...session.transcript.terminals.values()].some(({ output }) => /ready/.test(output)));
  assert.deepEqual(
    lateWorkOf(session.transcript.view).map(({ kind }) => kind),
    ['command'],
  );
  session.work.stopLate();
  assert.equal(await running, undefined);
});

/** Tasks of the editor that end when the test says so. */
function fakeTask() {
  let terminated = 0;
  const task = { name: 'build', source: 'Workspace' };
  const execution = { task, terminate: () => terminated++ };
  Object.assign(tasks, { executeTask: () => Promise.resolve(execution) });
  return {
    terminals: taskTerminals(task as never),
    ends: (exitCode: number) => editor.fire('tasks.onDidEndTaskProcess', { execution, exitCode }),
    get terminated() {
      return terminated;
    },
  };
}

test('a task is shown while it runs, with its exit code', async (context) => {
  const { harness, session } = await setUp(context);
  const task = fakeTask();
  const running = runCheck(session, task.terminals, 'build', never);
  await settle();
  assert.equal(harness.all('tool_call').at(-1)?.status, 'in_progress');
  task.ends(2);
  assert.equal((await running)?.exitCode, 2);
  const call = harness.all('tool_call').at(-1);
  assert.deepEqual([call?.title, call?.status], ['After the turn: build', 'failed']);
});

test('Stop ends a task, and is no failure', async (context) => {
  const { session } = await setUp(context);
  const task = fakeTask();
  const running = runCheck(session, task.terminals, 'build', never);
  await settle();
  session.work.stopLate();
  assert.equal(await running, undefined);
  assert.equal(task.terminated, 1);
  assert.deepEqual(lateWorkOf(session.transcript.view), []);
});
