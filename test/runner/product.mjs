// @ts-check
// The product that a run tests: built into a folder that is named by what it is made of and never changed afterward. So another run in the
// same copy of the project, on other sources too, disturbs nothing, and what is built and packed already isn't built again.
import { createHash } from 'node:crypto';
import { cp, readdir, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { inRoot, productVariable, root } from '../root.mjs';
import { makeOnce } from '../workbench/cache.mjs';
import { addFiles } from './passed.mjs';

/** What ships beside `dist/`, or says what ships. */
const beside = [
  '.vscodeignore',
  'CHANGELOG.md',
  'LICENSE',
  'README.md',
  'l10n',
  'media',
  'package.json',
  'package.nls.json',
];
/** What is built, and what builds and packs it. */
const sources = ['src', 'webview', 'tsconfig.base.json', 'tsconfig.json', 'esbuild.mjs', 'package-lock.json'];
const tools = ['test/notices.mjs', 'test/package.mjs', 'test/platforms.mjs', 'test/release', 'test/runner/product.mjs'];

/** How many unused products stay, and how long one counts as in use, in milliseconds. */
const kept = 3;
const inUseMs = 3 * 60 * 60_000;

/**
 * Resolves to the folder of the product that the present sources make, and names it to this process and those that it starts.
 * @param {(folder: string) => Promise<void>} build builds `dist/` in a folder; called if the product isn't there
 */
export async function prepareProduct(build) {
  const hash = createHash('sha256').update([process.version, process.platform, process.arch].join('\0'));
  await addFiles(hash, [...beside, ...sources, ...tools], (path) => /\.test\.ts$/.test(path));
  const target = inRoot('out', 'product', hash.digest('hex').slice(0, 16));
  const folder = await makeOnce(target, async (made) => {
    await copyBeside(made);
    await build(made);
  });
  const now = new Date();
  await utimes(folder, now, now);
  await removeOld(folder);
  process.env[productVariable] = folder;
  return folder;
}

/** Copies what ships beside `dist/`. @param {string} folder */
export async function copyBeside(folder) {
  for (const entry of beside) await cp(join(root, entry), join(folder, entry), { recursive: true });
}

/** Removes products that no run uses, but for the newest. @param {string} current */
async function removeOld(current) {
  const folder = join(current, '..');
  const names = (await readdir(folder)).filter((name) => /^[\da-f]{16}$/.test(name));
  const all = await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      return { path, usedAt: (await stat(path).catch(() => undefined))?.mtimeMs ?? 0 };
    }),
  );
  const unused = all.sort((a, b) => b.usedAt - a.usedAt).slice(kept);
  for (const { path, usedAt } of unused) {
    if (Date.now() - usedAt > inUseMs) await rm(path, { recursive: true, force: true });
  }
}
