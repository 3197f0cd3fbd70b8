import * as vscode from 'vscode';
import type { AgentPool } from '../../../agent/pool/agentPool';
import { fileOfSide } from '../../../review/files/diskSide';
import { stateOf } from '../../../review/files/fileState';
import type { Author, Hunk } from '../../../review/hunks/hunk';
import type { ReviewLog } from '../../../review/log/reviewLog';
import type { IDisposable } from '../../../shared/values/disposable';
import type { SessionKey } from '../../../shared/values/ids';
import { showHiddenOnOneLine } from '../../../shared/text/visibleText';
import { pathInFolder } from '../../base/folders';
import type { UndoneFile, UndoneFiles } from '../../fileChanges/undoneFiles';

/** How many changes of a file are named, and how much of a line, in characters. */
const mostChanges = 5;
const longest = 80;

/** Tells agents, with the next message, which of their changes the user has undone: they would make them again. */
export function tellUndone(
  pool: Pick<AgentPool, 'sessions'>,
  log: Pick<ReviewLog, 'file'>,
  undone: Pick<UndoneFiles, 'onDidChange'>,
): IDisposable {
  return undone.onDidChange(({ files, isBack }) => {
    for (const file of files) {
      const left = new Set(log.file(file.now)?.hunks.map(({ id }) => id));
      for (const session of pool.sessions)
        session.tellUndone(file.uri, isBack ? undefined : undoneWords(file, session.key, left));
    }
  });
}

/** Returns what an agent is told, on one line and not translated; undefined if nothing of it is this session's. */
export function undoneWords(
  { uri, now, before, after }: UndoneFile,
  session: SessionKey,
  left: ReadonlySet<Hunk['id']>,
): string | undefined {
  const isTheirs = ({ authors }: { readonly authors: readonly Author[] }) =>
    authors.some((author) => author.kind === 'agent' && author.session === session);
  const hunks = before.text.hunks.filter((hunk) => isTheirs(hunk) && !left.has(hunk.id));
  const traits = before.traits.changes.filter(isTheirs);
  if (hunks.length + traits.length === 0) return undefined;
  const path = pathOf(uri);
  const was = stateOf(before.text.current, before.traits).kind;
  if (after.kind === 'absent') return `${path}, which you created, is removed`;
  if (was === 'absent') return `${path}, which you removed, is back`;
  if (now !== uri) return `${path} is ${pathOf(now)} again`;
  if (hunks.length === 0) return `${path}: what you changed besides its text`;
  const places = hunks.slice(0, mostChanges).map((hunk) => placeOf(hunk, before.text.current));
  const more = hunks.length - places.length;
  return `${path}: ${[...places, ...(more > 0 ? [`${more} more`] : [])].join('; ')}`;
}

function placeOf({ start, end }: Hunk, lines: readonly string[]): string {
  const first = lines.slice(start, end).find((line) => line.trim() !== '');
  if (first === undefined) return end > start ? `line ${start + 1}` : `what you removed at line ${start + 1}`;
  const text = showHiddenOnOneLine(first.trim());
  return `line ${start + 1}, \`${text.length > longest ? `${text.slice(0, longest)}…` : text}\``;
}

function pathOf(uri: string): string {
  return showHiddenOnOneLine(pathInFolder(vscode.Uri.parse(fileOfSide(uri))));
}
