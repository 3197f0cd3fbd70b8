import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { parseMcpJson, type McpJson } from '../../agent/mcp/mcpJson';
import { messageOf } from '../../shared/values/messageOf';

/** The content of an `mcp.json`, and its source. */
export interface McpFile extends McpJson {
  readonly path: string;
}

/**
 * Returns the path of the user's own `mcp.json`, beside the global storage folder of all extensions. Returns undefined
 * if the editor stores its data elsewhere.
 */
export function userMcpJson(globalStorage: vscode.Uri): string | undefined {
  const storage = resolve(globalStorage.fsPath, '..');
  return globalStorage.scheme === 'file' && basename(storage) === 'globalStorage'
    ? resolve(storage, '..', 'mcp.json')
    : undefined;
}

/** Reads the `mcp.json` of these folders and the user's own, the closest first. A missing file has no servers. */
export async function readMcpFiles(folders: readonly string[], own: string | undefined): Promise<readonly McpFile[]> {
  const files = [
    ...folders.map((folder) => ({ path: join(folder, '.vscode', 'mcp.json'), folder })),
    ...(own === undefined ? [] : [{ path: own, folder: undefined }]),
  ];
  const read = await Promise.all(files.map(({ path, folder }) => readMcpFile(path, folder)));
  return read.filter((file) => file !== undefined);
}

async function readMcpFile(path: string, folder: string | undefined): Promise<McpFile | undefined> {
  const text = await readFile(path, 'utf8').catch(() => undefined);
  if (text === undefined || text.trim() === '') return undefined;
  const shown = shownPath(path);
  try {
    return { path, ...parseMcpJson(text, shown, folder) };
  } catch (error) {
    const reason = l10n.t('couldn’t be read ({0})', messageOf(error));
    return { path, servers: [], inputs: [], skipped: [{ name: shown, reason }] };
  }
}

function shownPath(path: string): string {
  const relative = vscode.workspace.asRelativePath(path);
  return relative === path ? path.replace(homedir(), '~') : relative;
}
