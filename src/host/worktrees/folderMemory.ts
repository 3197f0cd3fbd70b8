import type * as vscode from 'vscode';
import { asObject, asString } from '../../shared/decodeValue';
import type { FolderMemory, OwnFolder } from '../../worktree/ownFolders';

/** Keeps the worktrees that Parley made in the editor's own storage, which isn't in any folder that agents work in. */
export function folderMemory(memory: Pick<vscode.Memento, 'get' | 'update'>): FolderMemory {
  const keyOf = (id: string) => `parley.worktree.${id}`;
  return {
    get: (id) => decode(memory.get(keyOf(id))),
    set: async (id, folder) => memory.update(keyOf(id), folder),
  };
}

function decode(value: unknown): OwnFolder | undefined {
  const fields = asObject(value);
  const [common, path, branch, device, number] = ['common', 'path', 'branch', 'device', 'number'].map((name) =>
    asString(fields?.[name]),
  );
  if (common === undefined || path === undefined || branch === undefined) return undefined;
  return device === undefined || number === undefined ? undefined : { common, path, branch, device, number };
}
