// @ts-check
// What is the same test once more: with an agent in a sandbox or in version 2 of the protocol, or a page in another theme. A run plays it
// only if what makes the difference has changed since it last passed on this machine. `--all` plays everything.
import { createHash } from 'node:crypto';
import { addFiles, hasPassed, noteKey } from './passed.mjs';

/** @typedef {'sandboxed' | 'version2' | 'themes'} Variant */

/** Code of a page that decides how it looks in a theme: it makes elements, names their classes, or computes colors. */
const draws = /html`|svg`|createElement|className|classList|color|theme/i;

/**
 * Whether a file can't make a page look different in one theme only: code that draws nothing, and tests that look at nothing.
 * @param {string} path
 * @param {Buffer} content
 */
function isSameInThemes(path, content) {
  if (/^webview[\\/].*\.ts$/.test(path)) return !draws.test(content.toString());
  return /\.test\.ts$/.test(path) && !content.includes('testLooks(');
}

/**
 * What makes the difference: files and folders of the project. Unit tests don't count.
 * @type {Readonly<Record<Variant, readonly string[]>>}
 */
const inputs = {
  sandboxed: [
    'src/sandbox',
    'src/host/sandbox',
    'src/agent/process',
    'test/agents',
    'test/workbench/sandboxPrograms.mjs',
  ],
  version2: ['src/acp/v2', 'src/acp/dialect', 'test/agents'],
  themes: ['webview', 'test/page', 'test/golden/look', 'esbuild.mjs'],
};

/** Names the variants of a run to the processes of its tests. */
const variable = 'PARLEY_TEST_VARIANTS';

/** The variants that this run plays, with the keys of their inputs. @type {Map<Variant, string>} */
const played = new Map();

/**
 * Decides which variants this run plays, and tells the processes that it starts.
 * @param {{ all: boolean }} options
 * @returns {Promise<readonly Variant[]>} those that it leaves out
 */
export async function chooseVariants({ all }) {
  /** @type {Variant[]} */
  const left = [];
  for (const variant of /** @type {Variant[]} */ (Object.keys(inputs))) {
    const key = await keyOf(variant);
    if (all || !hasPassed(variant, key)) played.set(variant, key);
    else left.push(variant);
  }
  process.env[variable] = [...played.keys()].join(' ');
  return left;
}

/**
 * Notes that a variant passed, unless its inputs have changed since the run began.
 * @param {Variant} variant
 */
export async function noteVariant(variant) {
  const key = played.get(variant);
  if (key !== undefined && (await keyOf(variant)) === key) await noteKey(variant, key);
}

/** Whether a test in this process is to play a variant. Outside of a run, it plays all. @param {Variant} variant */
export function plays(variant) {
  const chosen = process.env[variable];
  return chosen === undefined || chosen.split(' ').includes(variant);
}

/** @param {Variant} variant */
async function keyOf(variant) {
  const hash = createHash('sha256').update([process.version, process.platform, process.arch].join('\0'));
  await addFiles(
    hash,
    [...inputs[variant], 'package-lock.json'],
    (path, content) =>
      (/\.test\.ts$/.test(path) && !path.startsWith('test')) || (variant === 'themes' && isSameInThemes(path, content)),
  );
  return hash.digest('hex');
}
