// @ts-check
// Checks that every string for users can be translated: those of the code are in l10n/bundle.l10n.json, those of the
// manifest in package.nls.json. `--write` writes the former anew.
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { getL10nJson } from '@vscode/l10n-dev';
import { inRoot } from './root.mjs';
import { cacheFolder } from './workbench/cache.mjs';

const bundleFile = inRoot('l10n', 'bundle.l10n.json');

const found = Object.assign({}, ...(await stringsOfSources()));
const sorted = Object.fromEntries(Object.entries(found).sort(([a], [b]) => (a < b ? -1 : 1)));
const wanted = `${JSON.stringify(sorted, null, 2)}\n`;
if (process.argv.includes('--write')) await writeFile(bundleFile, wanted);

const problems = [];
if ((await readFile(bundleFile, 'utf8')) !== wanted) problems.push('l10n/bundle.l10n.json is old: run "npm run l10n".');
const names = JSON.parse(await readFile(inRoot('package.nls.json'), 'utf8'));
const manifest = await readFile(inRoot('package.json'), 'utf8');
const used = new Set([...manifest.matchAll(/"%([\w.]+)%"/g)].map(([, name]) => name ?? ''));
for (const name of used) if (!(name in names)) problems.push(`package.nls.json has no ${name}.`);
for (const name of Object.keys(names)) if (!used.has(name)) problems.push(`Nothing uses ${name} of package.nls.json.`);
for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;

/**
 * The strings of each source. Finding them takes 0.1 s a file, so they are remembered by what the file contains.
 * @returns {Promise<Record<string, unknown>[]>}
 */
async function stringsOfSources() {
  const file = join(cacheFolder(), 'checks', 'strings.json');
  const lockFile = await readFile(inRoot('package-lock.json'), 'utf8');
  /** @type {Record<string, Record<string, unknown>>} */
  const known = await readFile(file, 'utf8').then(JSON.parse, () => ({}));
  /** @type {Record<string, Record<string, unknown>>} */
  const used = {};
  for (const folder of ['src', 'webview']) {
    for (const entry of (await readdir(inRoot(folder), { recursive: true })).sort()) {
      if (!entry.endsWith('.ts') || entry.endsWith('.test.ts')) continue;
      const contents = await readFile(join(inRoot(folder), entry), 'utf8');
      if (!contents.includes('l10n')) continue;
      const key = createHash('sha256').update(`${lockFile}\0${contents}`).digest('hex');
      used[key] = known[key] ?? (await getL10nJson([{ extension: '.ts', contents }]));
    }
  }
  await mkdir(dirname(file), { recursive: true });
  // Another run may be reading it.
  await writeFile(`${file}.${process.pid}`, JSON.stringify(used));
  await rename(`${file}.${process.pid}`, file);
  return Object.values(used);
}
