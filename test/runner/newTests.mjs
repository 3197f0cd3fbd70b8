// @ts-check
// Finds the tests that are new or changed since a commit, for `npm test -- --new`.
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { inRoot, root } from '../root.mjs';
import { linesOfDiff, namesAt } from './testNames.mjs';

/**
 * Changed tests of a file, or `all` if what changed is outside of them.
 * @typedef {{ file: string, names: readonly import('./testNames.mjs').TestName[] | 'all' }} ChangedTests the path is relative
 */

/**
 * The tests of the project that are new or changed since a commit, with what isn't committed.
 * @param {string} since a commit
 * @returns {Promise<readonly ChangedTests[]>}
 */
export async function changedTests(since) {
  const git = async (/** @type {string[]} */ ...args) =>
    (await promisify(execFile)('git', args, { cwd: root, maxBuffer: 2 ** 28 })).stdout;
  const places = ['src', 'webview', 'test'];
  const untracked = (await git('ls-files', '--others', '--exclude-standard', '--', ...places)).split('\n');
  const lines = linesOfDiff(await git('diff', '--unified=0', '--no-color', '--no-ext-diff', since, '--', ...places));
  for (const file of untracked) lines.set(file, [{ from: 1, to: Infinity }]);
  const files = [...lines.keys()].filter(declaresTests).sort();
  return Promise.all(
    files.map(async (file) => ({
      file,
      names: namesAt(await readFile(inRoot(file), 'utf8'), lines.get(file) ?? []),
    })),
  );
}

/** The commit where this branch left the one it is to be merged into, or the last one without such a branch. @returns {Promise<string>} */
export async function lastMerged() {
  const git = async (/** @type {string[]} */ ...args) =>
    (await promisify(execFile)('git', args, { cwd: root })).stdout.trim();
  return git('merge-base', 'HEAD', '@{upstream}').catch(() => git('rev-parse', 'HEAD'));
}

/** @param {string} file */
function declaresTests(file) {
  return /\.test\.ts$/.test(file) || /^test\/conformance\/cases\/.*\.ts$/.test(file);
}
