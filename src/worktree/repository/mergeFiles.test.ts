import assert from 'node:assert/strict';
import { test } from 'node:test';
import { needsGit } from '../../../test/unit-support/platform';
import { changedHunks, mergeVersions, withHunks, type FileVersion } from './mergeFiles';

const names = { ours: 'yours', theirs: 'parley/fix' };
const absent = { kind: 'absent' } as const;
const file = (text: string | Buffer, isExecutable = false): FileVersion => ({
  kind: 'file',
  bytes: Buffer.from(text as string),
  isExecutable,
});
const link = (target: string) => ({ kind: 'link', target }) as const;

async function merge(base: FileVersion, theirs: FileVersion, ours: FileVersion) {
  const merged = await mergeVersions({ base, theirs, ours }, names);
  const text = (version: FileVersion | undefined) =>
    version?.kind === 'file'
      ? `${Buffer.from(version.bytes).toString()}${version.isExecutable ? ' *' : ''}`
      : version?.kind;
  if (merged.kind === 'same') return 'same';
  if (merged.kind === 'merged') return text(merged.version);
  const { conflict, partly, marked } = merged;
  return { conflict, partly: text(partly), marked: marked && Buffer.from(marked).toString() };
}

const seven = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\n';
const crlf = (text: string) => text.replaceAll('\n', '\r\n');

test('merges what both sides changed in different places', needsGit, async () => {
  const theirs = seven.replace('seven', 'SEVEN');
  const ours = seven.replace('one', 'ONE');
  assert.equal(await merge(file(seven), file(theirs), file(ours)), ours.replace('seven', 'SEVEN'));
  assert.equal(await merge(file(seven), file(theirs), file(seven)), theirs);
  assert.equal(await merge(file(seven), file(seven), file(ours)), 'same');
  assert.equal(await merge(file(seven), file(theirs), file(theirs)), 'same');
});

test('leaves conflicting lines as the user has them, and merges the others', needsGit, async () => {
  const theirs = seven.replace('one', 'theirs').replace('seven', 'SEVEN');
  const ours = seven.replace('one', 'mine');
  assert.deepEqual(await merge(file(seven), file(theirs), file(ours)), {
    conflict: 'lines',
    partly: ours.replace('seven', 'SEVEN'),
    marked: `<<<<<<< yours\nmine\n=======\ntheirs\n>>>>>>> parley/fix\n${theirs.slice(theirs.indexOf('two'))}`,
  });
});

test('says that nothing can be merged if all lines conflict', needsGit, async () => {
  const merged = await merge(file('a\n'), file('b\n'), file('c\n'));
  assert.deepEqual(merged, {
    conflict: 'lines',
    partly: undefined,
    marked: '<<<<<<< yours\nc\n=======\nb\n>>>>>>> parley/fix\n',
  });
});

test('keeps the line breaks of the user’s file', needsGit, async () => {
  const theirs = seven.replace('seven', 'SEVEN\nEIGHT');
  const ours = crlf(seven.replace('one', 'ONE'));
  const wanted = crlf(theirs.replace('one', 'ONE'));
  assert.equal(await merge(file(seven), file(theirs), file(ours)), wanted);
  const mixed = 'ONE\ntwo\r\nthree\nfour\r\nfive\r\nsix\r\nseven\r\n';
  const expected = 'ONE\ntwo\r\nthree\nfour\r\nfive\r\nsix\r\nSEVEN\r\nEIGHT\r\n';
  assert.equal(await merge(file(seven), file(theirs), file(mixed)), expected);
  const conflict = await merge(file(seven), file(seven.replace('one', 'theirs')), file(ours));
  assert.ok(typeof conflict === 'object');
  assert.equal(conflict.marked?.includes('<<<<<<< yours\r\nONE\r\n'), true);
});

test('merges bytes that are no valid text, and ends without a break', needsGit, async () => {
  const base = Buffer.from('a\xff\nb\nc\nd\ne', 'latin1');
  const theirs = Buffer.from('a\xff\nb\nc\nd\ne\xfe', 'latin1');
  const ours = Buffer.from('A\xff\nb\nc\nd\ne', 'latin1');
  const merged = await mergeVersions({ base: file(base), theirs: file(theirs), ours: file(ours) }, names);
  assert.ok(merged.kind === 'merged' && merged.version.kind === 'file');
  assert.equal(Buffer.from(merged.version.bytes).toString('latin1'), 'A\xff\nb\nc\nd\ne\xfe');
});

test('never merges two versions of a binary file', async () => {
  const [base, theirs, ours] = ['\0', '\0a', '\0b'].map((text) => file(text));
  assert.ok(base && theirs && ours);
  assert.equal(await merge(base, theirs, base), '\0a');
  assert.deepEqual(await merge(base, theirs, ours), { conflict: 'binary', partly: undefined, marked: undefined });
});

test('merges new, deleted, and executable files, and links', async () => {
  assert.equal(await merge(absent, file('new\n'), absent), 'new\n');
  assert.equal(await merge(file('a\n'), absent, file('a\n')), 'absent');
  assert.equal(await merge(file('a\nb\n'), absent, file('a\r\nb\r\n')), 'absent');
  assert.equal(await merge(file('a\n'), absent, absent), 'same');
  assert.equal(await merge(file(seven), file(seven, true), file(crlf(seven))), `${crlf(seven)} *`);
  assert.equal(await merge(link('a'), link('b'), link('a')), 'link');
});

test('leaves what one side deleted and the other one changed', needsGit, async () => {
  const conflict = async (base: FileVersion, theirs: FileVersion, ours: FileVersion) => {
    const merged = await merge(base, theirs, ours);
    return typeof merged === 'object' ? merged.conflict : merged;
  };
  assert.equal(await conflict(file('a\n'), absent, file('b\n')), 'deletedThere');
  assert.equal(await conflict(file('a\n'), file('b\n'), absent), 'deletedHere');
  assert.equal(await conflict(file('a\n'), link('b'), file('c\n')), 'place');
  assert.equal(await conflict(link('a'), file('c\n'), link('b')), 'place');
  assert.equal(await conflict(absent, file('b\n'), file('c\n')), 'lines');
});

test('takes only the chosen changes of a file', () => {
  const base = Buffer.from(seven);
  const theirs = Buffer.from(seven.replace('one\n', '').replace('four', 'FOUR').replace('seven', 'seven\neight'));
  assert.equal(changedHunks(base, theirs).length, 3);
  const chosen = (...hunks: readonly number[]) => Buffer.from(withHunks(base, theirs, new Set(hunks))).toString();
  assert.equal(chosen(), seven);
  assert.equal(chosen(1), seven.replace('four', 'FOUR'));
  assert.equal(chosen(0, 2), seven.replace('one\n', '').replace('seven', 'seven\neight'));
  assert.equal(chosen(0, 1, 2), theirs.toString());
  assert.deepEqual(changedHunks(base, Buffer.from('\0')), []);
});
