import { realpathSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { basename, join, relative, sep } from 'node:path';
import { attempt } from '../shared/values/attempt';

/** Where the copy of a session's files is that an agent has for itself. */
export interface CopyPlace {
  readonly id: string;
  /** Parley's folder, with everything about the copy. */
  readonly around: string;
  /** The copy itself. Everything in it is the agent's, also the folder of git. */
  readonly files: string;
  /** Parley's own repository about the copy, which no sandbox shows. */
  readonly git: string;
}

const idPattern = /^[0-9a-f]{12}$/;

let root: string | undefined;

/** Has the copies in a folder from now on, or nowhere. */
export function keepCopiesIn(folder: string | undefined): void {
  root = folder;
}

/** The folder with all copies; undefined if there can be none. */
export function copiesFolder(): string | undefined {
  return root === undefined ? undefined : (attempt(() => realpathSync.native(root ?? '')) ?? root);
}

/** Makes a folder with nothing in it, beside the copies, in which a program can start. Nobody can write there. */
export async function emptyFolder(folder: string): Promise<string> {
  const empty = join(folder, 'empty');
  await mkdir(folder, { recursive: true });
  await mkdir(empty, { recursive: true, mode: 0o555 });
  return empty;
}

/** Returns the place for a copy of a folder. */
export function copyPlace(folder: string, id: string, name: string): CopyPlace {
  const around = join(folder, id);
  return { id, around, files: join(around, 'files', name), git: join(around, 'git') };
}

/** Returns the copy that a path is in; undefined if it isn't in any. */
export function copyAround(path: string): CopyPlace | undefined {
  const at = root === undefined ? undefined : partsBelow(path);
  if (!at) return undefined;
  const [id = '', kind, name] = at.parts;
  if (!idPattern.test(id) || kind !== 'files' || name === undefined) return undefined;
  return copyPlace(at.folder, id, name);
}

/** Returns the copy that Parley's own repository is about, or that a path is in. */
export function copyAbout(path: string): CopyPlace | undefined {
  const at = root === undefined ? undefined : partsBelow(path);
  const [id = '', kind] = at?.parts ?? [];
  if (!at || kind !== 'git' || !idPattern.test(id)) return copyAround(path);
  // The name of the copy is in its note.
  return copyPlace(at.folder, id, '');
}

/**
 * Returns the variables with which git looks at a folder in a copy: by Parley's own repository. The one in the copy is the
 * agent's, who can configure any program there.
 */
export function copyVariables(path: string): Readonly<Record<string, string>> {
  const at = root === undefined ? undefined : partsBelow(path);
  const [id = '', kind, name] = at?.parts ?? [];
  if (!at || !idPattern.test(id)) return {};
  const { git, files } = copyPlace(at.folder, id, name ?? basename(path));
  // What the user has configured for their own repositories, such as filters, isn't started on what an agent wrote.
  const alone = { GIT_DIR: git, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: nowhere, GIT_ATTR_NOSYSTEM: '1' };
  return kind === 'files' && name !== undefined ? { ...alone, GIT_WORK_TREE: files } : alone;
}

/** A file without content. */
const nowhere = process.platform === 'win32' ? 'NUL' : '/dev/null';

function partsBelow(path: string): { readonly folder: string; readonly parts: readonly string[] } | undefined {
  const folder = copiesFolder() ?? '';
  for (const one of [path, attempt(() => realpathSync.native(path))]) {
    if (one !== undefined && one.startsWith(folder + sep)) return { folder, parts: relative(folder, one).split(sep) };
  }
  return undefined;
}
