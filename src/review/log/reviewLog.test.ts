import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SessionKey } from '../../shared/values/ids';
import type { FileState } from '../files/fileState';
import type { AgentAuthor } from '../hunks/hunk';
import { ReviewLog, type ReviewLogJson } from './reviewLog';

function logFrom(json: ReviewLogJson): ReviewLog {
  const log = new ReviewLog();
  log.adopt(json);
  return log;
}

const session = 's' as SessionKey;
const agent: AgentAuthor = { kind: 'agent', agentName: 'Agent', session, turn: 1 };
const later: AgentAuthor = { ...agent, turn: 2 };
const user = { kind: 'user' } as const;

function text(content: string): FileState {
  return { kind: 'text', text: content };
}

function logOf(files: Record<string, readonly [before: string, after: string]>): ReviewLog {
  const log = new ReviewLog();
  for (const [uri, [before, after]] of Object.entries(files)) {
    log.track(uri, text(before));
    log.agentEdit(uri, text(after), agent);
  }
  return log;
}

function undoAll(log: ReviewLog): void {
  for (const { uri, plan } of log.undoAll()) log.userEdit(uri, plan.result);
}

test('lists pending changes with counts and authors, and reports changed files', () => {
  const log = logOf({ b: ['1\n2\n3\n', '1\nX\nY\n3\n'], a: ['1\n', '1\n'] });
  const fired: (readonly string[])[] = [];
  log.onDidChange((uris) => fired.push(uris));
  log.agentEdit('a', text('1\n2\n'), later);
  log.agentEdit('a', text('1\n2\n'), later);
  assert.deepEqual(fired, [['a']]);
  assert.deepEqual(log.pending, ['a', 'b']);
  assert.deepEqual(log.counts('b'), { added: 2, removed: 1, authors: [agent], hasUserText: false });
  assert.deepEqual(log.counts('a'), { added: 1, removed: 0, authors: [later], hasUserText: false });
  assert.deepEqual([log.changedIn(session, 1), log.changedIn(session, 2)], [['b'], ['a']]);
});

test('undoes keeps one by one, the last one first', () => {
  const log = logOf({ a: ['1\n', '2\n'], b: ['1\n', '2\n'] });
  log.keep('a');
  log.keepAll();
  assert.deepEqual(log.pending, []);
  assert.deepEqual(log.undoLastKeep(), ['b']);
  assert.deepEqual(log.pending, ['b']);
  assert.deepEqual(log.undoLastKeep(), ['a']);
  assert.deepEqual(log.undoLastKeep(), []);
  undoAll(log);
  assert.deepEqual([log.file('a')?.current, log.file('b')?.current], [text('1\n'), text('1\n')]);
});

test('keeps or undoes a single turn', () => {
  const log = logOf({ a: ['1\n2\n3\n', 'X\n2\n3\n'] });
  log.agentEdit('a', text('X\n2\nY\n'), later);
  for (const { uri, plan } of log.undoTurn(session, 2)) log.userEdit(uri, plan.result);
  assert.deepEqual(log.file('a')?.current, text('X\n2\n3\n'));
  log.keepTurn(session, 1);
  assert.deepEqual(log.pending, []);
});

test("an agent's rename is pending, but the user's is not", () => {
  const log = logOf({ a: ['1\n', '2\n'] });
  log.rename('a', 'b', agent);
  assert.deepEqual(log.file('b')?.status, { kind: 'renamed', from: 'a' });
  const plan = log.undo('b');
  assert.deepEqual([plan?.moveTo, plan?.result], ['a', text('1\n')]);
  log.userEdit('b', text('1\n'));
  log.rename('b', 'a', user);
  assert.deepEqual(log.pending, []);
  log.rename('a', 'c', user);
  assert.deepEqual(log.pending, []);
});

test('keeping the removal of a renamed file keeps its rename as well', () => {
  const log = logOf({ a: ['1\n', '1\n'] });
  log.rename('a', 'b', agent);
  log.agentEdit('b', { kind: 'absent' }, later);
  const [removal] = log.file('b')?.hunks ?? [];
  log.keep('b', removal ? [removal.id] : []);
  assert.deepEqual(log.pending, []);
  log.undoLastKeep();
  assert.deepEqual([log.file('b')?.status, log.undo('b')?.moveTo], [{ kind: 'deleted' }, 'a']);
});

test('a rename over another file is a deletion and a change', () => {
  const log = logOf({ a: ['1\n', '1\n'], b: ['other\n', 'other\n'] });
  log.rename('a', 'b', agent);
  assert.deepEqual([log.file('a')?.status, log.file('b')?.status], [{ kind: 'deleted' }, { kind: 'modified' }]);
  undoAll(log);
  assert.deepEqual([log.file('a')?.current, log.file('b')?.current], [text('1\n'), text('other\n')]);
});

test('continues from a stored log with unique ids and undoable keeps', () => {
  const log = logOf({ a: ['1\n2\n3\n', 'X\n2\n3\n'] });
  log.keepAll();
  const copy = logFrom(JSON.parse(JSON.stringify(log)) as ReviewLogJson);
  copy.agentEdit('a', text('X\n2\nY\n'), later);
  copy.undoLastKeep();
  assert.deepEqual(
    copy.file('a')?.hunks.map(({ id }) => id),
    ['h1', 'h2'],
  );
});

test('skips inconsistent files and other versions in stored data', () => {
  const stored = JSON.parse(JSON.stringify(logOf({ a: ['1\n', '2\n'], b: ['1\n', '2\n'] }))) as ReviewLogJson;
  const [first, second] = stored.files;
  assert.ok(first !== undefined && second !== undefined);
  const broken = { ...stored, files: [[first[0], { ...first[1], base: text('other\nlines\n') }] as const, second] };
  assert.deepEqual(logFrom(broken).pending, ['b']);
  assert.deepEqual(logFrom({ ...stored, version: 2 } as unknown as ReviewLogJson).pending, []);
});

test('a replaced file stays recoverable when the user moves its replacement back', () => {
  const log = new ReviewLog();
  const text = (content: string) => ({ kind: 'text', text: content }) as const;
  const author = { kind: 'agent', agentName: 'Agent', session: 's' as SessionKey, turn: 1 } as const;
  log.track('replaced', text('kept\n'));
  log.agentEdit('replaced', text('moved\n'), author);
  log.track('moved', text('moved\n'));
  log.agentEdit('moved', { kind: 'absent' }, author);
  log.rename('replaced', 'moved', { kind: 'user' });
  assert.deepEqual(log.pending, ['replaced']);
  assert.deepEqual(log.undo('replaced')?.result, text('kept\n'));
});
