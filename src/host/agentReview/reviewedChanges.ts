import { relative } from 'node:path';
import { redactText } from '../../acp/base/redactText';
import { changesText } from '../../review/shown/changesText';
import { isDiskSide } from '../../review/files/diskSide';
import type { FileState } from '../../review/files/fileState';
import type { Author } from '../../review/hunks/hunk';
import type { ReviewLog } from '../../review/log/reviewLog';
import type { ReviewPageScope } from '../../shared/changes/reviewPage';

/** A file whose changes an agent reviews, as it was then. */
export interface ReviewedFile {
  readonly uri: string;
  /** For the agent: relative to the session's folder, with slashes. */
  readonly path: string;
  readonly absolute: string;
  /** Empty if the file doesn't exist any more. */
  readonly text: string;
  readonly authors: readonly Author[];
}

/** The changes that an agent reviews. */
export interface ReviewedChanges {
  readonly files: readonly ReviewedFile[];
  readonly diff: string;
}

/** Returns the changes that wait for the user, as a diff; undefined if there are none in texts. `pathOf` returns the path of a file. */
export function reviewedChanges(
  log: Pick<ReviewLog, 'pending' | 'file'>,
  scope: ReviewPageScope,
  cwd: string,
  pathOf: (uri: string) => string,
): ReviewedChanges | undefined {
  const found = log.pending.flatMap((uri) => {
    const file = log.file(uri);
    const authors = file?.hunks.flatMap((hunk) => hunk.authors) ?? [];
    // The part of a file on disk that unsaved text hides has no lines in the editor.
    if (!file || isDiskSide(uri) || !authors.some((author) => isIn(author, scope))) return [];
    const [before, after] = [textOf(file.base), textOf(file.current)];
    if (before === false || after === false) return [];
    const absolute = pathOf(uri);
    const path = relative(cwd, absolute).replaceAll('\\', '/');
    return [{ uri, path, absolute, authors, before, after, text: after ?? '' }];
  });
  return found.length === 0 ? undefined : { files: found, diff: redactText(changesText(found)) };
}

function isIn(author: Author, { session, turn }: ReviewPageScope): boolean {
  if (author.kind !== 'agent') return false;
  return (session === undefined || author.session === session) && (turn === undefined || author.turn === turn);
}

/** Returns a file's text, undefined if there's no file, and false if it isn't text. */
function textOf(state: FileState): string | undefined | false {
  if (state.kind === 'absent') return undefined;
  return state.kind === 'text' && state.text;
}
