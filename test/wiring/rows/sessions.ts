// Sessions: starting, listing, naming, closing, and continuing them.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { AgentId, EntryId } from '../../../src/shared/values/ids';
import { text } from '../../unit-support/poolHarness';
import { editor, Uri } from '../../unit-support/vscode';
import { commandRows, type ChatRows } from '../row';
import { typed, type Stage } from '../stage';
import { entryOf } from './chat';

const count = (stage: Stage, expected: number) => assert.equal(stage.window.pool.sessions.length, expected);
const two = (stage: Stage) => count(stage, 2);
const none = (stage: Stage) => count(stage, 0);
const starts = ['agents', 'wire'] as const;
/** The session of the page is the one of this index, in the order they were opened, and no list is over it. */
const shows = (stage: Stage, at: number) => {
  assert.equal(stage.posts('page').page.active, stage.window.pool.sessions[at]?.key);
  stage.posts('uncoverSession');
};
const another = async (stage: Stage) => {
  await stage.say({ type: 'startAgent', agent: 'settings:Gemini' as AgentId });
};
const rowId = (stage: Stage) => `own ${stage.key}`;
const listed = async (stage: Stage) => {
  await stage.say({ type: 'watchSessions', isOn: true });
};
const warned = (stage: Stage) => stage.shows(/warning:.*isn’t trusted/);

export const sessionCommands = commandRows({
  'parley.newSession': {
    with: () => [{ agent: 'Gemini', prompt: 'begin' }],
    does: (stage) => {
      two(stage);
      assert.equal(stage.session.transcript.view.agentName, 'Gemini');
      assert.deepEqual(stage.hears('session/prompt')['prompt'], [{ type: 'text', text: 'begin' }]);
    },
    untrusted: warned,
    may: { empty: starts, hostile: starts },
    working: two,
  },
  'parley.newSessionWithDefaultAgent': {
    does: (stage) => {
      two(stage);
      stage.posts('focusComposer');
    },
    untrusted: warned,
    may: { empty: starts },
    working: two,
  },
  'parley.startSessionHere': {
    with: (stage) => [Uri.file(stage.path('.vscode'))],
    does: (stage) => {
      two(stage);
      assert.equal(stage.session.transcript.view.cwd, stage.path('.vscode'));
    },
    untrusted: warned,
    // The user chose the folder in the Explorer.
    may: { empty: starts, hostile: starts },
    working: two,
  },
  'parley.chooseFolders': {
    answers: [() => []],
    does: (stage) => {
      const kept = JSON.stringify([...stage.kept.workspaceState]);
      assert.match(kept, new RegExp(`without[^\\]]*${stage.project}`));
    },
  },
  'parley.showSessions': { does: (stage) => void stage.posts('showSessions') },
  'parley.openSession': {
    before: another,
    answers: [typed],
    does: (stage) => shows(stage, 0),
    // Running agents are asked for the sessions that they store.
    may: { working: ['wire'] },
  },
  'parley.closeSession': { does: none, working: none },
  'parley.nextSession': {
    before: another,
    does: (stage) => {
      shows(stage, 0);
      stage.posts('focusComposer');
    },
  },
  'parley.previousSession': { before: another, does: (stage) => shows(stage, 0) },
  'parley.renameSession': {
    answers: ['A new name'],
    does: (stage) => assert.equal(stage.session.transcript.view.title, 'A new name'),
  },
  'parley.deleteSession': {
    does: (stage) => {
      none(stage);
      stage.shows(/Deleted “what the user typed”/);
    },
    working: none,
  },
  'parley.forkSession': {
    does: (stage) => {
      assert.equal(stage.hears('session/fork')['sessionId'], 's1');
      two(stage);
      shows(stage, 1);
    },
    working: () => undefined,
  },
  'parley.exportSession': {
    with: () => ['markdown'],
    answers: (stage) => [join(stage.root, 'export.md')],
    does: (stage) => assert.match(stage.saved('export.md'), /the answer/),
  },
  'parley.showSession': {
    before: another,
    with: (stage) => [stage.window.pool.sessions[0]?.key ?? stage.key],
    does: (stage) => shows(stage, 0),
  },
  'parley.continueWith': {
    with: (stage) => [stage.key],
    answers: ['Gemini', 'The whole conversation'],
    does: (stage) => {
      two(stage);
      assert.match(JSON.stringify(stage.posts('addDraft').attachments), /the answer/);
    },
    untrusted: warned,
    empty: (stage) => stage.shows(/There’s no conversation to continue yet/),
  },
  'parley.copyLink': {
    does: (stage) => assert.equal(stage.desk.clipboard.includes(encodeURIComponent(stage.key)), true),
  },
});

export const sessionMessages: ChatRows<
  | 'watchSessions'
  | 'watchRecent'
  | 'openRow'
  | 'changeRows'
  | 'exportRow'
  | 'renameRow'
  | 'renameSession'
  | 'undoDelete'
  | 'askAgentList'
  | 'searchSessions'
  | 'useFolder'
  | 'newFromSummary'
  | 'bringChanges'
  | 'reviewWorktree'
  | 'newSessionInWorktree'
> = {
  watchSessions: {
    message: () => ({ type: 'watchSessions', isOn: true, coversSession: true }),
    before: (stage) => stage.say({ type: 'focusChanged', hasFocus: true }),
    does: (stage) => {
      assert.deepEqual(
        stage.posts('sessions').rows.map(({ title }) => title),
        [typed],
      );
      // Keys of commands that act on the session in sight don't count now.
      assert.deepEqual(stage.executes('setContext'), ['parley.chatFocused', false]);
    },
    // Neither a key nor the command stops the turn behind the list.
    working: async (stage) => {
      const keys = editor.executed.filter(({ id }) => id === 'setContext').map(({ args }) => args);
      for (const key of ['parley.turnRunning', 'parley.workRunning'])
        assert.equal(keys.findLast(([name]) => name === key)?.[1], false, key);
      await stage.run('parley.cancelTurn');
      stage.posts('uncoverSession');
      assert.equal(stage.session.transcript.view.activity.state, 'running');
    },
    // Running agents are asked for the sessions that they store.
    may: { working: ['wire'], hostile: ['wire'] },
  },
  watchRecent: {
    message: () => ({ type: 'watchRecent', isOn: true }),
    does: (stage) => {
      const { needsYou, recent } = stage.posts('recentSessions');
      assert.deepEqual([needsYou, recent.map(({ title }) => title)], [[], [typed]]);
    },
  },
  openRow: {
    before: async (stage) => {
      await another(stage);
      await listed(stage);
    },
    message: (stage) => ({
      type: 'openRow',
      id: `own ${stage.window.pool.sessions[0]?.key ?? ''}`,
      entry: firstEntry(stage),
    }),
    does: (stage) => {
      shows(stage, 0);
      stage.posts('revealEntry');
    },
  },
  changeRows: {
    before: listed,
    message: (stage) => ({ type: 'changeRows', ids: [rowId(stage)], change: 'close' }),
    does: none,
    working: () => undefined,
  },
  exportRow: {
    message: (stage) => ({ type: 'exportRow', session: stage.key }),
    answers: (stage) => ['Markdown', join(stage.root, 'row.md')],
    does: (stage) => assert.match(stage.saved('row.md'), /the answer/),
  },
  renameRow: {
    before: listed,
    message: (stage) => ({ type: 'renameRow', id: rowId(stage), title: 'A new name' }),
    does: (stage) => assert.equal(stage.session.transcript.view.title, 'A new name'),
  },
  renameSession: {
    message: (stage) => ({ type: 'renameSession', session: stage.key, title: 'A new name' }),
    does: (stage) => assert.equal(stage.session.transcript.view.title, 'A new name'),
  },
  undoDelete: {
    before: async (stage) => {
      await listed(stage);
      await stage.say({ type: 'changeRows', ids: [rowId(stage)], change: 'delete' });
      none(stage);
    },
    message: () => ({ type: 'undoDelete' }),
    does: (stage) => assert.equal(stage.posts('sessionsChanged').rows.length, 1),
  },
  askAgentList: {
    before: listed,
    message: () => ({ type: 'askAgentList', agent: 'settings:Gemini' as AgentId, logsIn: false }),
    does: (stage) => void stage.hears('session/list'),
    // Who asks for an agent's sessions starts it.
    may: { empty: starts, hostile: starts },
    working: () => undefined,
  },
  searchSessions: {
    before: listed,
    message: () => ({ type: 'searchSessions', text: 'answer' }),
    does: (stage) => assert.equal(stage.posts('foundSessions').found.length, 1),
  },
  useFolder: {
    message: (stage) => ({ type: 'useFolder', session: stage.key, action: 'copyPath' }),
    does: (stage) => assert.equal(stage.desk.clipboard, stage.project),
  },
  newFromSummary: {
    message: (stage) => ({ type: 'newFromSummary', session: stage.key }),
    does: (stage) => {
      two(stage);
      assert.match(text(stage.window.pool.sessions[0] as never), /Summarize this conversation/);
    },
    working: () => undefined,
  },
  bringChanges: {
    message: (stage) => ({ type: 'bringChanges', session: stage.key }),
    does: (stage) => stage.shows(/worktree/),
  },
  reviewWorktree: {
    message: (stage) => ({ type: 'reviewWorktree', session: stage.key }),
    does: (stage) => stage.shows(/error:.*worktree/),
  },
  newSessionInWorktree: {
    message: () => ({ type: 'newSessionInWorktree' }),
    answers: ['Codex'],
    does: (stage) => stage.shows(/Git/),
    untrusted: warned,
  },
};

function firstEntry(stage: Stage): EntryId {
  const [session] = stage.window.pool.sessions;
  return session?.transcript.order[0] ?? entryOf(stage, 'user_message');
}
