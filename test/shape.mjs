// @ts-check
// What docs/architecture.md promises about the shape of the sources. test/unit-support/shape.test.ts holds it, and test/tables.mjs writes the table.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The most that each may have. */
export const limits = {
  rootLines: 100,
  floorFunctionLines: 60,
  folderFiles: 25,
  functionLines: 80,
  /** What the extension loads at once (test/sizes.mjs). */
  firstLoadKilobytes: 1000,
  firstLoadFiles: 1,
  /** Who installs Parley waits for them (test/package.mjs). */
  packageKilobytes: 4500,
};

/** The floors of the product, from the lowest to the highest. Each imports only those before it. */
export const floors = ['machineFloor', 'agentsFloor', 'workFloor', 'sessionsFloor', 'usersFloor'];

/** Folders that had more files when the limit came, and what they had. None of them grows. @type {Readonly<Record<string, number>>} */
export const fullFolders = {};

/** Functions that are longer, and why. @type {Readonly<Record<string, string>>} */
export const longFunctions = {
  'diskChanges.ts: compare': 'one sequence over a file and its document',
  'review.ts: constructor': 'connects the parts of the review in order',
  'reviewPanel.ts: handle': 'one branch for each message',
  'feature.ts: sessionListFeature': 'one entry for each message and command',
  'encloseProgram.ts: encloseProgram': 'one sequence for a process',
  'reduceUpdate.ts: reduceUpdate': 'one branch for each update',
  'diagramColors.ts: colorsOfTheme': 'a table of colors',
  'installDom.ts: installDom': 'a table of what Mermaid asks of a document',
  'transcriptList.ts: constructor': 'connects the parts of the list in order',
};

/** @param {string} folder @returns {{ folder: string, files: string[] }[]} */
export function foldersIn(folder) {
  const all = readdirSync(folder, { withFileTypes: true });
  const files = all.flatMap((one) => (one.isFile() && isSource(one.name) ? one.name : []));
  const inner = all.flatMap((one) => (one.isDirectory() ? foldersIn(join(folder, one.name)) : []));
  return [{ folder: folder.replaceAll('\\', '/'), files }, ...inner];
}

/** @param {string} name */
function isSource(name) {
  return name.endsWith('.ts') && !name.endsWith('.test.ts');
}

/**
 * The functions and methods of a file with their lines. Prettier indents the sources, so a function ends at the first line with its own
 * indentation and a closing brace.
 * @param {string} path
 */
export function functionsIn(path) {
  const lines = readFileSync(path, 'utf8').split('\n');
  /** @type {{ name: string, lines: number }[]} */
  const found = [];
  for (const [at, line] of lines.entries()) {
    const [, indent = '', name] = /^(\s*)(?:export )?(?:async )?function\*? (\w+)/.exec(line) ?? [];
    const [, inClass = '', method] =
      /^( {2})(?:(?:private|protected|public|static|override|async|get|set) )*(\w+)(?:<.*>)?\(/.exec(line) ?? [];
    const called = name ?? method;
    if (called === undefined) continue;
    const own = name === undefined ? inClass : indent;
    const end = lines.findIndex((one, index) => index > at && new RegExp(`^${own}\\}`).test(one));
    const body = lines.slice(at, end < 0 ? at : end);
    // A declaration or a call has no body, so the next brace isn't its own.
    const opens = body.findIndex((one) => one.startsWith(own) && /\{$/.test(one));
    const closes = body.findIndex(
      (one, index) => index > 0 && one.startsWith(`${own}`) && /^\s*\S.*;$/.test(one) && !one.startsWith(`${own} `),
    );
    if (end < 0 || opens < 0 || (closes >= 0 && closes < opens)) continue;
    found.push({ name: called, lines: end - at + 1 });
  }
  return found;
}

/** The table of docs/architecture.md. The head comes first. @returns {readonly (readonly string[])[]} */
export function shapeRows() {
  const folders = Object.entries(fullFolders).map(([folder, count]) => `\`${folder}\` (${count})`);
  const functions = Object.entries(longFunctions).map(([name, why]) => `\`${name}\`: ${why}`);
  return [
    ['What', 'At most', 'Except'],
    ['Lines of `src/host/parley.ts`', String(limits.rootLines), ''],
    ['Lines of a function of a floor', String(limits.floorFunctionLines), ''],
    ['Files in a folder, without tests', String(limits.folderFiles), folders.join(', ')],
    ['Lines of a function', String(limits.functionLines), functions.join('; ')],
    ['KB that the extension loads at once', String(limits.firstLoadKilobytes), ''],
    ['Files that it loads at once', String(limits.firstLoadFiles), ''],
    ['KB of a package (`npm run package`)', limits.packageKilobytes.toLocaleString('en'), ''],
  ];
}
