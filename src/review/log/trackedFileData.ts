import type { ReviewedText } from './changeText';
import { linesOf, stateOf, type FileState } from '../files/fileState';
import { acceptTraits, type TraitChange, type Traits } from './fileTraits';
import { isSameAuthor, user, type AgentAuthor, type Author, type Hunk, type HunkId } from '../hunks/hunk';
import type { KeptHunk } from './keptHunks';

/** A kept change that isn't a hunk, and the keep that it belongs to. */
export interface KeptTrait {
  readonly keep: number;
  readonly change: TraitChange;
}

/** The data of a tracked file that survives a reload. Texts are lines with their breaks. */
export interface TrackedFileData {
  readonly text: ReviewedText;
  readonly traits: Traits;
  readonly kept: readonly KeptHunk[];
  readonly keptTraits: readonly KeptTrait[];
  /** Whether each text is a single element because it is too large to compare by lines. */
  readonly isWhole: boolean;
  /** The base as first guessed, while it can still be corrected. */
  readonly guess?: readonly string[];
}

/** Returns the data for a file as the user knows it, without pending changes. */
export function startData(base: FileState, isWhole: boolean, isGuess: boolean): TrackedFileData {
  const lines = linesOf(base, isWhole);
  const text = { base: lines, current: lines, hunks: [] };
  return {
    text,
    traits: acceptTraits({ changes: [] }, base),
    kept: [],
    keptTraits: [],
    isWhole,
    ...(isGuess ? { guess: lines } : {}),
  };
}

/** Returns the data after a decision of the user, which makes the base final. */
export function withoutGuess({ text, traits, kept, keptTraits, isWhole }: TrackedFileData): TrackedFileData {
  return { text, traits, kept, keptTraits, isWhole };
}

type Range = readonly [start: number, end: number];
/** Indexes in the file's author table, as runs of author and line count. */
type Runs = readonly (readonly [author: number, count: number])[];

interface HunkJson {
  readonly id: HunkId;
  readonly base: Range;
  readonly at: Range;
  readonly authors: readonly number[];
  readonly by: Runs;
}

interface KeptJson extends Omit<HunkJson, 'at'> {
  readonly keep: number;
  readonly lines: readonly string[];
  readonly isWholeFile: boolean;
  readonly within: readonly HunkId[];
}

/** A tracked file as JSON. Authors repeat, so they are stored in a table. */
export interface TrackedFileJson {
  readonly base: FileState;
  readonly current: FileState;
  readonly isWhole: boolean;
  readonly guess?: FileState;
  readonly authors: readonly Author[];
  readonly hunks: readonly HunkJson[];
  readonly kept: readonly KeptJson[];
  readonly keptTraits: readonly KeptTrait[];
  readonly traits: Traits;
}

/** Converts the data to JSON for `fromFileJson`. */
export function toFileJson(data: TrackedFileData): TrackedFileJson {
  const authors: Author[] = [];
  const place = (author: Author) => {
    const known = authors.findIndex((one) => isSameAuthor(one, author));
    return known >= 0 ? known : authors.push(author) - 1;
  };
  const runs = (list: readonly Author[]) => {
    const result: [number, number][] = [];
    for (const author of list) {
      const at = place(author);
      const last = result.at(-1);
      if (last?.[0] === at) last[1]++;
      else result.push([at, 1]);
    }
    return result;
  };
  const { text, guess, isWhole, keptTraits, traits } = data;
  const hunks = text.hunks.map((hunk) => ({
    id: hunk.id,
    base: [hunk.baseStart, hunk.baseEnd] as const,
    at: [hunk.start, hunk.end] as const,
    authors: hunk.authors.map(place),
    by: runs(hunk.lineAuthors),
  }));
  const kept = data.kept.map((one) => ({
    keep: one.keep,
    id: one.id,
    base: [one.baseStart, one.baseEnd] as const,
    lines: one.baseLines,
    authors: one.authors.map(place),
    by: runs(one.lineAuthors),
    isWholeFile: one.isWholeFile,
    within: one.within,
  }));
  const guessed = guess === undefined ? {} : { guess: stateOf(guess) };
  const states = { base: stateOf(text.base), current: stateOf(text.current) };
  return { ...states, isWhole, ...guessed, authors, hunks, kept, keptTraits, traits };
}

/** Reads the output of `toFileJson`. Returns undefined if it is inconsistent or damaged. */
export function fromFileJson(json: TrackedFileJson): TrackedFileData | undefined {
  try {
    const data = read(json);
    return isConsistent(data.text) && data.kept.every((one) => one.baseEnd <= data.text.base.length) ? data : undefined;
  } catch {
    // Another shape counts as nothing stored.
    return undefined;
  }
}

function read(json: TrackedFileJson): TrackedFileData {
  const table = json.authors.map((author) => (author.kind === 'user' ? user : readAgent(author)));
  const author = (index: number) => table[index] ?? user;
  const lineAuthors = (runs: Runs) =>
    runs.flatMap(([index, count]) => Array.from({ length: count }, () => author(index)));
  const hunks = json.hunks.map(({ id, base, at, authors, by }): Hunk => ({
    id,
    baseStart: base[0],
    baseEnd: base[1],
    start: at[0],
    end: at[1],
    authors: authors.map(author),
    lineAuthors: lineAuthors(by),
  }));
  const kept = json.kept.map(({ keep, id, base, lines, authors, by, isWholeFile, within }): KeptHunk => ({
    keep,
    id,
    baseStart: base[0],
    baseEnd: base[1],
    baseLines: lines,
    authors: authors.map(author),
    lineAuthors: lineAuthors(by),
    isWholeFile,
    within,
  }));
  const { isWhole, keptTraits, traits } = json;
  const text = { base: linesOf(json.base, isWhole), current: linesOf(json.current, isWhole), hunks };
  const guess = json.guess === undefined ? {} : { guess: linesOf(json.guess, isWhole) };
  // Accesses every list, so that a missing one is found here and not at its first use.
  return {
    text,
    traits: { ...traits, changes: [...traits.changes] },
    kept,
    keptTraits: [...keptTraits],
    isWhole,
    ...guess,
  };
}

function readAgent(author: AgentAuthor): AgentAuthor {
  const { agentName, session, turn, toolCall } = author;
  return { kind: 'agent', agentName, session, turn, ...(toolCall === undefined ? {} : { toolCall }) };
}

/** Returns whether hunks are ordered, separate, and not empty, ids are unique, and all other lines are equal on both sides. */
export function isConsistent({ base, current, hunks }: ReviewedText): boolean {
  if (new Set(hunks.map(({ id }) => id)).size !== hunks.length) return false;
  let baseAt = 0;
  let at = 0;
  const isSameUpTo = (baseEnd: number, end: number) => {
    if (end - at !== baseEnd - baseAt || end < at) return false;
    while (at < end) if (base[baseAt++] !== current[at++]) return false;
    return true;
  };
  for (const [index, hunk] of hunks.entries()) {
    const isApart = index === 0 || hunk.start > at;
    if (!isApart || !isSameUpTo(hunk.baseStart, hunk.start)) return false;
    const size = hunk.end - hunk.start;
    if (size < 0 || hunk.baseEnd < hunk.baseStart || hunk.lineAuthors.length !== size) return false;
    if (size === 0 && hunk.baseEnd === hunk.baseStart) return false;
    baseAt = hunk.baseEnd;
    at = hunk.end;
  }
  return isSameUpTo(base.length, current.length);
}

/** Returns the numbers of the keeps that can be undone in a file. */
export function keepsOf({ kept, keptTraits }: TrackedFileJson): readonly number[] {
  return [...kept, ...keptTraits].map(({ keep }) => keep);
}

/** Returns the file with its keeps renumbered to come after another log's. */
export function withKeepsAfter(file: TrackedFileJson, after: number): TrackedFileJson {
  const shift = <T extends { readonly keep: number }>(one: T): T => ({ ...one, keep: one.keep + after });
  return { ...file, kept: file.kept.map(shift), keptTraits: file.keptTraits.map(shift) };
}
