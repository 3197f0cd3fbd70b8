// @ts-check
// Checks that every string for users can be translated: those of the code are in l10n/bundle.l10n.json, those of the
// manifest in package.nls.json. `--write` writes the former anew.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { getL10nJson } from '@vscode/l10n-dev';
import { inRoot } from './root.mjs';

const bundleFile = inRoot('l10n', 'bundle.l10n.json');

const sources = [];
for (const folder of ['src', 'webview']) {
  for (const entry of await readdir(inRoot(folder), { recursive: true })) {
    if (!entry.endsWith('.ts') || entry.endsWith('.test.ts')) continue;
    sources.push({ extension: '.ts', contents: await readFile(join(inRoot(folder), entry), 'utf8') });
  }
}
const found = await getL10nJson(sources);
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
process.exit(problems.length > 0 ? 1 : 0);
