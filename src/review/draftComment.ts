import { commentPrompt } from './commentPrompt';
import type { Author, Hunk, HunkId } from './hunk';
import { stampOf } from './reviewHunks';
import type { TrackedFile } from './trackedFile';

/** The user's comment on a change: a draft, or sent. */
export interface DraftComment {
  readonly id: string;
  readonly uri: string;
  readonly hunk: string;
  /** The line where the change begins, counted from 0, as it was last known. */
  readonly line: number;
  readonly authors: readonly Author[];
  readonly text: string;
  /** The change's lines and its newest turn, as the user saw them. */
  readonly seen: SeenLines;
  /** The agent that got it. Absent for a draft. */
  readonly sentTo?: string;
  /** A later turn has changed the lines that it is about. */
  readonly isOutdated?: boolean;
}

/** The lines of a change at one time. */
interface SeenLines {
  readonly stamp: string;
  readonly turn: number;
}

type File = Pick<TrackedFile, 'hunks' | 'traitChanges' | 'snapshot'>;

/** Returns what is remembered of a change when the user comments on it. */
export function seenLines(file: File | undefined, hunk: string): SeenLines {
  const found = file?.hunks.find(({ id }) => id === hunk);
  return { stamp: found && file ? stampOf(file.snapshot.text, found) : '', turn: newestTurn(found?.authors ?? []) };
}

/**
 * Returns a comment as it is after its file has changed. A sent comment ends with its change, because the user has decided that. A draft stays
 * until the user sends or deletes it.
 */
export function updatedComment(comment: DraftComment, file: File | undefined): DraftComment | undefined {
  const { hunks = [], traitChanges = [] } = file ?? {};
  if (traitChanges.some(({ id }) => id === comment.hunk)) return comment;
  const own = hunks.find(({ id }) => id === comment.hunk);
  const there =
    own ?? hunks.find(({ start, end }) => start <= comment.line && comment.line <= Math.max(start, end - 1));
  if (!there || !file) return comment.sentTo === undefined ? comment : undefined;
  const { stamp, turn } = comment.seen;
  const isOutdated = newestTurn(there.authors) > turn && stampOf(file.snapshot.text, there) !== stamp;
  const isSame =
    there.id === comment.hunk && there.start === comment.line && isOutdated === (comment.isOutdated ?? false);
  if (isSame) return comment;
  return { ...comment, hunk: there.id, line: there.start, authors: there.authors, isOutdated };
}

/** A comment with what it is about, for a message. */
export interface PlacedComment {
  readonly text: string;
  /** The file's path as the agent knows it. */
  readonly path: string;
  readonly line: number;
  readonly file: Pick<TrackedFile, 'base' | 'current'> | undefined;
  readonly hunk: Hunk | undefined;
  /** The agent that made the change, if it isn't the recipient. */
  readonly maker?: string | undefined;
}

/** Returns one message with all of these comments, each with its place. */
export function commentsPrompt(comments: readonly PlacedComment[]): string {
  const parts = comments.map(({ text, path, line, file, hunk, maker }) =>
    commentPrompt(text, path, line, file, hunk, maker),
  );
  if (parts.length === 1) return parts[0] ?? '';
  return [
    `I have ${parts.length} comments on your changes.`,
    ...parts.map((part, at) => `Comment ${at + 1}: ${part}`),
  ].join('\n\n');
}

function newestTurn(authors: readonly Author[]): number {
  return Math.max(0, ...authors.map((author) => (author.kind === 'agent' ? author.turn : 0)));
}

/** Returns the hunk that a comment is about, if it is still there. */
export function hunkOf(
  { hunk }: Pick<DraftComment, 'hunk'>,
  file: Pick<TrackedFile, 'hunks'> | undefined,
): Hunk | undefined {
  return file?.hunks.find(({ id }) => id === (hunk as HunkId));
}
