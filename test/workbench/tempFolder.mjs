// @ts-check
import { mkdtempSync, realpathSync } from 'node:fs';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';

/** What other programs leave in the temporary folder, which is not ours to judge: VS Code and its extensions, real agents, and Wine. */
const ofOthers = [
  /^vscode-(ipc|git)-.*\.sock$/,
  /^vscode-typescript/,
  /^(claude-\d+|cc-socks|opencode)$/,
  // The place of Wine's server.
  /^wine-\w{6}$/,
  // A program that was made with Bun unpacks its libraries.
  /^\.[\da-f]+-\d+\.so$/,
];

/**
 * Gives this process and all that it starts a temporary folder of their own. Its path is short: sockets lie in it, and their paths
 * have about a hundred characters.
 */
export function useTempFolder() {
  // As others name it who ask where it really is: on macOS it is behind a link.
  const folder = mkdtempSync(join(realpathSync.native(tmpdir()), 'p-'));
  for (const name of ['TMPDIR', 'TEMP', 'TMP']) process.env[name] = folder;
  return folder;
}

/**
 * Removes the folder, and names what should not have been in it any more, with what tells whose it was: when it was written, and how it
 * begins.
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
