// @ts-check
// Lints the whole project like `eslint .`, but skips files that passed before and whose result can't have changed. ESLint's own cache
// looks at each file alone, but rules that use types also depend on everything that a file imports.
import { createHash } from 'node:crypto';
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { ESLint } from 'eslint';
import ts from 'typescript';
import { inRoot, root } from '../root.mjs';
import { stepCache } from './stepCache.mjs';
import { filesUnder } from './files.mjs';

/** What the result of every file depends on: rules, compiler options, and all packages with their versions. */
const settings = [
  'eslint.config.mjs',
  'test/runner/importCycles.mjs',
  'package-lock.json',
  'tsconfig.base.json',
  'tsconfig.json',
  'webview/tsconfig.json',
  'test/tsconfig.json',
];

const eslint = new ESLint({ cwd: root });
const cacheFile = stepCache('lint.json');
/** Keys of the files that passed, by path. @type {Record<string, string>} */
const before = await readFile(cacheFile, 'utf8').then(JSON.parse, () => ({}));

/** The imports of files, by path. @type {Map<string, string[]>} */
const known = new Map();
const texts = await readTexts();
const common = await commonKey();
/** @type {Record<string, string>} */
const passed = {};
const changed = [];
for (const file of texts.keys()) {
  const key = keyOf(file);
  if (before[file] === key) passed[file] = key;
  else changed.push(file);
}
const results = changed.length > 0 ? await eslint.lintFiles(changed.map((file) => inRoot(file))) : [];
for (const { filePath, messages } of results) {
  const file = relative(root, filePath);
  if (messages.length === 0) passed[file] = keyOf(file);
}
await mkdir(dirname(cacheFile), { recursive: true });
await writeFile(cacheFile, JSON.stringify(passed));
console.log(await (await eslint.loadFormatter('stylish')).format(results));
process.exitCode = results.some(({ messages }) => messages.length > 0) ? 1 : 0;

/** Reads the files that ESLint would find, by path in the project. */
async function readTexts() {
  const entries = await readdir(root, { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory() && !/^(\.|node_modules$|dist$|out$)/.test(entry.name));
  const inside = await Promise.all(folders.map(({ name }) => filesUnder(inRoot(name), '')));
  const beside = entries.filter((entry) => entry.isFile()).map(({ name }) => inRoot(name));
  /** @type {Map<string, string>} */
  const found = new Map();
  for (const file of [...beside, ...inside.flat()]) {
    if (!/\.(ts|mts|cts|js|mjs|cjs)$/.test(file) || (await eslint.isPathIgnored(file))) continue;
    found.set(relative(root, file), await readFile(file, 'utf8'));
  }
  return found;
}

/** Returns what the result of every file depends on. This includes files that declare something for all others. */
async function commonKey() {
  const parts = await Promise.all(settings.map((file) => readFile(inRoot(file), 'utf8')));
  const ambient = [...texts].filter(([file, text]) => file.endsWith('.d.ts') || text.includes('declare global'));
  return [process.version, ESLint.version, ts.version, ...parts, ...ambient.flat()].join('\0');
}

/** A digest of the file, of everything it imports, directly or not, and of what all files depend on. @param {string} file */
function keyOf(file) {
  const seen = new Set([file]);
  for (const current of seen) for (const imported of importsOf(current)) seen.add(imported);
  const hash = createHash('sha256').update(common);
  for (const name of [...seen].sort()) hash.update(`\0${name}\0${texts.get(name) ?? ''}`);
  return hash.digest('hex');
}

/** Files of the project that a file imports. @param {string} file @returns {string[]} */
function importsOf(file) {
  let found = known.get(file);
  if (found) return found;
  const { importedFiles } = ts.preProcessFile(texts.get(file) ?? '', true, true);
  found = importedFiles.flatMap(({ fileName }) => {
    if (!fileName.startsWith('.')) return [];
    const path = join(dirname(file), fileName);
    return [path, `${path}.ts`, `${path}.d.ts`, join(path, 'index.ts')].filter((name) => texts.has(name));
  });
  known.set(file, found);
  return found;
}
