// Worktrees, tries, merging, and what agents propose and the user edits first.
import { openSource } from '../../../src/worktree/copy/copySource';
import { createCopy } from '../../../src/worktree/copy/ownCopy';
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SessionKey } from '../../../src/shared/values/ids';
import { TryTurns } from '../../../src/host/tries/tryTurns';
import type { FromTriesPage } from '../../../src/shared/changes/triesPage';
import type { FakePage } from '../../unit-support/productWindow';
import { editor, Uri } from '../../unit-support/vscode';
import { commandRows, type ChatRows, type PageRow } from '../row';
import type { Stage } from '../stage';
import { quiet } from '../shortTimers';
import { requestOf } from './chat';

const warned = (stage: Stage) => stage.shows(/warning:.*isn’t trusted/);

function git(folder: string, ...args: readonly string[]): string {
  const who = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com'];
  const all = ['-C', folder, ...who, ...args];
  return execFileSync('git', all, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trimEnd();
}

/** Makes the project a repository with a commit. */
function repository(stage: Stage): void {
  git(stage.project, 'init', '--quiet', '--initial-branch=main');
  git(stage.project, 'config', 'user.name', 'Ada');
  git(stage.project, 'config', 'user.email', 'ada@example.com');
  git(stage.project, 'add', '--all');
  git(stage.project, 'commit', '--quiet', '--message', 'First');
}

const inWorktreeAnswers = ['Current commit', 'fix'];
/** Opens a session in a new worktree, whose agent works there. */
async function worktree(stage: Stage): Promise<void> {
  repository(stage);
  stage.desk.answers.push(...inWorktreeAnswers);
  await stage.run('parley.newSessionInWorktree', { agent: 'Codex', prompt: 'fix it' });
  assert.notEqual(there(stage), stage.project);
  writeFileSync(join(there(stage), 'a.txt'), 'one\n2\nthree\n');
}
const there = (stage: Stage) => stage.session.transcript.view.cwd;
const newBranch = (stage: Stage) => assert.match(git(stage.project, 'branch', '--list', 'fix'), /fix/);

const tryAnswers = ['Codex', 'Gemini', 'Start 2 tries', ''];
/** Starts two tries of one message, with a change in each. */
async function tries(stage: Stage): Promise<void> {
  repository(stage);
  stage.desk.answers.push(...tryAnswers);
  await stage.run('parley.tryWith', { prompt: 'fix it' });
  for (const [at, { transcript }] of stage.window.pool.sessions.slice(-2).entries()) {
    writeFileSync(join(transcript.view.cwd, 'a.txt'), `one\n${at === 0 ? '2' : 'II'}\nthree\n`);
  }
  await quiet();
}
const tried = (stage: Stage, at: number): SessionKey =>
  stage.window.pool.sessions.slice(-2)[at]?.key ?? ('session:gone' as SessionKey);

/** The agent asks to edit a file. */
async function asksToEdit(stage: Stage): Promise<void> {
  const options = [
    { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
    { optionId: 'no', name: 'No', kind: 'reject_once' },
  ];
  const content = [
    { type: 'diff', path: stage.path('a.txt'), oldText: 'one\ntwo\nthree\n', newText: 'one\n2\nthree\n' },
  ];
  const toolCall = {
    toolCallId: 'e1',
    title: 'Edit a.txt',
    kind: 'edit',
    content,
    locations: [{ path: stage.path('a.txt') }],
  };
  stage.agent.ask('session/request_permission', { toolCall, options });
  await quiet();
}

/** The agent asks to carry out a plan. */
async function asksAboutPlan(stage: Stage): Promise<void> {
  const options = [
    { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
    { optionId: 'no', name: 'No', kind: 'reject_once' },
  ];
  const content = [{ type: 'content', content: { type: 'text', text: '# Plan\n\n1. Do it\n' } }];
  const toolCall = { toolCallId: 'p1', title: 'Ready to code?', kind: 'switch_mode', content };
  stage.agent.ask('session/request_permission', { toolCall, options });
  await quiet();
}
const opened = async (stage: Stage): Promise<void> => {
  await stage.say({ type: 'editProposal', session: stage.key, request: requestOf(stage) });
};
/** The text that the user can edit. */
const shownText = (): Uri => {
  const shown = editor.executed.findLast(({ id }) => id === 'vscode.open' || id === 'vscode.diff');
  const uri = shown?.args[shown.id === 'vscode.diff' ? 1 : 0];
  return uri instanceof Uri ? uri : Uri.file('/nowhere');
};
/** The user changes the text, and saves it. */
const save = async (text: string): Promise<void> => {
  const uri = shownText();
  const made = editor.made.find(
    ({ what, args }) => what === 'workspace.registerFileSystemProvider' && args[0] === uri.scheme,
  );
  const provider = made?.args[1] as { writeFile(uri: Uri, bytes: Uint8Array, options: object): unknown } | undefined;
  assert.ok(provider);
  await provider.writeFile(uri, new TextEncoder().encode(text), { create: true, overwrite: true });
  await quiet();
};
const outcome = (stage: Stage, optionId: string) =>
  assert.deepEqual(stage.agent.answerTo('r1')?.['result'], { outcome: { outcome: 'selected', optionId } });
const proposal = {
  scene: 'working',
  before: async (stage: Stage) => {
    await asksToEdit(stage);
    await opened(stage);
  },
} as const;
const plan = {
  scene: 'working',
  before: async (stage: Stage) => {
    await asksAboutPlan(stage);
    await opened(stage);
  },
} as const;
const reply = () => {
  const thread = { uri: shownText(), range: { start: { line: 2 } }, dispose: () => undefined };
  return { thread, text: 'Why?' };
};

export const workCommands = commandRows({
  'parley.newSessionInWorktree': {
    before: repository,
    with: () => [{ agent: 'Codex', prompt: 'begin' }],
    answers: inWorktreeAnswers,
    does: (stage) => {
      newBranch(stage);
      assert.notEqual(there(stage), stage.project);
      stage.hears('session/prompt');
    },
    untrusted: warned,
    empty: (stage) => stage.shows(/error:.*Git/),
  },
  'parley.tryWith': {
    before: repository,
    with: () => [{ prompt: 'fix it' }],
    answers: tryAnswers,
    does: (stage) => {
      assert.equal(stage.window.pool.sessions.length, 3);
      stage.opensPage('parley.triesPage');
    },
    untrusted: warned,
  },
  'parley.compareTries': {
    before: async (stage) => {
      await tries(stage);
      stage.desk.panel('parley.triesPage')?.dispose();
    },
    does: (stage) => void stage.opensPage('parley.triesPage'),
  },
  'parley.cleanUpWorktrees': {
    before: async (stage) => {
      await worktree(stage);
      await stage.run('parley.closeSession');
    },
    answers: [(items) => items.slice(0, 1), 'Remove with Branches'],
    does: (stage) => assert.equal(git(stage.project, 'branch', '--list', 'fix'), ''),
    untrusted: warned,
  },
  'parley.discardWorktree': {
    before: worktree,
    with: (stage) => [stage.key],
    answers: ['Discard'],
    does: (stage) => {
      assert.equal(git(stage.project, 'branch', '--list', 'fix'), '');
      assert.equal(stage.window.pool.sessions.length, 1);
    },
    untrusted: warned,
  },
  'parley.bringChanges': {
    before: worktree,
    with: (stage) => [stage.key],
    does: (stage) => assert.equal(stage.read('a.txt'), 'one\n2\nthree\n'),
    // Without the key of a session, it's about the one on the page.
    may: { hostile: ['files'] },
  },
  'parley.mergeBranch': {
    before: async (stage) => {
      await worktree(stage);
      git(there(stage), 'commit', '--quiet', '--all', '--message', 'Work');
    },
    with: (stage) => [stage.key],
    answers: ['Merge Branch'],
    does: (stage) => assert.equal(stage.read('a.txt'), 'one\n2\nthree\n'),
  },
  'parley.fetchBranch': {
    before: async (stage) => {
      repository(stage);
      const { cwd } = await createCopy(await openSource(stage.project), [], 1);
      writeFileSync(join(cwd, 'a.txt'), 'one\n2\nthree\n');
      git(cwd, 'commit', '--quiet', '--all', '--message', 'Work');
      await stage.window.pool.move(stage.session, cwd);
    },
    with: (stage) => [stage.key],
    answers: ['fetched'],
    does: (stage) => {
      assert.match(git(stage.project, 'branch', '--list', 'fetched'), /fetched/);
      assert.notEqual(stage.read('a.txt'), 'one\n2\nthree\n');
    },
  },
  'parley.moveToWorktree': {
    before: repository,
    with: (stage) => [stage.key],
    answers: ['fix'],
    does: (stage) => {
      newBranch(stage);
      assert.notEqual(there(stage), stage.project);
    },
  },
  'parley.proposal.allow': {
    ...proposal,
    with: () => [shownText()],
    does: (stage) => outcome(stage, 'yes'),
  },
  'parley.proposal.use': {
    scene: 'working',
    before: async (stage) => {
      await asksToEdit(stage);
      await opened(stage);
      await save('one\nmine\nthree\n');
      await stage.say({ type: 'answerPermission', session: stage.key, request: requestOf(stage), optionId: 'no' });
    },
    with: () => [shownText()],
    does: (stage) => assert.equal(stage.read('a.txt'), 'one\nmine\nthree\n'),
  },
  'parley.proposal.openKept': {
    does: (stage) => stage.shows(/There are no kept versions/),
  },
  'parley.plan.approve': { ...plan, with: () => [shownText()], does: (stage) => outcome(stage, 'yes') },
  'parley.plan.approveWithChanges': { ...plan, with: () => [shownText()], does: (stage) => outcome(stage, 'yes') },
  'parley.plan.sendComments': { ...plan, with: () => [shownText()], does: (stage) => outcome(stage, 'no') },
  'parley.plan.addComment': {
    ...plan,
    with: () => [reply()],
    does: async (stage) => {
      await stage.say({ type: 'sendPlanComments', session: stage.key, request: requestOf(stage) });
      await quiet();
      assert.match(JSON.stringify(stage.session.transcript.view.queue) + JSON.stringify(stage.agent.heard), /Why\?/);
    },
  },
  'parley.plan.deleteComment': {
    scene: 'working',
    before: async (stage) => {
      await plan.before(stage);
      await stage.run('parley.plan.addComment', reply());
      assert.equal(stage.desk.threads.size, 1);
    },
    with: (stage) => [...stage.desk.threads].flatMap(({ comments }) => comments).slice(0, 1),
    does: (stage) => assert.equal(stage.desk.threads.size, 0),
  },
});

/** The task of the tries in the list of sessions. */
const listedTask = new WeakMap<Stage, string>();

export const workMessages: ChatRows<
  | 'tryWith'
  | 'compareTries'
  | 'startTyped'
  | 'findPlaces'
  | 'changeCheck'
  | 'editProposal'
  | 'allowProposal'
  | 'sendPlanComments'
> = {
  startTyped: {
    scene: 'empty',
    before: repository,
    message: () => ({
      type: 'startTyped',
      session: '',
      text: 'fix it',
      start: { place: { kind: 'worktree' }, agents: [] },
    }),
    does: (stage) => {
      assert.equal(stage.posts('typedSent').text, 'fix it');
      assert.notEqual(stage.window.pool.sessions.at(-1)?.transcript.view.cwd, stage.project);
      assert.match(git(stage.project, 'branch', '--list'), /parley\/fix$/m);
    },
    untrusted: warned,
  },
  findPlaces: {
    before: repository,
    message: (stage) => ({ type: 'findPlaces', session: stage.key }),
    does: (stage) => assert.deepEqual(stage.posts('startPlaces').places.worktrees, []),
  },
  changeCheck: {
    message: (stage) => ({ type: 'changeCheck', session: stage.key }),
    answers: ['npm test'],
    does: (stage) => assert.equal(stage.posts('startPlaces').places.check, 'npm test'),
  },
  tryWith: {
    before: repository,
    message: () => ({ type: 'tryWith', text: 'fix it' }),
    answers: tryAnswers,
    does: (stage) => assert.equal(stage.posts('triesStarted').text, 'fix it'),
    untrusted: warned,
  },
  compareTries: {
    before: async (stage) => {
      await tries(stage);
      stage.desk.panel('parley.triesPage')?.dispose();
      await stage.say({ type: 'watchSessions', isOn: true });
      const task = stage.posts('sessions').rows.find((row) => row.try)?.try?.task;
      assert.ok(task !== undefined, 'no row is a try');
      listedTask.set(stage, task);
    },
    message: (stage) => ({ type: 'compareTries', task: listedTask.get(stage) ?? 'gone' }),
    does: (stage) => void stage.opensPage('parley.triesPage'),
  },
  editProposal: {
    scene: 'working',
    before: asksToEdit,
    message: (stage) => ({ type: 'editProposal', session: stage.key, request: requestOf(stage) }),
    does: (stage) => void stage.executes('vscode.diff'),
  },
  allowProposal: {
    ...proposal,
    message: (stage) => ({ type: 'allowProposal', session: stage.key, request: requestOf(stage) }),
    does: (stage) => outcome(stage, 'yes'),
  },
  sendPlanComments: {
    ...plan,
    message: (stage) => ({ type: 'sendPlanComments', session: stage.key, request: requestOf(stage) }),
    does: (stage) => outcome(stage, 'no'),
  },
};

export async function openTriesPage(stage: Stage): Promise<FakePage> {
  if (stage.desk.panel('parley.triesPage')) return stage.ready('parley.triesPage');
  await stage.run('parley.compareTries');
  return stage.ready('parley.triesPage');
}

type Rows = { readonly [Type in FromTriesPage['type']]: PageRow<FromTriesPage & { readonly type: Type }> };
const pair = (stage: Stage) => ({ path: 'a.txt', left: tried(stage, 0), right: tried(stage, 1) });
const got = (stage: Stage, type: string) => {
  const found = stage.since('parley.triesPage').findLast((message) => message['type'] === type);
  assert.ok(found, `the page got no ${type}`);
  return found;
};
/** The tries whose check was started. */
const checked = new WeakMap<Stage, readonly (readonly unknown[])[]>();
const onTries = { before: tries } as const;

export const triesPageMessages: Rows = {
  ready: { ...onTries, message: () => ({ type: 'ready' }), does: (stage) => void got(stage, 'tries') },
  compare: {
    ...onTries,
    message: (stage) => ({ type: 'compare', pair: pair(stage), wishes: [] }),
    does: (stage) => void got(stage, 'differences'),
  },
  openBoth: {
    ...onTries,
    message: (stage) => ({ type: 'openBoth', pair: pair(stage) }),
    does: (stage) => void stage.executes('vscode.diff'),
  },
  take: {
    ...onTries,
    message: (stage) => ({ type: 'take', session: tried(stage, 0) }),
    does: (stage) => assert.equal(stage.read('a.txt'), 'one\n2\nthree\n'),
  },
  takeDifference: {
    ...onTries,
    message: (stage) => ({ type: 'takeDifference', pair: pair(stage), side: 'left', id: 'gone', stamp: 'old' }),
    does: (stage) => assert.match(String(got(stage, 'done')['words']), /has just changed/),
  },
  undoFile: {
    before: async (stage) => {
      await tries(stage);
      const page = await openTriesPage(stage);
      await stage.sayOn(page, { type: 'take', session: tried(stage, 0) } as never);
      assert.equal(stage.read('a.txt'), 'one\n2\nthree\n');
    },
    message: (stage) => ({ type: 'undoFile', session: tried(stage, 0), path: 'a.txt' }),
    does: (stage) => assert.equal(stage.read('a.txt'), 'one\ntwo\nthree\n'),
  },
  openSession: {
    ...onTries,
    message: (stage) => ({ type: 'openSession', session: tried(stage, 0) }),
    does: (stage) => assert.equal(stage.posts('page').page.active, tried(stage, 0)),
  },
  cleanUp: { ...onTries, message: () => ({ type: 'cleanUp' }), does: (stage) => void got(stage, 'cleanUpList') },
  removeTries: {
    before: async (stage) => {
      await tries(stage);
      const page = await openTriesPage(stage);
      await stage.sayOn(page, { type: 'cleanUp' });
    },
    message: (stage) => ({ type: 'removeTries', stamp: 1, tries: [tried(stage, 0)], way: 'delete' }),
    does: (stage) => assert.equal(stage.window.pool.sessions.length, 2),
  },
  check: {
    before: async (stage) => {
      await tries(stage);
      checked.set(stage, stage.notesCalls(TryTurns.prototype, 'check'));
    },
    message: () => ({ type: 'check' }),
    does: (stage) => assert.deepEqual(checked.get(stage), [[tried(stage, 0)], [tried(stage, 1)]]),
  },
  review: {
    ...onTries,
    message: () => ({ type: 'review' }),
    does: (stage) => void stage.opensPage('parley.reviewPage'),
  },
  returnToChat: {
    ...onTries,
    message: () => ({ type: 'returnToChat' }),
    does: (stage) => void stage.posts('focusComposer'),
  },
};
