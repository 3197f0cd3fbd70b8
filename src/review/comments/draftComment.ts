import type { SessionKey } from '../../shared/values/ids';
import { commentPrompt } from './commentPrompt';
import type { Author, Hunk, HunkId } from '../hunks/hunk';
import { stampOf } from '../hunks/reviewHunks';
import type { LineAnchor } from './remarkLine';
import type { TrackedFile } from '../log/trackedFile';

/** A comment on a change: of the user, or the remark of an agent that reviews it. A draft, or sent. */
export interface DraftComment {
  readonly id: string;
  /** Empty for a remark that has no place. */
  readonly uri: string;
  /** Empty for a remark on lines that no change has. */
  readonly hunk: string;
  /** The line where the change begins, or of a remark its own, counted from 0, as it was last known. */
  readonly line: number;
  readonly authors: readonly Author[];
  readonly text: string;
  /** The change's lines and its newest turn, as the user saw them. */
  readonly seen: SeenLines;
  /** The agent that got it, and its session. Absent for a draft. */
  readonly sentTo?: string;
  readonly sentSession?: SessionKey;
  /** The comment or remark that this answers. It is at the place of that one. */
  readonly replyTo?: string;
  /** A later turn has changed the lines that it is about. */
  readonly isOutdated?: boolean;
  /** The user doesn't want to send it with the others. */
  readonly isHeld?: boolean;
  readonly remark?: Remark;
}

/** What makes a comment the remark of a reviewing agent. */
export interface Remark {
  /** The reviewing agent, and its session. */
  readonly agentName: string;
  readonly session: SessionKey;
  /** The place as the agent wrote it. */
  readonly written: string;
  /** Whether the user wants to send it. */
  readonly isChosen: boolean;
  readonly anchor: LineAnchor;
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
  if (comment.remark) return updatedRemark(comment, file);
  const { hunks = [], traitChanges = [] } = file ?? {};
  if (traitChanges.some(({ id }) => id === comment.hunk)) return comment;
  const own = hunks.find(({ id }) => id === comment.hunk);
  const there = own ?? changeAt(file, comment.line);
  if (!there || !file) return comment.sentTo === undefined ? comment : undefined;
  const { stamp, turn } = comment.seen;
  const isOutdated = newestTurn(there.authors) > turn && stampOf(file.snapshot.text, there) !== stamp;
  const isSame =
    there.id === comment.hunk && there.start === comment.line && isOutdated === (comment.isOutdated ?? false);
  if (isSame) return comment;
  return { ...comment, hunk: there.id, line: there.start, authors: there.authors, isOutdated };
}

/** A remark's line is followed by itself. What else is known of it depends on the change that has this line. */
function updatedRemark(comment: DraftComment, file: File | undefined): DraftComment | undefined {
  const { line, seen, sentTo } = comment;
  const there = changeAt(file, line);
  if (!there && comment.hunk !== '' && sentTo !== undefined) return undefined;
  const hunk = there?.id ?? '';
  const isChanged =
    there !== undefined &&
    file !== undefined &&
    newestTurn(there.authors) > seen.turn &&
    stampOf(file.snapshot.text, there) !== seen.stamp;
  const isOutdated = isChanged || (!there && comment.isOutdated === true);
  if (hunk === comment.hunk && isOutdated === (comment.isOutdated ?? false)) return comment;
  return { ...comment, hunk, isOutdated };
}

/** Returns a reply at the place of what it answers. */
export function besideRoot(reply: DraftComment, root: DraftComment): DraftComment {
  const { uri, hunk, line, authors, isOutdated = false } = root;
  const isSame =
    reply.uri === uri &&
    reply.hunk === hunk &&
    reply.line === line &&
    reply.authors === authors &&
    (reply.isOutdated ?? false) === isOutdated;
  return isSame ? reply : { ...reply, uri, hunk, line, authors, isOutdated };
}

/** Returns the change that has a line. */
export function changeAt(file: Pick<TrackedFile, 'hunks'> | undefined, line: number): Hunk | undefined {
  return file?.hunks.find(({ start, end }) => start <= line && line <= Math.max(start, end - 1));
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
  /** The agent that made the comment, if it isn't the user's. */
  readonly reviewer?: string | undefined;
  /** The reviewing agent itself gets it. */
  readonly isOfReader?: boolean | undefined;
  /** What the user says about the comment, which was sent before or is an agent's. */
  readonly reply?: string | undefined;
}

/** Returns one message with all of these comments, each with its place. */
export function commentsPrompt(comments: readonly PlacedComment[]): string {
  const parts = comments.map((comment) => {
    const { text, path, line, file, hunk, maker, reviewer, reply } = comment;
    const isOwn = reviewer === undefined && reply === undefined;
    return isOwn ? commentPrompt(text, path, line, file, hunk, maker) : quotedPrompt(comment);
  });
  if (parts.length === 1) return parts[0] ?? '';
  return [
    `I have ${parts.length} comments on your changes.`,
    ...parts.map((part, at) => `Comment ${at + 1}: ${part}`),
  ].join('\n\n');
}

/** Quotes a remark, because its words aren't the user's, or what the user wrote before. */
function quotedPrompt(comment: PlacedComment): string {
  const { text, path, line, file, hunk, maker, reviewer, reply } = comment;
  const quoted = text
    .trim()
    .split('\n')
    .map((part) => `> ${part}`.trimEnd())
    .join('\n');
  const own = reply === undefined ? '' : `\n\n${reply.trim()}`;
  const words = `${quoteIntro(comment)}\n\n${quoted}${own}`;
  if (path === '') return words;
  const what = reviewer === undefined ? 'comment' : 'remark';
  if (line < 0) return `${words}\n\nThe ${what} is about ${path}.`;
  const about = hunk && reviewer !== undefined ? `${words}\n\nThe remark is about line ${line + 1}.` : words;
  return commentPrompt(about, path, line, file, hunk, maker);
}

function quoteIntro({ reviewer, reply, isOfReader }: PlacedComment): string {
  if (reviewer === undefined) return 'I wrote this before:';
  if (isOfReader) return 'You made this remark:';
  return reply === undefined
    ? `Another agent (${reviewer}) reviewed this, and I agree with its remark:`
    : `Another agent (${reviewer}) reviewed this and made this remark:`;
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
