import type * as vscode from 'vscode';
import { asObject, asString } from '../../shared/values/decodeValue';
import type { FolderMemory, OwnFolder } from '../../worktree/made/ownFolders';

const prefix = 'parley.worktree.';

/** Keeps the worktrees that Parley made in the editor's own storage, which isn't in any folder that agents work in. */
export function folderMemory(memory: Pick<vscode.Memento, 'get' | 'update'>): FolderMemory {
  const keyOf = (id: string) => prefix + id;
  return {
    get: (id) => decode(memory.get(keyOf(id))),
    set: async (id, folder) => memory.update(keyOf(id), folder),
  };
}

/** Returns the folders of all worktrees that Parley made. */
export function rememberedFolders(memory: Pick<vscode.Memento, 'get' | 'keys'>): readonly string[] {
  const own = memory.keys().filter((key) => key.startsWith(prefix));
  return own.flatMap((key) => decode(memory.get(key))?.path ?? []);
}

function decode(value: unknown): OwnFolder | undefined {
  const fields = asObject(value);
  const [common, path, branch, device, number] = ['common', 'path', 'branch', 'device', 'number'].map((name) =>
    asString(fields?.[name]),
  );
  if (common === undefined || path === undefined || branch === undefined) return undefined;
  return device === undefined || number === undefined ? undefined : { common, path, branch, device, number };
}
