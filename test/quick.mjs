// @ts-check
// Checks what a commit would change: `npm run check:quick`. Types and strings of everything, lint and format of the changed files, and the
// unit tests whose inputs changed since they last passed.
import { execFileSync, spawnSync } from 'node:child_process';
import { inRoot, root } from './root.mjs';

const git = (/** @type {string[]} */ ...args) =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8' })
    .split('\0')
    .filter((name) => name !== '');
const changed = [
  ...git('diff', '--name-only', '--diff-filter=d', '-z', 'HEAD'),
  ...git('ls-files', '--others', '--exclude-standard', '-z'),
];
const linted = changed.filter((name) => /\.(ts|mjs)$/.test(name));
const typed = linted.filter((name) => name.endsWith('.ts'));
const bin = (/** @type {string[]} */ ...path) => inRoot('node_modules', ...path);
const projects = ['tsconfig.json', 'webview/tsconfig.json', 'test/tsconfig.json'];

/** @type {string[][]} */
const steps = [
  ...projects.map((project) => [bin('@typescript', 'native', 'bin', 'tsc'), '-p', project]),
  ...(linted.length > 0 ? [[bin('oxlint', 'bin', 'oxlint'), ...linted]] : []),
  ...(typed.length > 0 ? [[bin('eslint', 'bin', 'eslint.js'), ...typed]] : []),
  ...(changed.length > 0 ? [[bin('prettier', 'bin', 'prettier.cjs'), '--check', '--ignore-unknown', ...changed]] : []),
  ['test/strings.mjs'],
  ['test/run.mjs', 'unit', '--changed'],
];
for (const step of steps) {
  const { status } = spawnSync(process.execPath, step, { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
