// Cuts @vscode/codicons down to the glyphs named in codicons.txt: writes codicon.ttf beside this file and the matching
// classes to webview/styles/codicons.css. Run by hand after changing the list; both results are committed.
import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import subsetFont from 'subset-font';

const require = createRequire(import.meta.url);
const here = (name) => new URL(name, import.meta.url);
const names = (await readFile(here('codicons.txt'), 'utf8')).split('\n').filter(Boolean).sort();

/** Glyph numbers of every codicon, from the table that the package itself ships. */
async function readCodePoints() {
  const table = await readFile(require.resolve('@vscode/codicons/dist/codicon.csv'), 'utf8');
  const codePoints = new Map();
  for (const row of table.split('\n').slice(1)) {
    const [shortName, , code] = row.split(',');
    if (shortName && code) codePoints.set(shortName.trim(), Number.parseInt(code.trim(), 16));
  }
  return codePoints;
}

const codePoints = await readCodePoints();
const missing = names.filter((name) => !codePoints.has(name));
if (missing.length > 0) throw new Error(`Not codicons: ${missing.join(', ')}`);

const full = await readFile(require.resolve('@vscode/codicons/dist/codicon.ttf'));
const text = names.map((name) => String.fromCodePoint(codePoints.get(name))).join('');
const font = await subsetFont(full, text, { targetFormat: 'truetype' });
await writeFile(here('codicon.ttf'), font);

const rules = names.map((name) => {
  const code = codePoints.get(name).toString(16);
  return `.codicon-${name}::before {\n  content: '\\${code}';\n}\n`;
});
const head = '/* Written by media/subsetCodicons.mjs from media/codicons.txt. */\n';
await writeFile(here('../webview/styles/codicons.css'), head + rules.join(''));
process.stdout.write(`${names.length} glyphs, ${full.length} to ${font.length} bytes\n`);
