// @ts-check
import { createHash } from 'node:crypto';
import { mkdir, readFile, readdir, utimes, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { root } from '../root.mjs';
import { vsixPath } from '../workbench/installed.mjs';
import { addFiles } from './passed.mjs';
import { stepCache } from './stepCache.mjs';

/** What is never packed, or isn't part of the project. */
const left = new Set(['.git', 'out', '.vscode-test', 'node_modules']);

/**
 * Whether the present VSIX was packed from the very same files. A VSIX contains the time when it was packed, and one that stays the same isn't
 * installed again either. A current one gets the present time, because the build has just written its files.
 * @returns {Promise<{ isCurrent: boolean, note: () => Promise<void> }>} call `note` after packing
 */
export async function lookAtVsix() {
  const file = stepCache('vsix.txt');
  const key = await keyOfFiles();
  const isCurrent = (await readFile(file, 'utf8').catch(() => '')) === `${key} ${await digestOfVsix()}`;
  const now = new Date();
  if (isCurrent) await utimes(await vsixPath(), now, now);
  const note = async () => {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, `${key} ${await digestOfVsix()}`);
  };
  return { isCurrent, note };
}

async function keyOfFiles() {
  const hash = createHash('sha256').update(process.version);
  const entries = (await readdir(root)).sort().filter((entry) => !left.has(entry));
  // The lock file has the version of what packs it.
  await addFiles(hash, entries, (path) => path.endsWith('.vsix'));
  return hash.digest('hex');
}

async function digestOfVsix() {
  const vsix = await readFile(await vsixPath()).catch(() => undefined);
  return vsix === undefined ? 'none' : createHash('sha256').update(vsix).digest('hex');
}
