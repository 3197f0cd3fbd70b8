import type { FileState } from './fileState';
import { splitLines } from '../lines/lines';

/** Minimum fraction of common lines for a deleted and a created text to be the same file. */
const enough = 0.6;
/** Maximum length of texts to compare by lines, in characters. Longer texts match only if they are equal. */
const comparedLength = 1_000_000;
/** Maximum number of candidates to compare by lines. */
const comparedFiles = 20;

/** A deleted or created file, under its old or new name. */
export interface Candidate {
  readonly path: string;
  readonly state: FileState;
}

/**
 * Returns the candidate that is most likely the same file under another name. Equal content comes first, then the most lines in common;
 * equal base names break ties. Empty files never match.
 */
export function mostSimilar(path: string, state: FileState, candidates: readonly Candidate[]): string | undefined {
  if (isEmpty(state)) return undefined;
  const name = baseName(path);
  const equal = candidates.filter((one) => isEqual(one.state, state));
  const [first] = [...equal.filter((one) => baseName(one.path) === name), ...equal];
  if (first) return first.path;
  if (state.kind !== 'text' || state.text.length > comparedLength) return undefined;
  const lines = splitLines(state.text);
  let best: { path: string; share: number } | undefined;
  const namesakes = candidates.filter((one) => baseName(one.path) === name);
  for (const one of new Set([...namesakes, ...candidates].slice(0, comparedFiles))) {
    if (one.state.kind !== 'text' || one.state.text.length > comparedLength) continue;
    const share = similarity(lines, splitLines(one.state.text));
    if (share >= enough && share > (best?.share ?? 0)) best = { path: one.path, share };
  }
  return best?.path;
}

/** Returns the fraction of lines two texts share, in any order. Ignores blank lines. */
export function similarity(one: readonly string[], other: readonly string[]): number {
  const counts = new Map<string, number>();
  const [a, b] = [one, other].map((lines) => lines.map((line) => line.trim()).filter((line) => line !== ''));
  for (const line of a ?? []) counts.set(line, (counts.get(line) ?? 0) + 1);
  let common = 0;
  for (const line of b ?? []) {
    const left = counts.get(line) ?? 0;
    if (left === 0) continue;
    counts.set(line, left - 1);
    common++;
  }
  const longest = Math.max(a?.length ?? 0, b?.length ?? 0);
  return longest === 0 ? 0 : common / longest;
}

function isEmpty(state: FileState): boolean {
  if (state.kind === 'text') return state.text.trim() === '';
  return state.kind === 'binary' ? state.size === 0 : state.kind !== 'link';
}

function isEqual(a: FileState, b: FileState): boolean {
  if (a.kind === 'text') return b.kind === 'text' && a.text === b.text;
  if (a.kind === 'link') return b.kind === 'link' && a.target === b.target;
  return a.kind === 'binary' && b.kind === 'binary' && a.hash === b.hash;
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
