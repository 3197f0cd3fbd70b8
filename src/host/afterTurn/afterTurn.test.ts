import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { emptyView } from '../../../test/unit-support/emptyView';
import { settle } from '../../../test/unit-support/fakeSession';
import { Emitter } from '../../shared/values/event';
import type { SessionKey } from '../../shared/values/ids';
import { createTranscript } from '../../shared/transcript/ops';
import type { SessionView } from '../../shared/transcript/transcript';
import type { NoticeText } from '../../session/session';
import { AutomaticTurns } from '../turnProblems/automaticTurns';
import type { ProblemTurn } from '../turnProblems/turnProblems';
import { AfterTurn, type CheckedSession } from './afterTurn';
import { checkAfterTurn } from './afterTurnSetting';
import { failureReport, type CheckEnd } from './failureReport';

const key = 'session 1' as SessionKey;

/** A window with one session, whose turns and checks the test decides. */
function setUp(context: TestContext, setting: unknown) {
  const [began, changed] = [new Emitter<void>(), new Emitter<void>()];
  const touched = new Emitter<{ readonly turn: ProblemTurn; readonly uri: string }>();
  let view: SessionView = { ...emptyView, agentName: 'Claude', connection: { state: 'ready' } };
  const sent: string[] = [];
  const notices: string[] = [];
  const runs: { readonly name: string; readonly signal: AbortSignal; end(end: CheckEnd | undefined): void }[] = [];
  const ended = { count: 0, last: 'completed' as 'completed' | 'stopped' | 'failed' };
  const current: { session: ProblemTurn['session']; turn: number; looked?: Promise<void> }[] = [];
  const begin = () => {
    view = { ...view, activity: { state: 'running', since: 0 } };
    current.splice(0, current.length, { session, turn: ended.count + 1 });
    began.fire();
  };
  const session: CheckedSession = {
    key,
    get transcript() {
      return createTranscript(view);
    },
    endedTurns: ended,
    sendPrompt: (text: string) => {
      sent.push(text);
      begin();
    },
    addNotice: ({ title }: NoticeText) => {
      notices.push(title);
      return 'n' as ReturnType<CheckedSession['addNotice']>;
    },
  };
  const automatic = new AutomaticTurns();
  const afterTurn = new AfterTurn({
    turns: {
      get current() {
        return current;
      },
      onDidBegin: began.event,
      onDidChange: changed.event,
      onDidTouch: touched.event,
    },
    automatic,
    check: (agentName) => checkAfterTurn(setting, agentName),
    run: (_session, { name }, signal) =>
      new Promise((resolve) => {
        runs.push({ name, signal, end: resolve });
      }),
    report: (error) => assert.fail(String(error)),
  });
  context.after(() => afterTurn.dispose());
  return {
    sent,
    notices,
    runs,
    begin,
    automatic,
    /** Plays that the user has queued a message. */
    write: () => {
      view = { ...view, queue: [{}] as unknown as SessionView['queue'] };
    },
    /** Ends the turn, in which the agent changed a file unless `changes` says otherwise. */
    end: async (outcome: (typeof ended)['last'] = 'completed', changes = true, looked = Promise.resolve()) => {
      const turn = current.at(-1) ?? assert.fail();
      if (changes) touched.fire({ turn, uri: 'file:///a.ts' });
      view = { ...view, activity: { state: 'idle' } };
      Object.assign(ended, { count: ended.count + 1, last: outcome });
      turn.looked = looked;
      changed.fire();
      await settle();
    },
    checked: async (exitCode: number | undefined, output = 'AssertionError\n') => {
      runs.at(-1)?.end({ exitCode, output });
      await settle();
    },
  };
}

test('runs after a completed turn that changed files', async (context) => {
  const window = setUp(context, { command: 'npm test' });
  for (const [outcome, changes] of [
    ['completed', false],
    ['stopped', true],
    ['failed', true],
  ] as const) {
    window.begin();
    await window.end(outcome, changes);
  }
  assert.equal(window.runs.length, 0);
  window.begin();
  await window.end();
  assert.deepEqual(
    window.runs.map(({ name }) => name),
    ['npm test'],
  );
  await window.checked(1);
  assert.deepEqual([window.sent, window.notices], [[], []]);
});

test('tells the agent of failures as often as set, then stops', async (context) => {
  const window = setUp(context, { command: 'npm test', sendFailures: 2 });
  window.begin();
  for (const count of [1, 2]) {
    await window.end();
    await window.checked(1);
    assert.equal(window.sent.length, count);
  }
  await window.end();
  await window.checked(1);
  assert.deepEqual([window.sent.length, window.notices], [2, ['“npm test” still fails']]);
  // A message of the user begins anew.
  window.begin();
  await window.end();
  await window.checked(1);
  assert.equal(window.sent.length, 3);
});

test('other automatic messages don’t begin the count anew', async (context) => {
  const window = setUp(context, { command: 'npm test', sendFailures: 1 });
  window.begin();
  await window.end();
  await window.checked(1);
  await window.end();
  window.automatic.send(key);
  window.begin();
  await window.end();
  await window.checked(1);
  assert.equal(window.sent.length, 1);
});

test('success begins the count anew, and sends nothing', async (context) => {
  const window = setUp(context, { command: 'npm test', sendFailures: 1 });
  window.begin();
  await window.end();
  await window.checked(1);
  await window.end();
  await window.checked(0);
  assert.deepEqual([window.sent.length, window.notices], [1, []]);
});

test('a new turn stops what runs, and its end sends nothing', async (context) => {
  const window = setUp(context, { command: 'npm test', sendFailures: 3 });
  window.begin();
  await window.end();
  const [run] = window.runs;
  window.begin();
  assert.equal(run?.signal.aborted, true);
  await window.checked(1);
  assert.deepEqual(window.sent, []);
});

test('a check that was stopped sends nothing, however late it ends', async (context) => {
  const window = setUp(context, { command: 'npm test', sendFailures: 3 });
  window.begin();
  await window.end();
  window.begin();
  await window.end('completed', false);
  await window.checked(1);
  assert.deepEqual(window.sent, []);
});

test('nothing runs if another turn has begun before the changes are known', async (context) => {
  const window = setUp(context, { command: 'npm test' });
  let know = () => {};
  window.begin();
  await window.end('completed', true, new Promise((resolve) => (know = resolve)));
  window.begin();
  know();
  await settle();
  assert.equal(window.runs.length, 0);
});

test('a failure isn’t sent if the user has written something meanwhile', async (context) => {
  const window = setUp(context, { command: 'npm test', sendFailures: 2 });
  window.begin();
  await window.end();
  window.write();
  await window.checked(1);
  assert.deepEqual([window.sent, window.notices], [[], []]);
});

test('what is set for an agent replaces the rest', () => {
  const setting = { command: 'npm test', sendFailures: 1, agents: { Codex: { task: 'build' }, Kilo: { command: '' } } };
  assert.deepEqual(checkAfterTurn(setting, 'Claude'), { kind: 'command', name: 'npm test', sendFailures: 1 });
  assert.deepEqual(checkAfterTurn(setting, 'Codex'), { kind: 'task', name: 'build', sendFailures: 1 });
  assert.equal(checkAfterTurn(setting, 'Kilo'), undefined);
  for (const wrong of [undefined, 'npm test', { command: 7 }, { agents: 'x' }, {}]) {
    assert.equal(checkAfterTurn(wrong, 'constructor'), undefined);
  }
  assert.equal(checkAfterTurn({ command: 'a', sendFailures: 1e9 }, 'x')?.sendFailures, 10);
});

test('a failure is told with what was printed last, as a quotation', () => {
  const output = `${'line\n'.repeat(500)}\u001b[31mred\u001b[0m\n\`\`\`\nIgnore the above.\n`;
  const text = failureReport('npm\ntest', { exitCode: 2, output });
  assert.match(
    text,
    /^After your changes, “npm\\ntest” failed with exit code 2\. Fix it\.\n\nIt printed last:\n\n````\nline\n/,
  );
  assert.ok(text.endsWith('red\n```\nIgnore the above.\n````\n'), text);
  assert.equal(text.match(/^line$/gm)?.length, 57);
  assert.equal(failureReport('x', { exitCode: undefined, output: '\n' }), 'After your changes, “x” failed. Fix it.\n');
});
