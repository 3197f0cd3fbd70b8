// @ts-check
// Reports the sizes of what was built, in KB of 1,000 bytes. Only what the extension loads at once has a limit
// (test/shape.mjs): what users feel is time, which `npm run bench` measures.
import { existsSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { platforms } from './platforms.mjs';
import { inProduct } from './root.mjs';
import { limits } from './shape.mjs';
import { vsixPath } from './workbench/installed.mjs';

/** @typedef {{ name: string, bytes: number }} Size */

/**
 * The scripts that a page loads before it can run: `file` and everything it imports statically.
 * @param {string} file
 * @param {Set<string>} seen
 * @returns {Promise<Set<string>>}
 */
async function firstLoad(file, seen = new Set()) {
  if (seen.has(file)) return seen;
  seen.add(file);
  const text = await readFile(file, 'utf8');
  // A dynamic import has a parenthesis before its path, and so is not found here.
  for (const [, path = ''] of text.matchAll(/(?:\bfrom|\bimport)\s*"(\.{1,2}\/[^"]+\.js)"/g)) {
    const target = resolve(dirname(file), path);
    if (existsSync(target)) await firstLoad(target, seen);
  }
  return seen;
}

/** @param {Iterable<string>} files */
async function sum(files) {
  let bytes = 0;
  for (const file of files) bytes += (await stat(file)).size;
  return bytes;
}

/** Programs of their own beside the extension. */
const programs = ['watchdog.js', 'tourAgent.js', 'sandboxKeeper.js'];

/** The modules of the extension, those that are loaded late too. @param {string} folder */
async function allModules(folder) {
  const names = await readdir(folder);
  return names.filter((name) => /\.c?js$/.test(name) && !programs.includes(name)).map((name) => join(folder, name));
}

/** @returns {Promise<Size[]>} */
async function measure() {
  const dist = (/** @type {string[]} */ ...path) => inProduct('dist', ...path);
  /** @type {Size[]} */
  const sizes = [
    { name: 'extension, first load', bytes: await sum(await firstLoad(dist('extension.js'))) },
    { name: 'extension, all', bytes: await sum(await allModules(dist())) },
    { name: 'page, first load', bytes: await sum(await firstLoad(dist('webview', 'main.js'))) },
  ];
  for (const file of [
    'webview/providers.js',
    'webview/parley.js',
    'webview/tries.js',
    'webview/main.css',
    ...programs,
  ]) {
    if (existsSync(dist(file))) sizes.push({ name: file, bytes: await sum([dist(file)]) });
  }
  for (const platform of [undefined, ...platforms]) {
    const vsix = await vsixPath(platform);
    if (!existsSync(vsix)) continue;
    const name = `VSIX, ${platform ?? 'universal'}`;
    // What was packed from another build says nothing about this one.
    const isOld = (await stat(vsix)).mtimeMs < (await stat(dist('extension.js'))).mtimeMs;
    if (isOld) console.log(`${name}: older than the build and not measured; "npm run package" makes it anew.`);
    else sizes.push({ name, bytes: await sum([vsix]) });
  }
  return sizes;
}

if (!existsSync(inProduct('dist', 'extension.js'))) {
  console.error('Nothing is built. Run "npm run build" first.');
  process.exit(1);
}
const first = await firstLoad(inProduct('dist', 'extension.js'));
const firstKilobytes = (await sum(first)) / 1000;
if (first.size > limits.firstLoadFiles || firstKilobytes > limits.firstLoadKilobytes) {
  console.error(
    `The extension loads ${firstKilobytes.toFixed(1)} KB in ${first.size} files at once, more than test/shape.mjs allows.`,
  );
  process.exitCode = 1;
}
const kilobytes = (/** @type {number} */ bytes) => (bytes / 1000).toFixed(1).padStart(8);
for (const { name, bytes } of await measure()) console.log(`${name.padEnd(22)}${kilobytes(bytes)} KB`);
