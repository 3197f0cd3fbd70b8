import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SessionKey } from '../../shared/values/ids';
import { changedFiles, changesInScope } from './changedFiles';
import type { FileState } from '../files/fileState';
import type { AgentAuthor } from '../hunks/hunk';
import { ReviewLog } from '../log/reviewLog';

const session = 's' as SessionKey;
const first: AgentAuthor = { kind: 'agent', agentName: 'Agent', session, turn: 1 };
const second: AgentAuthor = { ...first, turn: 2 };
const other: AgentAuthor = { ...first, agentName: 'Other', session: 't' as SessionKey };

const absent: FileState = { kind: 'absent' };
const text = (content: string): FileState => ({ kind: 'text', text: content });
const binary = (hash: string): FileState => ({ kind: 'binary', hash, size: 3 });

function logOf(files: Record<string, readonly [before: FileState, after: FileState, author?: AgentAuthor]>): ReviewLog {
  const log = new ReviewLog();
  for (const [uri, [before, after, author = first]] of Object.entries(files)) {
    log.track(uri, before);
    log.agentEdit(uri, after, author);
  }
  return log;
}

const list = (log: ReviewLog) => changedFiles(log, session, (uri) => uri);

test('lists each file with its status and line counts', () => {
  const log = logOf({
    modified: [text('1\n2\n'), text('1\nX\nY\n')],
    created: [absent, text('1\n2\n')],
    deleted: [text('1\n2\n3\n'), absent],
    image: [binary('a'), binary('b')],
    old: [text('1\n'), text('1\n')],
  });
  log.rename('old', 'renamed', first);
  const short = list(log).map(({ uri, status, isBinary, session: counts }) => [
    `${uri} ${status}${isBinary ? ' binary' : ''}`,
    counts.added,
    counts.removed,
  ]);
  assert.deepEqual(short, [
    ['created created', 2, 0],
    ['deleted deleted', 0, 3],
    ['image modified binary', 0, 0],
    ['modified modified', 2, 1],
    ['renamed renamed', 0, 0],
  ]);
});

test('says why a path is guarded, including the path before a rename', () => {
  const log = logOf({
    '.vscode/settings.json': [text('{}\n'), text('{ "a": 1 }\n')],
    'pkg/.git/hooks/pre-commit': [absent, text('#!/bin/sh\n')],
    '.husky/old': [text('1\n'), text('1\n')],
    'src/a.ts': [text('1\n'), text('2\n')],
  });
  log.rename('.husky/old', 'scripts/new', first);
  assert.deepEqual(
    list(log).map(({ path, guarded }) => `${path} ${guarded}`),
    [
      '.vscode/settings.json editorSettings',
      'pkg/.git/hooks/pre-commit gitHooks',
      'scripts/new gitHooks',
      'src/a.ts undefined',
    ],
  );
});

test('shows paths as `pathOf` returns them', () => {
  const log = logOf({ 'file:///place/a.ts': [text('1\n'), text('2\n')] });
  assert.equal(changedFiles(log, session, (uri) => uri.replace('file:///place/', ''))[0]?.path, 'a.ts');
});

test('omits a file that is back to its last kept version', () => {
  const log = logOf({ a: [text('1\n'), text('2\n')], b: [absent, text('1\n')], c: [text('1\n'), absent] });
  assert.equal(list(log).length, 3);
  log.agentEdit('a', text('1\n'), second);
  log.agentEdit('b', absent, second);
  log.agentEdit('c', text('1\n'), second);
  assert.deepEqual(list(log), []);
  assert.deepEqual(changesInScope(log, session, 'session'), []);
});

test('omits a kept file and lists it again after undoing the keep', () => {
  const log = logOf({ a: [text('1\n'), text('2\n')], b: [text('1\n'), text('2\n')] });
  log.keepEach(changesInScope(log, session, 'session').map(({ uri, ids }) => [uri, ids]));
  assert.deepEqual(list(log), []);
  assert.deepEqual(log.undoLastKeep(), ['a', 'b']);
  assert.equal(list(log).length, 2);
});

test('omits changes of other sessions but names their authors', () => {
  const log = logOf({ a: [text('1\n2\n3\n'), text('X\n2\n3\n')], b: [text('1\n'), text('2\n'), other] });
  log.agentEdit('a', text('X\n2\nY\nZ\n'), other);
  const [a, ...more] = list(log);
  assert.deepEqual(more, []);
  assert.deepEqual([a?.session, a?.others], [{ added: 1, removed: 1 }, ['Other']]);
  const [scoped, ...rest] = changesInScope(log, session, 'session');
  assert.deepEqual([scoped?.uri, scoped?.ids.length, rest], ['a', 1, []]);
});

test('counts each turn separately while its changes are pending', () => {
  const log = logOf({ a: [text('1\n2\n3\n'), text('X\n2\n3\n')], b: [text('1\n'), text('2\n')] });
  log.agentEdit('a', text('X\n2\nY\nZ\n'), second);
  const [a, b] = list(log);
  assert.deepEqual(
    [a?.session, a?.turns, b?.turns],
    [
      { added: 3, removed: 2 },
      [
        { turn: 1, added: 1, removed: 1 },
        { turn: 2, added: 2, removed: 1 },
      ],
      [{ turn: 1, added: 1, removed: 1 }],
    ],
  );
  assert.deepEqual(
    changesInScope(log, session, 1).map(({ uri, ids }) => [uri, ids.length]),
    [
      ['a', 1],
      ['b', 1],
    ],
  );
  const [turn, ...rest] = changesInScope(log, session, 2);
  assert.deepEqual([turn?.uri, turn?.ids.length, rest], ['a', 1, []]);
  log.keepEach([['a', turn?.ids ?? []]]);
  assert.deepEqual(
    list(log).map(({ uri, turns }) => [uri, turns]),
    [
      ['a', [{ turn: 1, added: 1, removed: 1 }]],
      ['b', [{ turn: 1, added: 1, removed: 1 }]],
    ],
  );
});

test("counts the user's lines inside a change of this session", () => {
  const log = logOf({ a: [text('1\n2\n3\n4\n'), text('X\nY\n2\n3\n4\n')] });
  log.userEdit('a', text('X\nY\n2\n3\n4!\n'));
  assert.equal(list(log)[0]?.hasUserText, false);
  log.userEdit('a', text('X mine\nY\n2\n3\n4!\n'));
  assert.equal(list(log)[0]?.hasUserText, true);
});

test('lists 200 files with 10 changes each', (context) => {
  const log = new ReviewLog();
  const lines = Array.from({ length: 1000 }, (_, at) => `line ${at}\n`);
  for (let at = 0; at < 200; at++) {
    log.track(`file:///place/src/file${at}.ts`, text(lines.join('')));
    const after = lines.map((line, index) => (index % 100 === at % 100 ? `changed ${line}` : line));
    log.agentEdit(`file:///place/src/file${at}.ts`, text(after.join('')), at < 100 ? first : second);
  }
  const start = performance.now();
  const files = list(log);
  context.diagnostic(`200 changed files listed in ${(performance.now() - start).toFixed(1)} ms`);
  assert.equal(files.length, 200);
  assert.ok(files.every((file) => file.session.added === 10 && file.session.removed === 10));
  assert.equal(files.filter(({ turns }) => turns.some(({ turn }) => turn === 2)).length, 100);
});
