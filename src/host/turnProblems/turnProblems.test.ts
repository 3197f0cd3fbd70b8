import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { settingsWith } from '../../../test/unit-support/settings';
import { emptyView } from '../../../test/unit-support/emptyView';
import { Emitter } from '../../shared/values/event';
import type { SessionKey } from '../../shared/values/ids';
import type { ToWebview } from '../../shared/pages/messages';
import { createTranscript } from '../../shared/transcript/ops';
import type { SessionView } from '../../shared/transcript/transcript';
import type { ProblemText } from '../editor/problemText';
import { AutomaticTurns } from './automaticTurns';
import type { ProblemsByFile } from './newProblems';
import { TurnProblems, type ProblemTurn } from './turnProblems';

const key = 'session 1' as SessionKey;
const file = 'file:///workspace/a.ts';
const caller = 'file:///workspace/caller.ts';
const wrong = (message = 'Wrong.'): ProblemText => ({ line: 1, column: 1, severity: 'error', message, source: '' });

/** A window with one session, whose turns and problems the test decides. */
function setUp(context: TestContext, sendsNewProblems = false) {
  const [began, changed, problemsChanged, edited] = [
    new Emitter<void>(),
    new Emitter<void>(),
    new Emitter<void>(),
    new Emitter<string>(),
  ];
  const touched = new Emitter<{ readonly turn: ProblemTurn; readonly uri: string }>();
  const shown = new Emitter<typeof page>();
  let view: SessionView = { ...emptyView, cwd: '/workspace' };
  let now: ProblemsByFile = new Map();
  const sent: string[] = [];
  const posted: ToWebview[] = [];
  const opened: boolean[] = [];
  const settled: (() => void)[] = [];
  const ended = { count: 0, last: 'completed' as 'completed' | 'stopped' | 'failed' };
  const session = {
    key,
    get transcript() {
      return createTranscript(view);
    },
    endedTurns: ended,
    sendPrompt: (text: string) => {
      sent.push(text);
      begin();
    },
  };
  const page = { session, post: (message: ToWebview) => void posted.push(message) };
  const current: { session: typeof session; turn: number; looked?: Promise<void> }[] = [];
  const begin = () => {
    view = { ...view, activity: { state: 'running', since: 0 } };
    current.push({ session, turn: current.length + 1 });
    began.fire();
  };
  const problems = new TurnProblems({
    turns: {
      get current() {
        return current;
      },
      onDidBegin: began.event,
      onDidChange: changed.event,
      onDidTouch: touched.event,
      isChangedLine: () => true,
    },
    problems: {
      now: () => now,
      checked: () => new Set([file, caller]),
      onDidChange: problemsChanged.event,
      onDidEdit: edited.event,
      follow: () => undefined,
      settle: async (_uris, opens) => {
        opened.push(opens);
        settled.shift()?.();
      },
    },
    pages: { all: [page], onDidShow: shown.event },
    settings: settingsWith({ sendNewProblems: sendsNewProblems }),
    automatic: new AutomaticTurns(),
    pathOf: (uri) => uri.slice(uri.lastIndexOf('/') + 1),
    report: (error) => assert.fail(String(error)),
  });
  context.after(() => problems.dispose());
  const report = (found: Record<string, ProblemText[]>) => {
    now = new Map(Object.entries(found));
    problemsChanged.fire();
  };
  return {
    problems,
    session,
    sent,
    opened,
    ended,
    begin,
    report,
    edit: (uri: string) => edited.fire(uri),
    touch: (uri = file) => touched.fire({ turn: current.at(-1)!, uri }),
    /** Ends the turn, and resolves once its problems were looked at. */
    end: async (queue: SessionView['queue'] = []) => {
      view = { ...view, activity: { state: 'idle' }, queue };
      const turn = current.at(-1)!;
      turn.looked = Promise.resolve();
      const isSettled = new Promise<void>((resolve) => settled.push(resolve));
      changed.fire();
      await isSettled;
      await new Promise((resolve) => setImmediate(resolve));
    },
    count: () => posted.findLast((message) => message.type === 'newProblems')?.count ?? 0,
  };
}

void describe('the problems of a turn', () => {
  void it('are shown at its end, sent with a click, then removed', async (context) => {
    const test = setUp(context);
    test.begin();
    test.touch();
    test.report({ [file]: [wrong()] });
    await test.end();
    assert.equal(test.count(), 1);
    assert.deepEqual([test.sent, test.opened], [[], [false]]);
    test.problems.send(test.session);
    assert.deepEqual(test.sent, ['Your changes caused a new problem. Fix it:\n\na.ts, line 1:\n\n> Wrong.\n']);
    assert.equal(test.count(), 0);
    test.problems.send(test.session);
    assert.equal(test.sent.length, 1);
  });

  void it('exclude problems that existed before, even if reported late', async (context) => {
    const test = setUp(context);
    test.begin();
    test.report({ [file]: [wrong('Old.')] });
    test.touch();
    test.report({ [file]: [wrong('Old.')], [caller]: [wrong('Broken.')] });
    await test.end();
    assert.equal(test.count(), 1, 'A file that uses the changed one counts.');
    test.report({ [file]: [wrong('Old.')] });
    assert.equal(test.count(), 0, 'Somebody fixed it.');
  });

  void it('exclude other files that the user edits', async (context) => {
    const test = setUp(context);
    test.begin();
    test.edit(caller);
    test.touch();
    test.report({ [caller]: [wrong()] });
    await test.end();
    assert.equal(test.count(), 0);
  });

  void it('are sent automatically at most once per message of the user', async (context) => {
    const test = setUp(context, true);
    test.begin();
    test.touch();
    test.report({ [file]: [wrong()], [caller]: [wrong('Broken.')] });
    await test.end();
    assert.deepEqual(test.sent, ['Your changes caused a new problem. Fix it:\n\na.ts, line 1:\n\n> Wrong.\n']);
    // The turn that answers it causes another one.
    test.touch();
    test.report({ [file]: [wrong(), wrong('Worse.')] });
    await test.end();
    assert.equal(test.sent.length, 1);
    assert.equal(test.count(), 1);
    // The user's next message can be followed by one again.
    test.begin();
    test.touch();
    test.report({ [file]: [wrong(), wrong('Worse.'), wrong('Worst.')] });
    await test.end();
    assert.equal(test.sent.length, 2);
    assert.deepEqual(test.opened, [true, false, true]);
  });

  for (const [name, last, queue] of [
    ['the user stopped the turn', 'stopped', []],
    ['a message is waiting', 'completed', [{ id: '1', text: 'Go on' }]],
  ] as const) {
    void it(`are only shown if ${name}`, async (context) => {
      const test = setUp(context, true);
      test.begin();
      test.touch();
      test.report({ [file]: [wrong()] });
      test.ended.last = last;
      await test.end(queue);
      assert.deepEqual([test.sent, test.count()], [[], 1]);
    });
  }

  void it('disappear when the next turn begins', async (context) => {
    const test = setUp(context);
    test.begin();
    test.touch();
    test.report({ [file]: [wrong()] });
    await test.end();
    test.begin();
    assert.equal(test.count(), 0);
  });
});
