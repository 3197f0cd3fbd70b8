// @ts-check
// Checks that the tables in docs/ are those of the manifest, of the chat page, and of the tests' limits. `--write` writes them anew.
import { readFile, writeFile } from 'node:fs/promises';
import { build } from 'esbuild';
import { withTables } from './docTables.mjs';
import { inRoot } from './root.mjs';
import { shapeRows } from './shape.mjs';

/** @typedef {{ command: string, key: string, mac?: string }} Key */
/** @typedef {{ default?: unknown, enum?: string[], description?: string, markdownDescription?: string }} Setting */

const manifest = JSON.parse(await readFile(inRoot('package.json'), 'utf8'));
/** @type {Record<string, string>} */
const strings = JSON.parse(await readFile(inRoot('package.nls.json'), 'utf8'));

const { pageKeys, keyLabel } = /** @type {typeof import('../webview/keys/pageKeys')} */ (
  await pageModule('webview/keys/pageKeys.ts')
);
const review = /** @type {typeof import('../webview/review/reviewKeys')} */ (
  await pageModule('webview/review/reviewKeys.ts')
);

const { keybindings, configuration } = manifest.contributes;
/** The tables of each page. @type {Readonly<Record<string, Readonly<Record<string, readonly (readonly string[])[]>>>>} */
const pages = {
  'keyboard.md': { keys: keyRows(keybindings), 'page keys': pageKeyRows(), 'review keys': reviewKeyRows() },
  'settings.md': { settings: settingRows(configuration.properties) },
  'architecture.md': { shape: shapeRows() },
};
for (const [name, tables] of Object.entries(pages)) {
  const path = inRoot('docs', name);
  const before = await readFile(path, 'utf8');
  const written = await withTables(path, before, tables);
  if (process.argv.includes('--write')) await writeFile(path, written);
  else if (before !== written) {
    console.error(`The tables of docs/${name} are old: run "npm run tables".`);
    process.exitCode = 1;
  }
}

/** @param {readonly Key[]} keys */
function keyRows(keys) {
  const rows = keys.map(({ command, key, mac }) => [
    titleOf(command),
    keyName(key),
    keyName(mac ?? key).replace('Alt', 'Option'),
  ]);
  return [['Command', 'Windows and Linux', 'macOS'], ...rows];
}

/** The keys of the chat page itself, by the part of the page. */
function pageKeyRows() {
  const rows = pageKeys().flatMap(({ part, keys: all }) =>
    all.map(({ keys, does }, at) => [
      at === 0 ? part : '',
      keyNames(keys, false),
      keyNames(keys, true),
      does.replaceAll('|', '\\|'),
    ]),
  );
  return [['In the chat', 'Windows and Linux', 'macOS', 'What it does'], ...rows];
}

/** The keys of the review page. */
function reviewKeyRows() {
  const rows = review.keyRows.all.map(([keys, words]) => [keyNames(keys, false), keyNames(keys, true), words()]);
  return [['Windows and Linux', 'macOS', 'What it does'], ...rows];
}

/** @param {readonly string[]} keys @param {boolean} isMac */
function keyNames(keys, isMac) {
  return keys.map((key) => `\`${keyLabel(key, isMac)}\``).join(keys[0] === '1' ? ' to ' : ', ');
}

/**
 * Loads a module of the page, whose strings are in English here.
 * @param {string} path
 * @returns {Promise<unknown>}
 */
async function pageModule(path) {
  const built = await build({
    entryPoints: [inRoot(path)],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(process.cwd() + '/');" },
  });
  const [file] = built.outputFiles;
  return import(`data:text/javascript;base64,${Buffer.from(file?.contents ?? []).toString('base64')}`);
}

/** @param {string} id */
function titleOf(id) {
  /** @type {{ command: string, title: string } | undefined} */
  const found = manifest.contributes.commands.find((/** @type {{ command: string }} */ { command }) => command === id);
  return resolve(found?.title ?? id);
}

/** "shift+alt+f5" as `Shift+Alt+F5`. @param {string} key */
function keyName(key) {
  const words = key.replace('pagedown', 'pageDown').replace('pageup', 'pageUp');
  return `\`${words.replace(/(^|[+ ])([a-z])/g, (_, lead, letter) => `${lead}${letter.toUpperCase()}`)}\``;
}

/** @param {Record<string, Setting>} settings */
function settingRows(settings) {
  const rows = Object.entries(settings).map(([name, setting]) => [
    `\`${name}\``,
    [summary(setting), valuesOf(setting)].join(' ').trim(),
    defaultOf(setting),
  ]);
  return [['Setting', 'Description', 'Default'], ...rows];
}

/** The first sentence of a description. @param {Setting} setting */
function summary({ description, markdownDescription }) {
  const [sentence = ''] = resolve(markdownDescription ?? description ?? '').split(/(?<=\.)\s/);
  return sentence.replace(/`#([\w.]+)#`/g, '`$1`').replaceAll('|', '\\|');
}

/** @param {Setting} setting */
function valuesOf({ enum: values }) {
  return values === undefined ? '' : `One of ${values.map((value) => `\`${value}\``).join(', ')}.`;
}

/** @param {Setting} setting */
function defaultOf({ default: value }) {
  const isEmpty = value === undefined || ['""', '{}', '[]'].includes(JSON.stringify(value));
  return isEmpty ? 'none' : `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;
}

/** A string of the manifest in words. @param {string} text */
function resolve(text) {
  const name = /^%(.+)%$/.exec(text)?.[1];
  return name === undefined ? text : (strings[name] ?? text);
}
