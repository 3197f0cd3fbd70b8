import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SessionKey } from '../../shared/values/ids';
import type { FileState } from '../files/fileState';
import type { Author, HunkId } from '../hunks/hunk';
import { hunksToShow } from '../hunks/reviewHunks';
import { ReviewLog } from '../log/reviewLog';
import { ReviewRound } from './reviewRound';

const by = (session: string, agentName = 'Claude', turn = 1): Author => ({
  kind: 'agent',
  agentName,
  session: session as SessionKey,
  turn,
});
const text = (content: string): FileState => ({ kind: 'text', text: content });

function write(log: ReviewLog, uri: string, before: string | undefined, after: string | undefined, author = by('s')) {
  log.track(uri, before === undefined ? { kind: 'absent' } : text(before));
  log.agentEdit(uri, after === undefined ? { kind: 'absent' } : text(after), author);
}

function undo(log: ReviewLog, uri: string, ids: readonly HunkId[] | 'all' = 'all') {
  const plan = log.undo(uri, ids);
  assert.ok(plan);
  log.userEdit(uri, plan.result);
}

const numbered = Array.from({ length: 30 }, (_, at) => `${at + 1}\n`).join('');
const twice = numbered.replace('3\n', 'three\n').replace('20\n', 'twenty\n');

test('a file leaves when its last change is decided, with its outcome', () => {
  const log = new ReviewLog();
  write(log, 'a', numbered, twice);
  write(log, 'b', undefined, 'new\n');
  write(log, 'c', 'old\n', undefined);
  const round = new ReviewRound(log, {}, (uri) => uri);
  const [first] = round.idsOf('a');
  assert.ok(first);
  log.keep('a', [first]);
  const news = round.update();
  assert.deepEqual(
    news.changed.map(({ uri, left, total }) => [uri, left, total]),
    [['a', 1, 2]],
  );
  // The rest is undone, but a part of the file was kept.
  undo(log, 'a');
  undo(log, 'b');
  log.keep('c');
  assert.deepEqual(
    round.update().decided.map(({ uri, outcome, undone }) => [uri, outcome, undone]),
    [
      ['a', 'kept', 1],
      ['b', 'undone', undefined],
      ['c', 'kept', undefined],
    ],
  );
  assert.deepEqual(round.uris, []);
});

test('files that leave the review without a decision are not counted', () => {
  const log = new ReviewLog();
  for (const name of ['a', 'b', 'c']) write(log, name, 'old\n', 'new\n');
  log.rename('c', 'd', by('s'));
  const round = new ReviewRound(log, {}, (uri) => uri);
  for (const name of ['a', 'b']) undo(log, name);
  assert.deepEqual(
    round.update().decided.map(({ uri }) => uri),
    ['a', 'b'],
  );
  log.forget('a');
  assert.deepEqual(round.update().gone, ['a']);
  // Its changes went back to the old name, which was then forgotten, too.
  log.rename('d', 'c', { kind: 'user' });
  undo(log, 'c');
  assert.deepEqual(round.update().decided, [{ uri: 'd', path: 'd', outcome: 'undone' }]);
  log.forget('c');
  assert.deepEqual(round.update().gone, ['d']);
  assert.deepEqual(round.all.decided, [{ uri: 'b', path: 'b', outcome: 'undone' }]);
});

test('a review continues with a decision that was taken back', () => {
  const log = new ReviewLog();
  write(log, 'a', 'old\n', 'new\n');
  write(log, 'b', 'old\n', 'new\n');
  const round = new ReviewRound(log, {}, (uri) => uri);
  log.keep('a');
  log.keep('b');
  round.update();
  log.undoLastKeep();
  round.update();
  assert.deepEqual([round.uris, round.all.decided.map(({ uri }) => uri)], [['b'], ['a']]);
});

test('a change after the end begins a new review', () => {
  const log = new ReviewLog();
  write(log, 'a', 'old\n', 'new\n');
  const round = new ReviewRound(log, {}, (uri) => uri);
  log.keep('a');
  round.update();
  write(log, 'b', 'old\n', 'new\n');
  const { changed, gone } = round.update();
  assert.deepEqual([changed.map(({ uri }) => uri), gone, round.all.decided], [['b'], ['a'], []]);
});

test('a review of one session has only its changes', () => {
  const log = new ReviewLog();
  write(log, 'a', numbered, numbered.replace('3\n', 'three\n'), by('one'));
  log.agentEdit('a', text(twice), by('two', 'Codex'));
  write(log, 'b', 'old\n', 'new\n', by('two', 'Codex'));
  const round = new ReviewRound(log, { session: 'one' as SessionKey }, (uri) => uri);
  assert.deepEqual(
    round.all.changed.map(({ uri, left, added }) => [uri, left, added]),
    [['a', 1, 1]],
  );
  undo(log, 'a', round.idsOf('a'));
  assert.deepEqual(round.update().decided, [{ uri: 'a', path: 'a', outcome: 'undone' }]);
});

test('a file has a new revision only when it changes', () => {
  const log = new ReviewLog();
  write(log, 'a', 'old\n', 'new\n');
  write(log, 'b', 'old\n', 'new\n');
  const round = new ReviewRound(log, {}, (uri) => uri);
  const revision = round.file('a')?.revision;
  log.agentEdit('b', text('newer\n'), by('s'));
  assert.deepEqual(
    round.update().changed.map(({ uri }) => uri),
    ['b'],
  );
  assert.equal(round.file('a')?.revision, revision);
});

test('hunks share out the unchanged lines between them, each line once', () => {
  const log = new ReviewLog();
  write(log, 'a', numbered, twice);
  const file = log.file('a');
  assert.ok(file);
  const ids = new Set(file.hunks.map(({ id }) => id));
  const [first, second] = hunksToShow(file.snapshot.text, ids, []);
  assert.deepEqual(first?.before, ['1', '2']);
  assert.deepEqual([first.removed, first.added, first.after, first.hidden], [['3'], ['three'], ['4', '5', '6'], 0]);
  assert.deepEqual([second?.before, second?.hidden, second?.hiddenAfter], [['17', '18', '19'], 10, 7]);
  const [, unfolded] = hunksToShow(file.snapshot.text, ids, [{ id: file.hunks[1]?.id ?? '', isUnfolded: true }]);
  assert.deepEqual(
    [unfolded?.before.length, unfolded?.hidden, unfolded?.hiddenAfter, unfolded?.unfolded],
    [13, 0, 0, 17],
  );
  assert.equal(unfolded?.stamp, second?.stamp);
});

test('a change has another stamp when any of its lines differs', () => {
  const log = new ReviewLog();
  write(log, 'a', numbered, twice);
  const stamps = () => {
    const file = log.file('a');
    return file
      ? hunksToShow(file.snapshot.text, new Set(file.hunks.map(({ id }) => id)), []).map(({ stamp }) => stamp)
      : [];
  };
  const before = stamps();
  log.agentEdit('a', text(twice.replace('twenty', 'twenty!')), by('s'));
  const after = stamps();
  assert.deepEqual([after[0] === before[0], after[1] === before[1]], [true, false]);
});

test('names the function around a change, not the block inside it', () => {
  const log = new ReviewLog();
  const code = (line: string) =>
    `class A {\n  send(part) {\n    if (part) {\n      a();\n      b();\n      c();\n      ${line}\n    }\n  }\n}\n`;
  write(log, 'a', code('old();'), code('fresh();'));
  const file = log.file('a');
  assert.ok(file);
  assert.equal(hunksToShow(file.snapshot.text, new Set(file.hunks.map(({ id }) => id)), [])[0]?.heading, 'send');
});
