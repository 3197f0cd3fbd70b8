// @ts-check
import { mkdtempSync, realpathSync } from 'node:fs';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';

/** Files that other programs leave in the temporary folder, which aren't failures: VS Code and its extensions, real agents, and Wine. */
const ofOthers = [
  /^vscode-(ipc|git)-.*\.sock$/,
  /^vscode-typescript/,
  /^(claude-\d+|cc-socks|opencode)$/,
  // The folder of Wine's server.
  /^wine-\w{6}$/,
  // Programs built with Bun unpack their libraries.
  /^\.[\da-f]+-\d+\.so$/,
];

/**
 * Creates a separate temporary folder for this process and its children. The path is short, because paths of sockets are limited to
 * about a hundred characters.
 */
export function useTempFolder() {
  // The real path, because on macOS the folder is behind a link.
  const folder = mkdtempSync(join(realpathSync.native(tmpdir()), 'p-'));
  for (const name of ['TMPDIR', 'TEMP', 'TMP']) process.env[name] = folder;
  return folder;
}

/**
 * Removes the folder and lists the files that should already have been removed, with their time and beginning, which show who wrote
 * them.
 * @param {string} folder
 */
export async function removeTempFolder(folder) {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  const litter = names.filter((name) => !ofOthers.some((pattern) => pattern.test(name.split(sep)[0] ?? '')));
  const described = await Promise.all(litter.map(async (name) => `${name} ${await describe(join(folder, name))}`));
  await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  return described;
}

/** @param {string} path */
async function describe(path) {
  try {
    const info = await stat(path);
    const begin = info.isFile() ? JSON.stringify((await readFile(path, 'utf8')).slice(0, 80)) : '';
    return `(${info.mtime.toISOString()}) ${begin}`;
  } catch (error) {
    return String(error);
  }
}
