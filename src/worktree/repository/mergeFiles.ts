import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as l10n from '@vscode/l10n';
import { diffLines, type LineHunk } from '../../shared/diff/lineDiff';
import { plainGit } from './userGit';
import { reportedProblem } from './worktreeProblem';

/** What is at a path. */
export type FileVersion =
  | { readonly kind: 'absent' }
  | { readonly kind: 'file'; readonly bytes: Uint8Array; readonly isExecutable: boolean }
  | { readonly kind: 'link'; readonly target: string };

/** Three versions of a file: what both sides started from, the worktree's, and the user's. */
export interface ThreeVersions {
  readonly base: FileVersion;
  readonly theirs: FileVersion;
  readonly ours: FileVersion;
}

/**
 * Why two versions can't be merged: both sides changed the same lines or the same binary file, one side deleted what the other one
 * changed, or a file became a link.
 */
export type ConflictKind = 'lines' | 'binary' | 'deletedHere' | 'deletedThere' | 'place';

/** The result of a merge. */
export type Merged =
  /** The user's version has everything. */
  | { readonly kind: 'same' }
  | { readonly kind: 'merged'; readonly version: FileVersion }
  | {
      readonly kind: 'conflict';
      readonly conflict: ConflictKind;
      /** The user's version with the changes that don't conflict. Absent if there are none. */
      readonly partly?: FileVersion;
      /** The text with both sides between conflict markers. Only of conflicting lines. */
      readonly marked?: Uint8Array;
    };

/** Names for both sides in conflict markers. */
export interface SideNames {
  readonly ours: string;
  readonly theirs: string;
}

/** Returns whether git would compare these bytes by lines. */
export function isBinary(bytes: Uint8Array): boolean {
  return bytes.subarray(0, 8000).includes(0);
}

/** Returns what changed between two texts, by lines. Empty if one of them is binary. */
export function changedHunks(base: Uint8Array, theirs: Uint8Array): readonly LineHunk[] {
  if (isBinary(base) || isBinary(theirs)) return [];
  return diffLines(linesOf(base), linesOf(theirs));
}

/** Returns the base with only the chosen ones of the changes that `changedHunks` returns. */
export function withHunks(base: Uint8Array, theirs: Uint8Array, chosen: ReadonlySet<number>): Uint8Array {
  const [before, after] = [linesOf(base), linesOf(theirs)];
  const parts: string[] = [];
  let at = 0;
  for (const [index, hunk] of changedHunks(base, theirs).entries()) {
    if (!chosen.has(index)) continue;
    parts.push(...before.slice(at, hunk.oldStart), ...after.slice(hunk.newStart, hunk.newEnd));
    at = hunk.oldEnd;
  }
  return bytesOf([...parts, ...before.slice(at)]);
}

/** Merges a file. Throws a `WorktreeProblem` if git can't. */
export async function mergeVersions(versions: ThreeVersions, names: SideNames): Promise<Merged> {
  const { base, theirs, ours } = versions;
  if (isSameVersion(theirs, base) || isSameVersion(theirs, ours)) return { kind: 'same' };
  if (isSameVersion(ours, base)) return { kind: 'merged', version: theirs };
  if (theirs.kind === 'absent') {
    return isAlike(ours, base) ? { kind: 'merged', version: theirs } : { kind: 'conflict', conflict: 'deletedThere' };
  }
  if (ours.kind === 'absent') return { kind: 'conflict', conflict: 'deletedHere' };
  if (theirs.kind !== 'file' || ours.kind !== 'file') return { kind: 'conflict', conflict: 'place' };
  const before = base.kind === 'file' ? base.bytes : new Uint8Array();
  const isModeTheirs = base.kind === 'file' && theirs.isExecutable !== base.isExecutable;
  const isExecutable = isModeTheirs ? theirs.isExecutable : ours.isExecutable;
  const made = (bytes: Uint8Array) => ({ kind: 'file', bytes, isExecutable }) as const;
  const result = await mergeBytes({ base: before, theirs: theirs.bytes, ours: ours.bytes }, names);
  if (result.kind === 'merged') {
    const version = made(result.bytes);
    return isSameVersion(version, ours) ? { kind: 'same' } : { kind: 'merged', version };
  }
  const partly = made(result.partly ?? ours.bytes);
  return {
    kind: 'conflict',
    conflict: result.kind,
    ...(isSameVersion(partly, ours) ? {} : { partly }),
    ...(result.marked ? { marked: result.marked } : {}),
  };
}

/** Returns whether nothing differs. */
export function isSameVersion(a: FileVersion, b: FileVersion): boolean {
  if (a.kind === 'file' && b.kind === 'file') {
    return a.isExecutable === b.isExecutable && Buffer.from(a.bytes).equals(b.bytes);
  }
  return a.kind === 'link' && b.kind === 'link' ? a.target === b.target : a.kind === b.kind && a.kind === 'absent';
}

/** Returns whether nothing differs but line breaks, which git may convert. */
function isAlike(a: FileVersion, b: FileVersion): boolean {
  if (a.kind !== 'file' || b.kind !== 'file') return isSameVersion(a, b);
  if (a.isExecutable !== b.isExecutable || isBinary(a.bytes) || isBinary(b.bytes)) return isSameVersion(a, b);
  return withoutReturns(latin(a.bytes)) === withoutReturns(latin(b.bytes));
}

interface ThreeTexts {
  readonly base: Uint8Array;
  readonly theirs: Uint8Array;
  readonly ours: Uint8Array;
}

type MergedBytes =
  | { readonly kind: 'merged'; readonly bytes: Uint8Array }
  | { readonly kind: 'lines' | 'binary'; readonly partly?: Uint8Array; readonly marked?: Uint8Array };

async function mergeBytes(texts: ThreeTexts, names: SideNames): Promise<MergedBytes> {
  const { base, theirs, ours } = texts;
  const is = (a: Uint8Array, b: Uint8Array) => Buffer.from(a).equals(b);
  if (is(theirs, base) || is(theirs, ours)) return { kind: 'merged', bytes: ours };
  if (is(ours, base)) return { kind: 'merged', bytes: theirs };
  if (isBinary(base) || isBinary(theirs) || isBinary(ours)) return { kind: 'binary' };
  const merged = await mergeLines(texts, names, []);
  if (merged.isClean) return { kind: 'merged', bytes: merged.bytes };
  const hasReturns = [base, theirs, ours].some((bytes) => bytes.includes(13));
  if (!hasReturns) {
    const { bytes } = await mergeLines(texts, names, ['--ours']);
    return { kind: 'lines', partly: bytes, marked: merged.bytes };
  }
  // One side may have other line breaks throughout. What wasn't changed keeps those of the user's file.
  const plain = (bytes: Uint8Array) => Buffer.from(withoutReturns(latin(bytes)), 'latin1');
  const alike = { base: plain(base), theirs: plain(theirs), ours: plain(ours) };
  const again = await mergeLines(alike, names, []);
  if (again.isClean) return { kind: 'merged', bytes: withBreaksOf(ours, again.bytes) };
  const partly = await mergeLines(alike, names, ['--ours']);
  return { kind: 'lines', partly: withBreaksOf(ours, partly.bytes), marked: withBreaksOf(ours, again.bytes) };
}

/** Merges three texts by lines, with git's own program. */
async function mergeLines(
  texts: ThreeTexts,
  names: SideNames,
  options: readonly string[],
): Promise<{ readonly isClean: boolean; readonly bytes: Buffer }> {
  const folder = await mkdtemp(join(tmpdir(), `parley-merge-${randomBytes(4).toString('hex')}-`));
  try {
    for (const [name, bytes] of Object.entries(texts)) {
      await writeFile(join(folder, name), bytes as Uint8Array, { mode: 0o600 });
    }
    const labels = ['-L', names.ours, '-L', 'base', '-L', names.theirs];
    const style = ['-c', 'merge.conflictStyle=merge'];
    const output = await plainGit(folder, [
      ...[...style, 'merge-file', '-p', '-q', ...options, ...labels],
      ...['ours', 'base', 'theirs'],
    ]);
    // Git exits with the number of conflicts, up to 127.
    if (output.code === null || output.code > 127) throw reportedProblem(l10n.t('Couldn’t merge the files'), output);
    return { isClean: output.code === 0, bytes: output.out };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Writes a text that has line feeds only with the line breaks that its lines have in another one. */
function withBreaksOf(like: Uint8Array, plain: Uint8Array): Uint8Array {
  const old = linesOf(like);
  const returns = old.filter((line) => line.endsWith('\r\n')).length;
  const usual = returns * 2 > old.filter((line) => line.endsWith('\n')).length ? '\r\n' : '\n';
  const fresh = linesOf(plain);
  const parts: string[] = [];
  let at = 0;
  const plainOld = old.map((line) => line.replace(/\r\n$/, '\n'));
  for (const { oldStart, oldEnd, newStart, newEnd } of diffLines(plainOld, fresh)) {
    parts.push(...old.slice(at, oldStart));
    parts.push(...fresh.slice(newStart, newEnd).map((line) => line.replace(/\n$/, usual)));
    at = oldEnd;
  }
  return bytesOf([...parts, ...old.slice(at)]);
}

/** The lines of a text with their breaks, one character for each byte. */
function linesOf(bytes: Uint8Array): string[] {
  return latin(bytes).match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function bytesOf(lines: readonly string[]): Uint8Array {
  return Buffer.from(lines.join(''), 'latin1');
}

function latin(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}

function withoutReturns(text: string): string {
  return text.replaceAll('\r\n', '\n');
}
