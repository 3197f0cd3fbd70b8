import assert from 'node:assert/strict';
import { test } from 'node:test';
import { editor } from '../../../test/unit-support/vscode';
import type { Session } from '../../session/session';
import { endProcess } from './endProcess';

/** Sessions by their title, in this state and with this process. The first one's process is to end. */
function sessionsOf(...all: readonly (readonly [title: string, state: string, process: object])[]) {
  const ended: string[] = [];
  const processes = new Map<Session, object>();
  const sessions = all.map(([title, state, process]) => {
    const view = { title, agentName: 'Codex', activity: { state, since: 1 }, lateWork: [], subagents: [] };
    const session = { transcript: { view, entries: new Map(), order: [] }, endProcess: () => ended.push(title) };
    processes.set(session as unknown as Session, process);
    return session as unknown as Session;
  });
  const pool = { sessions, runningAgentOf: (session: Session) => processes.get(session) };
  const [first] = sessions;
  assert.ok(first);
  return { end: () => endProcess(pool, first), ended };
}

const shared = {};

test('names the sessions that a process also works in', async () => {
  editor.reset();
  const { end, ended } = sessionsOf(['One', 'running', shared], ['Two', 'running', shared], ['Three', 'idle', shared]);
  await end();
  assert.deepEqual(ended, []);
  const [question] = editor.shown;
  assert.equal(question?.message, 'Codex also works in another session. Stop it there, too?');
  editor.answers.push('End Process');
  await end();
  assert.deepEqual(ended, ['One']);
});

test('ends a process at once that nothing else works with', async () => {
  editor.reset();
  const { end, ended } = sessionsOf(['One', 'running', shared], ['Two', 'idle', shared], ['Three', 'running', {}]);
  await end();
  assert.deepEqual(ended, ['One']);
  assert.deepEqual(editor.shown, []);
});
