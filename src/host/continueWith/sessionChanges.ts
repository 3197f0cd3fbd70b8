import { relative } from 'node:path';
import { redactText } from '../../acp/base/redactText';
import { changesText, type ChangedText } from '../../review/shown/changesText';
import type { FileState } from '../../review/files/fileState';
import type { ReviewLog } from '../../review/log/reviewLog';
import type { SessionKey } from '../../shared/values/ids';

/** The changes of a session that the user hasn't decided yet, as a diff. */
export interface SessionChanges {
  readonly files: number;
  readonly diff: string;
}

/** Returns the changes of a session; undefined if there are none in texts. `pathOf` returns the path of a file. */
export function sessionChanges(
  log: Pick<ReviewLog, 'pending' | 'file'>,
  session: SessionKey,
  cwd: string,
  pathOf: (uri: string) => string,
): SessionChanges | undefined {
  const files = log.pending.flatMap((uri): ChangedText[] => {
    const file = log.file(uri);
    const authors = file?.hunks.flatMap((hunk) => hunk.authors) ?? [];
    if (!file || !authors.some((author) => author.kind === 'agent' && author.session === session)) return [];
    const [before, after] = [textOf(file.base), textOf(file.current)];
    if (before === false || after === false) return [];
    return [{ path: relative(cwd, pathOf(uri)).replaceAll('\\', '/'), before, after }];
  });
  return files.length === 0 ? undefined : { files: files.length, diff: redactText(changesText(files)) };
}

/** Returns a file's text, undefined if there's no file, and false if it isn't text. */
function textOf(state: FileState): string | undefined | false {
  if (state.kind === 'absent') return undefined;
  return state.kind === 'text' && state.text;
}
