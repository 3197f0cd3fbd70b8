import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import * as vscode from 'vscode';
import { wayBelow } from '../../disk/paths';
import { fileOfSide, isDiskSide } from '../../review/files/diskSide';
import type { FileState } from '../../review/files/fileState';
import type { Author, HunkId } from '../../review/hunks/hunk';
import type { SessionKey } from '../../shared/values/ids';
import type { FileVersion } from '../../worktree/repository/mergeFiles';
import { ignoredAmong } from '../../worktree/repository/repository';
import { fileRoots, workspacePath } from '../base/folders';
import { fileKey, isInside } from '../base/filePaths';
import type { Review } from '../review/review';
import { openDocument } from '../workspaceFiles/openDocument';
import { presentFile } from '../workspaceFiles/presentFile';
import { isUnsavedNotebook } from '../workspaceFiles/workspaceFile';
import { versionAt } from './presentVersion';

/** A file with changes of a session that can move to a worktree. Paths are relative to the repository's root, with slashes. */
export interface MovedFile {
  readonly uri: string;
  readonly ids: readonly HunkId[];
  readonly path: string;
  /** The path before the agent renamed the file. */
  readonly from?: string;
  /** The file without the changes. */
  readonly before: FileVersion;
  readonly after: FileVersion;
}

/**
 * Why changes of a file don't move: others also wrote in them, the file has unsaved text, it isn't in the repository, Git ignores it, or an
 * earlier version isn't known.
 */
export type StayReason = 'edited' | 'unsaved' | 'outside' | 'ignored' | 'unknown';

/** A file whose changes don't move, or not all of them. `path` is for the user. */
export interface StayingFile {
  readonly path: string;
  readonly reason: StayReason;
}

/** The changes of a session that wait for review: those that can move to a worktree, and the others. */
export interface MovableChanges {
  readonly moved: readonly MovedFile[];
  readonly staying: readonly StayingFile[];
}

/** Finds the changes of a session that can move out of a repository. */
export async function movableChanges(
  { log, disk }: Pick<Review, 'log' | 'disk'>,
  session: SessionKey,
  root: string,
): Promise<MovableChanges> {
  const moved: MovedFile[] = [];
  const staying: StayingFile[] = [];
  const places = new Map<string, string | undefined>();
  for (const uri of log.pending) places.set(uri, await pathIn(root, uri));
  const ignored = await ignoredAmong(
    root,
    [...places.values()].filter((path) => path !== undefined),
  );
  for (const [uri, path] of places) {
    const file = log.file(uri);
    const changes = file ? [...file.hunks, ...file.traitChanges] : [];
    const some = changes.filter(({ authors }) => authors.some((author) => isOf(author, session)));
    const own = some.filter(({ authors }) => authors.every((author) => isOf(author, session)));
    if (!file || some.length === 0) continue;
    const stays = (reason: StayReason) =>
      void staying.push({ path: workspacePath(vscode.Uri.parse(fileOfSide(uri))), reason });
    const isWhole = !['modified', 'mode', 'mark'].includes(file.status?.kind ?? '');
    if (path === undefined) stays('outside');
    else if (ignored.has(path)) stays('ignored');
    else if (hasUnsaved(uri)) stays('unsaved');
    // A file that was created, deleted, or renamed can't be divided.
    else if (own.length === 0 || (isWhole && own.length < changes.length)) stays('edited');
    else {
      const ids = own.map(({ id }) => id);
      const one = await plannedMove(log, disk, { uri, ids, path }, root);
      if (one) moved.push(one);
      else stays('unknown');
      if (one && own.length < some.length) stays('edited');
    }
  }
  return { moved, staying };
}

async function plannedMove(
  log: Review['log'],
  disk: Review['disk'],
  { uri, ids, path }: Pick<MovedFile, 'uri' | 'ids' | 'path'>,
  root: string,
): Promise<MovedFile | undefined> {
  const plan = log.undo(uri, ids);
  if (!plan) return undefined;
  const present = await presentFile(vscode.Uri.parse(uri));
  const after = versionAt(present, hasBits(plan.result));
  const before = await versionOf(disk, uri, plan.result, after);
  if (!before) return undefined;
  if (plan.moveTo === undefined) return { uri, ids, path, before, after };
  const from = await pathIn(root, plan.moveTo);
  return from === undefined ? undefined : { uri, ids, path, from, before, after };
}

/** Returns a state as a file of a worktree. Undefined if its content isn't known, or if Git has no such thing. */
async function versionOf(
  { bases }: Review['disk'],
  uri: string,
  state: FileState,
  like: FileVersion,
): Promise<FileVersion | undefined> {
  if (state.kind === 'absent') return state;
  if (state.kind === 'link') return { kind: 'link', target: state.target };
  if (state.kind !== 'text' && state.kind !== 'binary') return undefined;
  const bytes = state.kind === 'text' ? await bases.encode(uri, state) : await bases.bytesOf(uri, state);
  const isExecutable = state.mode === undefined ? like.kind === 'file' && like.isExecutable : hasBits(state);
  return bytes && { kind: 'file', bytes, isExecutable };
}

function hasBits(state: FileState): boolean {
  return 'mode' in state && (state.mode & 0o111) !== 0;
}

function isOf(author: Author, session: SessionKey): boolean {
  return author.kind === 'agent' && author.session === session;
}

function hasUnsaved(uri: string): boolean {
  const file = vscode.Uri.parse(fileOfSide(uri));
  return isDiskSide(uri) || openDocument(file)?.isDirty === true || isUnsavedNotebook(file);
}

/** Returns the path of a file below the repository's root. Undefined if the file isn't in it, or in a submodule. */
async function pathIn(root: string, uri: string): Promise<string | undefined> {
  const named = vscode.Uri.parse(fileOfSide(uri));
  if (named.scheme !== 'file') return undefined;
  let place = named.fsPath;
  for (const folder of fileRoots()) {
    if (!isInside(fileKey(folder), fileKey(place))) continue;
    place = join(await realpath(folder).catch(() => folder), relative(folder, place));
    break;
  }
  const path = wayBelow(root, place);
  if (path === undefined || path === '') return undefined;
  for (let at = dirname(place); at !== root && at !== dirname(at); at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return undefined;
  }
  return path.split(sep).join('/');
}
