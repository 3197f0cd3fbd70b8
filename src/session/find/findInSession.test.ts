import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emptyView } from '../../../test/unit-support/emptyView';
import type { FindQuery } from '../../shared/pages/findQuery';
import type { EntryId, TerminalId, ToolCallId } from '../../shared/values/ids';
import { fromSnapshot } from '../../shared/transcript/ops';
import type { Entry, SessionView, TerminalView } from '../../shared/transcript/transcript';
import { entryLines } from './entryLines';
import { findInSession } from './findInSession';
import { outlineOf } from './turns';

function transcript(
  entries: readonly Entry[],
  terminals: readonly TerminalView[] = [],
  view: Partial<SessionView> = {},
) {
  return fromSnapshot({ rev: 1, view: { ...emptyView, ...view }, entries, terminals, omitted: 0 });
}

function message(id: string, text: string, turn = 1, kind: 'user_message' | 'agent_message' = 'agent_message'): Entry {
  const base = { id: id as EntryId, turn, content: [{ type: 'text' as const, text }] };
  return kind === 'user_message' ? { ...base, kind, state: 'sent' } : { ...base, kind };
}

function call(id: string, fields: Partial<Extract<Entry, { kind: 'tool_call' }>>): Entry {
  return {
    kind: 'tool_call',
    id: id as EntryId,
    turn: 1,
    toolCallId: id as ToolCallId,
    title: 'Run',
    toolKind: 'execute',
    status: 'completed',
    content: [],
    locations: [],
    permission: { state: 'none' },
    startedAt: 7,
    ...fields,
  };
}

function search(shown: ReturnType<typeof transcript>, text: string, options: Partial<FindQuery> = {}) {
  const steps = findInSession(shown, { text, matchCase: false, wholeWord: false, isRegex: false, ...options });
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

test('counts matches in the visible text, without Markdown syntax', () => {
  const shown = transcript([
    message('a', 'The **re**try is `re`try.\n\n```ts\nretry()\n```\n\n- retry [retry](https://retry.example)'),
    message('b', 'nothing'),
    message('u', '**retry**', 2, 'user_message'),
  ]);
  assert.deepEqual(search(shown, 'retry'), [
    ['a', 5],
    ['u', 1],
  ]);
  assert.deepEqual(search(shown, '**retry'), [['u', 1]]);
});

test('searches command output, diffs, and thoughts, each change once', () => {
  const output: TerminalView = {
    terminalId: 't' as TerminalId,
    driver: 'pty',
    command: 'npm test',
    cwd: '/',
    output: '\u001b[32mharbor\u001b[0m ok\n',
    hidden: 0,
    startedAt: 1,
    exit: { state: 'exited', endedAt: 2, exitCode: 0 },
  };
  const shown = transcript(
    [
      call('c', { content: [{ type: 'terminal', terminalId: output.terminalId }] }),
      call('d', { content: [{ type: 'diff', path: '/x.ts', oldText: 'harbor\nold\n', newText: 'harbor\nnew\n' }] }),
      {
        kind: 'agent_thought',
        id: 'h' as EntryId,
        turn: 1,
        content: [{ type: 'text', text: 'The harbor' }],
        startedAt: 1,
      },
    ],
    [output],
  );
  assert.deepEqual(search(shown, 'harbor'), [
    ['c', 1],
    ['d', 1],
    ['h', 1],
  ]);
});

test("searches questions with the user's answers", () => {
  const question: Entry = {
    kind: 'elicitation',
    id: 'q' as EntryId,
    turn: 1,
    message: 'Which harbor?',
    question: { state: 'submitted', answers: [{ label: 'Harbor', value: 'Kiel' }] },
  };
  assert.deepEqual(search(transcript([question]), 'harbor'), [['q', 2]]);
});

test("skips text meant only for the agent, which the page doesn't show", () => {
  const hidden: Entry = {
    kind: 'agent_message',
    id: 'a' as EntryId,
    turn: 1,
    content: [{ type: 'text', text: 'retry', audience: ['assistant'] }],
  };
  assert.deepEqual(search(transcript([hidden]), 'retry'), []);
});

test('finds nothing for an invalid pattern or an empty text', () => {
  const shown = transcript([message('a', 'retry')]);
  assert.equal(search(shown, '(', { isRegex: true }), undefined);
  assert.deepEqual(search(shown, ''), []);
});

test('reads an unchanged entry once', () => {
  const entry = message('a', 'retry');
  const shown = transcript([entry]);
  assert.equal(entryLines(shown, entry), entryLines(shown, entry));
});

test("lists each message's first line with its turn's state and time", () => {
  const shown = transcript(
    [
      message('u1', '\n  First\nmore', 1, 'user_message'),
      call('c', {}),
      { kind: 'error', id: 'e' as EntryId, turn: 1, code: 'agentExited', title: 'Exited', actions: [] },
      { ...message('u2', 'Second', 2, 'user_message'), state: 'refused' } as Entry,
      message('u3', 'Third', 3, 'user_message'),
      message('u4', 'Fourth', 4, 'user_message'),
    ],
    [],
    { activity: { state: 'running', since: 1 } },
  );
  assert.deepEqual(
    outlineOf(shown).map(({ entry, line, state, startedAt }) => [entry, line, state, startedAt]),
    [
      ['u1', 'First', 'failed', 7],
      ['u2', 'Second', 'declined', undefined],
      ['u3', 'Third', 'done', undefined],
      ['u4', 'Fourth', 'running', undefined],
    ],
  );
});
