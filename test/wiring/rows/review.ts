// The changes of agents: keeping, undoing, comparing, commenting, and reviewing them.
import assert from 'node:assert/strict';
import type { EntryId } from '../../../src/shared/values/ids';
import type { FromReviewPage } from '../../../src/shared/changes/reviewPage';
import type { FakePage } from '../../unit-support/productWindow';
import { editor, Uri, window, type Position } from '../../unit-support/vscode';
import { commandRows, type ChatRows, type PageRow } from '../row';
import type { Stage } from '../stage';
import { quiet } from '../shortTimers';
import { entryOf } from './chat';

const before = 'one\ntwo\nthree\n';
const after = 'one\n2\nthree\n';
const hunkOf = (stage: Stage, name = 'a.txt') => stage.window.review.log.file(stage.uri(name))?.hunks[0]?.id ?? 'gone';
const pending = (stage: Stage) => stage.window.review.log.pending;

/** The change is kept: nothing is left to decide, and the file is as the agent wrote it. */
function kept(stage: Stage): void {
  assert.deepEqual(pending(stage), []);
  assert.equal(stage.read('a.txt'), after);
}

/** The change is undone: nothing is left to decide, and the file is as it was. */
function undone(stage: Stage): void {
  assert.deepEqual(pending(stage), []);
  assert.equal(stage.read('a.txt'), before);
}

const untouched = (stage: Stage) => assert.equal(stage.read('a.txt'), before);

const lineShown = (): number | undefined =>
  (window as unknown as { activeTextEditor?: { selection: { active: Position } } }).activeTextEditor?.selection.active
    .line;

const draft = (stage: Stage, text = 'Why?'): void => {
  stage.window.review.comments.addTyped(stage.uri('a.txt'), hunkOf(stage), text);
};
const draftId = (stage: Stage) => stage.window.review.drafts.all[0]?.id ?? 'gone';
const comment = (stage: Stage) => [{ commentId: draftId(stage), body: 'Changed' }];
const drafts = (stage: Stage) => stage.window.review.drafts.drafts.map(({ text }) => text);
/** The message that the agent got. */
const promptOf = (stage: Stage) => JSON.stringify(stage.hears('session/prompt')['prompt']);
const commented = (stage: Stage) => assert.match(promptOf(stage), /Why\?/);

const lens = (stage: Stage) => [stage.uri('a.txt'), hunkOf(stage)];
const overlapping = (stage: Stage) => [
  Uri.parse(stage.uri('a.txt')),
  [{ modifiedStartLineNumber: 2, modifiedEndLineNumber: 2 }],
  0,
];
const changed = { scene: 'changed' } as const;

export const reviewCommands = commandRows({
  'parley.review.open': {
    ...changed,
    with: (stage) => [{ session: stage.key }],
    does: (stage) => assert.match(stage.opensPage('parley.reviewPage').html, new RegExp(stage.key)),
  },
  'parley.review.openMultiDiff': {
    ...changed,
    with: () => [{}],
    does: (stage) => {
      const [, files] = stage.executes('vscode.changes');
      assert.equal((files as readonly unknown[]).length, 1);
    },
  },
  'parley.review.compare': {
    ...changed,
    with: (stage) => [stage.uri('a.txt')],
    does: (stage) => assert.equal(String(stage.executes('vscode.diff')[1]), stage.uri('a.txt')),
  },
  'parley.review.nextChange': {
    ...changed,
    does: (stage) => assert.deepEqual([stage.documents, lineShown()], [['a.txt'], 1]),
  },
  'parley.review.previousChange': {
    ...changed,
    does: (stage) => assert.deepEqual([stage.documents, lineShown()], [['a.txt'], 1]),
  },
  'parley.review.keepChange': { ...changed, with: lens, does: kept, untrusted: untouched },
  'parley.review.undoChange': { ...changed, with: lens, does: undone },
  'parley.review.keepOverlapping': { ...changed, with: overlapping, does: kept },
  'parley.review.undoOverlapping': { ...changed, with: overlapping, does: undone },
  'parley.review.keepFile': { ...changed, with: (stage) => [stage.uri('a.txt')], does: kept },
  'parley.review.undoFile': { ...changed, with: (stage) => [stage.uri('a.txt')], does: undone },
  'parley.review.keepAll': { ...changed, does: kept },
  'parley.review.undoAll': { ...changed, does: undone },
  'parley.review.peekChange': {
    ...changed,
    with: lens,
    does: (stage) => {
      stage.executes('editor.action.dirtydiff.next');
      assert.deepEqual(stage.documents, ['a.txt']);
    },
  },
  'parley.review.showOrigin': {
    ...changed,
    before: (stage) => stage.say({ type: 'selectSession', session: '' }),
    with: (stage) => [stage.key, 1, 't1'],
    does: (stage) => assert.equal(stage.posts('revealEntry').entry, entryOf(stage, 'tool_call')),
  },
  'parley.review.showInDiffs': {
    does: () => assert.equal(editor.settings['diffEditor.codeLens'], true),
    may: { untrusted: ['settings'], empty: ['settings'], working: ['settings'] },
  },
  'parley.review.hideInDiffs': {
    settings: { 'diffEditor.codeLens': true },
    does: () => assert.equal(editor.settings['diffEditor.codeLens'], undefined),
    may: { untrusted: ['settings'], empty: ['settings'], working: ['settings'] },
  },
  'parley.review.comment': { ...changed, with: lens, answers: ['Why?'], does: commented },
  'parley.review.undoKeep': {
    ...changed,
    before: (stage) => stage.run('parley.review.keepAll'),
    does: (stage) => assert.deepEqual(pending(stage), [stage.uri('a.txt')]),
  },
  'parley.comment.send': {
    ...changed,
    before: (stage) => draft(stage),
    does: (stage) => {
      commented(stage);
      assert.deepEqual(drafts(stage), []);
    },
  },
  'parley.comment.sendOne': { ...changed, before: (stage) => draft(stage), with: comment, does: commented },
  'parley.comment.sendTo': {
    ...changed,
    before: (stage) => draft(stage),
    with: comment,
    answers: [(items) => items.slice(0, 1)],
    does: commented,
  },
  'parley.comment.reply': {
    ...changed,
    before: (stage) => draft(stage, 'First'),
    with: comment,
    answers: ['Why?'],
    does: commented,
  },
  'parley.comment.edit': {
    ...changed,
    before: async (stage) => {
      draft(stage);
      await quiet();
    },
    with: comment,
    does: async (stage) => {
      await stage.run('parley.comment.saveEdit', ...comment(stage));
      assert.deepEqual(drafts(stage), ['Changed']);
    },
  },
  'parley.comment.saveEdit': {
    ...changed,
    before: async (stage) => {
      draft(stage);
      await quiet();
      await stage.run('parley.comment.edit', ...comment(stage));
    },
    with: comment,
    does: (stage) => assert.deepEqual(drafts(stage), ['Changed']),
  },
  'parley.comment.cancelEdit': {
    ...changed,
    before: async (stage) => {
      draft(stage);
      await quiet();
      await stage.run('parley.comment.edit', ...comment(stage));
    },
    with: comment,
    does: async (stage) => {
      await stage.run('parley.comment.saveEdit', ...comment(stage));
      assert.deepEqual(drafts(stage), ['Why?']);
    },
  },
  'parley.comment.delete': {
    ...changed,
    before: (stage) => draft(stage),
    with: comment,
    does: (stage) => assert.deepEqual(drafts(stage), []),
  },
  'parley.reviewWithAgent': {
    ...changed,
    with: (stage) => [{ session: stage.key }],
    answers: ['Gemini'],
    does: (stage) => {
      assert.equal(stage.session.transcript.view.agentName, 'Gemini');
      assert.match(promptOf(stage), /a\.txt/);
    },
    untrusted: (stage) => stage.shows(/warning:.*isn’t trusted/),
    empty: (stage) => stage.shows(/error:/),
  },
  'parley.reviewWorktree': {
    with: (stage) => [stage.key],
    does: (stage) => stage.shows(/error:.*worktree/),
    untrusted: (stage) => stage.shows(/isn’t trusted|error:/),
  },
  'parley.checkpoints.preview': {
    ...changed,
    with: () => [1],
    does: async (stage) => {
      const preview = (await stage.call('parley.checkpoints.preview', 1)) as { files: readonly unknown[] } | undefined;
      assert.equal(preview?.files.length, 1);
    },
  },
  'parley.checkpoints.restore': {
    ...changed,
    with: () => [1, [], undefined],
    does: (stage) => untouched(stage),
    working: () => undefined,
  },
  'parley.checkpoints.undo': {
    ...changed,
    before: (stage) => stage.run('parley.checkpoints.restore', 1, []),
    does: (stage) => assert.equal(stage.read('a.txt'), after),
  },
  'parley.rewind': {
    ...changed,
    answers: [(items) => items.slice(-1), 'Files only'],
    does: (stage) => {
      const { entry, mode } = stage.posts('openRestore');
      assert.deepEqual([entry, mode], [entryOf(stage, 'user_message'), 'restore']);
    },
  },
  'parley.commit': {
    ...changed,
    with: (stage) => [stage.key, 1],
    does: (stage) => stage.shows(/Git/),
  },
});

const scope = 'session' as const;

export const reviewMessages: ChatRows<
  | 'reviewChanges'
  | 'reviewFile'
  | 'unprotectedAction'
  | 'newProblemsAction'
  | 'commit'
  | 'previewRestore'
  | 'compareRestore'
  | 'restore'
  | 'undoRestore'
> = {
  reviewChanges: {
    ...changed,
    message: (stage) => ({ type: 'reviewChanges', session: stage.key, action: 'undo', scope }),
    does: undone,
  },
  reviewFile: {
    ...changed,
    message: (stage) => ({ type: 'reviewFile', session: stage.key, action: 'keep', uri: stage.uri('a.txt'), scope }),
    does: kept,
  },
  unprotectedAction: {
    message: (stage) => ({ type: 'unprotectedAction', session: stage.key, action: 'show' }),
    does: (stage) => void stage.opensPage('parley.page'),
  },
  newProblemsAction: {
    message: (stage) => ({ type: 'newProblemsAction', session: stage.key, action: 'show' }),
    does: (stage) => void stage.executes('workbench.actions.view.problems'),
  },
  commit: {
    ...changed,
    message: (stage) => ({ type: 'commit', session: stage.key, turn: 1 }),
    does: (stage) => stage.shows(/Git/),
  },
  previewRestore: {
    ...changed,
    message: (stage) => ({ type: 'previewRestore', session: stage.key, entry: entryOf(stage, 'user_message') }),
    does: (stage) => assert.equal(stage.posts('restorePreview').preview.files.length, 1),
  },
  compareRestore: {
    ...changed,
    message: (stage) => ({
      type: 'compareRestore',
      session: stage.key,
      entry: entryOf(stage, 'user_message'),
      uri: stage.uri('a.txt'),
    }),
    does: (stage) => void stage.executes('vscode.diff'),
  },
  restore: {
    ...changed,
    message: (stage) => ({ type: 'restore', session: stage.key, entry: entryOf(stage, 'user_message'), overwrite: [] }),
    does: (stage) => {
      untouched(stage);
      stage.posts('restored');
    },
    working: () => undefined,
  },
  undoRestore: {
    ...changed,
    before: (stage) => stage.run('parley.checkpoints.restore', 1, []),
    message: (stage) => ({ type: 'undoRestore', session: stage.key, entry: noticeOf(stage) }),
    does: (stage) => assert.equal(stage.read('a.txt'), after),
  },
};

const noticeOf = (stage: Stage): EntryId => entryOf(stage, 'notice');

/** The review page of a session, with the change of its agent. */
export async function openReviewPage(stage: Stage): Promise<FakePage> {
  await stage.run('parley.review.open', {});
  const page = stage.desk.panel('parley.reviewPage')?.webview;
  assert.ok(page);
  await stage.sayOn(page, { type: 'ready' });
  return page;
}

type ReviewMessage = FromReviewPage;
type Rows = { readonly [Type in ReviewMessage['type']]: PageRow<ReviewMessage & { readonly type: Type }> };
const got = (stage: Stage, type: string) => {
  const found = stage.since('parley.reviewPage').findLast((message) => message['type'] === type);
  assert.ok(found, `the page got no ${type}`);
  return found;
};
const revisionOf = (stage: Stage) => {
  const shown = stage.desk.panel('parley.reviewPage')?.webview.got as unknown as
    | readonly {
        type: string;
        changed?: readonly { uri: string; revision: number }[];
      }[]
    | undefined;
  return shown?.findLast(({ type }) => type === 'review')?.changed?.[0]?.revision ?? 0;
};
const onChange = (stage: Stage) => ({ uri: stage.uri('a.txt'), id: hunkOf(stage) });

export const reviewPageMessages: Rows = {
  ready: {
    ...changed,
    message: () => ({ type: 'ready' }),
    does: (stage) => assert.equal((got(stage, 'review')['changed'] as readonly unknown[]).length, 1),
  },
  readFile: {
    ...changed,
    message: (stage) => ({ type: 'readFile', uri: stage.uri('a.txt'), wishes: [] }),
    does: (stage) => assert.equal(got(stage, 'reviewContent')['uri'], stage.uri('a.txt')),
  },
  decide: {
    ...changed,
    message: (stage) => ({
      type: 'decide',
      action: 'undo',
      changes: [{ uri: stage.uri('a.txt'), revision: revisionOf(stage) }],
    }),
    does: undone,
  },
  reviewAgain: {
    ...changed,
    before: (stage) => stage.run('parley.review.keepAll'),
    message: (stage) => ({ type: 'reviewAgain', uri: stage.uri('a.txt') }),
    does: (stage) => assert.deepEqual(pending(stage), [stage.uri('a.txt')]),
  },
  undoLast: {
    ...changed,
    before: (stage) => stage.run('parley.review.keepAll'),
    message: () => ({ type: 'undoLast' }),
    does: (stage) => assert.deepEqual(pending(stage), [stage.uri('a.txt')]),
  },
  beginComment: {
    ...changed,
    message: (stage) => ({ type: 'beginComment', ...onChange(stage) }),
    does: async (stage) => {
      // The comment that was begun is sent, although its change is gone.
      const { uri, id } = onChange(stage);
      await stage.run('parley.review.keepAll');
      await stage.window.review.comments.sendTyped(uri, id, 'Why?');
      await quiet();
      commented(stage);
    },
  },
  comment: { ...changed, message: (stage) => ({ type: 'comment', ...onChange(stage), text: 'Why?' }), does: commented },
  addDraft: {
    ...changed,
    message: (stage) => ({ type: 'addDraft', ...onChange(stage), text: 'Why?' }),
    does: (stage) => assert.deepEqual(drafts(stage), ['Why?']),
  },
  sendDrafts: { ...changed, before: (stage) => draft(stage), message: () => ({ type: 'sendDrafts' }), does: commented },
  deleteDraft: {
    ...changed,
    before: (stage) => draft(stage),
    message: (stage) => ({ type: 'deleteDraft', comment: draftId(stage) }),
    does: (stage) => assert.deepEqual(drafts(stage), []),
  },
  sendComment: {
    ...changed,
    before: (stage) => draft(stage),
    message: (stage) => ({ type: 'sendComment', comment: draftId(stage) }),
    does: commented,
  },
  sendCommentTo: {
    ...changed,
    before: (stage) => draft(stage),
    answers: [(items) => items.slice(0, 1)],
    message: (stage) => ({ type: 'sendCommentTo', comment: draftId(stage) }),
    does: commented,
  },
  editComment: {
    ...changed,
    before: (stage) => draft(stage, 'First'),
    message: (stage) => ({ type: 'editComment', comment: draftId(stage), ...onChange(stage), text: 'Why?' }),
    does: (stage) => assert.deepEqual(drafts(stage), ['Why?']),
  },
  chooseRemark: {
    ...changed,
    before: (stage) => {
      const chosen: unknown[] = [];
      Object.assign(stage.window.review.drafts, { choose: (...args: unknown[]) => chosen.push(args) });
      Object.assign(stage, { chosen });
    },
    message: () => ({ type: 'chooseRemark', comment: 'remark', isChosen: false }),
    does: (stage) => assert.deepEqual((stage as unknown as { chosen: unknown }).chosen, [['remark', false]]),
  },
  askReviewer: {
    ...changed,
    message: () => ({ type: 'askReviewer' }),
    answers: ['Gemini'],
    does: (stage) => assert.match(promptOf(stage), /a\.txt/),
  },
  openFile: {
    ...changed,
    message: (stage) => ({ type: 'openFile', ...onChange(stage) }),
    does: (stage) => assert.deepEqual(stage.documents, ['a.txt']),
  },
  openComment: {
    ...changed,
    before: (stage) => draft(stage),
    message: (stage) => ({ type: 'openComment', comment: draftId(stage) }),
    does: (stage) => assert.deepEqual(stage.documents, ['a.txt']),
  },
  openDiff: {
    ...changed,
    message: (stage) => ({ type: 'openDiff', uri: stage.uri('a.txt') }),
    does: (stage) => void stage.executes('vscode.diff'),
  },
  openMultiDiff: {
    ...changed,
    message: () => ({ type: 'openMultiDiff' }),
    does: (stage) => assert.match(String(stage.executes('vscode.changes')[1]), /a\.txt/),
  },
  commit: { ...changed, message: () => ({ type: 'commit' }), does: (stage) => stage.shows(/Git/) },
  bringChanges: {
    ...changed,
    message: () => ({ type: 'bringChanges' }),
    does: (stage) => stage.shows(/worktree/),
  },
  returnToChat: {
    ...changed,
    message: () => ({ type: 'returnToChat' }),
    does: (stage) => void stage.posts('focusComposer'),
  },
};
