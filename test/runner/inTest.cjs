// @ts-check
// Loaded before a test bundle or a check: notes which of the project's files it read or started besides those that are bundled into it, so
// that a later run can tell whether anything of that has changed. What opens no window gives way to what does.
'use strict';
const fs = require('node:fs');
const { syncBuiltinESMExports } = require('node:module');
const childProcess = require('node:child_process');
const { constants, setPriority } = require('node:os');
const { resolve, sep, dirname } = require('node:path');
const { fileURLToPath } = require('node:url');

const folder = process.env['PARLEY_TEST_RECORDS'];
const main = process.argv[1];
// Processes that the tests start are none of this file's: they don't inherit the flag.
process.execArgv = process.execArgv.filter(
  (flag, at, all) => !isOwn(flag) && !(flag === '--require' && isOwn(all[at + 1])),
);
if (folder && main) record(folder, main);
const layer = process.env['PARLEY_TEST_LAYER'] ?? /[\\/]out[\\/]([a-z][a-z\d-]*?)-\d+[\\/]/.exec(main ?? '')?.[1];
if (layer !== undefined) {
  process.env['PARLEY_TEST_LAYER'] = layer;
  // All that the process starts has its priority.
  if (process.env['PARLEY_TEST_YIELDING']?.split(' ').includes(layer))
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
}

/** @param {string | undefined} flag */
function isOwn(flag) {
  return flag !== undefined && (flag === __filename || flag === `--require=${__filename}`);
}

/** @param {string} into @param {string} program */
function record(into, program) {
  const root = resolve(__dirname, '..', '..') + sep;
  const apart = ['node_modules', 'out', '.git'].map((name) => root + name + sep);
  /** @type {Set<string>} */
  const reads = new Set();
  const { writeFileSync, existsSync } = fs;

  /** @param {unknown} path @param {boolean} [withFolder] whether what is beside it counts, too */
  function note(path, withFolder = false) {
    if (path instanceof URL) path = path.protocol === 'file:' ? fileURLToPath(path) : undefined;
    if (typeof path !== 'string') return;
    const full = resolve(path);
    if (!full.startsWith(root) || apart.some((other) => full.startsWith(other))) return;
    if (withFolder && !existsSync(full)) return;
    reads.add((withFolder ? dirname(full) : full).slice(root.length));
  }

  /** @param {any} holder @param {readonly string[]} names @param {(args: readonly unknown[]) => void} see */
  function watch(holder, names, see) {
    for (const name of names) {
      const original = holder[name];
      holder[name] = Object.assign(
        /** @this {unknown} @param {unknown[]} args */ function watched(...args) {
          see(args);
          return original.apply(this, args);
        },
        original,
      );
    }
  }

  watch(fs, ['readFile', 'readFileSync', 'open', 'openSync', 'readdir', 'readdirSync', 'createReadStream'], ([path]) =>
    note(path),
  );
  watch(fs.promises, ['readFile', 'open', 'readdir'], ([path]) => note(path));
  watch(childProcess, ['spawn', 'spawnSync', 'execFile', 'execFileSync', 'fork'], (args) => {
    for (const word of args.flat()) if (typeof word === 'string' && /\.[cm]?js$/.test(word)) note(word, true);
  });
  syncBuiltinESMExports();

  process.on('exit', () => {
    const text = JSON.stringify({ reads: [...reads].sort() });
    writeFileSync(resolve(into, `${encodeURIComponent(program)}.json`), text);
  });
}
