// @ts-check
// Removes the product's gates one by one and checks that a test fails each time: `npm run test:gates [TEXT]`, on demand. Works on a
// copy of the sources.
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawn } from 'node:child_process';
import { inRoot } from '../root.mjs';
import { mutations } from './mutations.mjs';

const only = process.argv.slice(2).join(' ');
const wanted = mutations.filter(({ gate }) => gate.includes(only));
const copy = await mkdtemp(join(tmpdir(), 'parley-gates-'));
let survived = 0;
/** The folders of tests that pass while nothing is removed. @type {Set<string>} */
const sound = new Set();
try {
  for (const part of [
    'src',
    'test',
    'webview',
    'l10n',
    'docs',
    'package.json',
    'package.nls.json',
    'package-lock.json',
    'tsconfig.base.json',
    'esbuild.mjs',
  ]) {
    await cp(inRoot(part), join(copy, part), { recursive: true });
  }
  await symlink(inRoot('node_modules'), join(copy, 'node_modules'));
  for (const { gate, file, from, to, tests } of wanted) {
    const text = await readFile(join(copy, file), 'utf8');
    if (text.split(from).length !== 2) throw new Error(`"${gate}": ${file} doesn't have exactly one ${from}`);
    await writeFile(
      join(copy, file),
      text.replace(from, () => to),
    );
    const failed = await failedTests(tests);
    await writeFile(join(copy, file), text);
    if (failed.length > 0 && !sound.has(tests)) {
      const always = await failedTests(tests);
      if (always.length > 0) throw new Error(`Tests of ${tests} fail without a change: ${always.join(' · ')}`);
      sound.add(tests);
    }
    if (failed.length === 0) survived += 1;
    console.log(failed.length === 0 ? `✗ ${gate}: no test fails` : `✓ ${gate}: ${failed.join(' · ')}`);
  }
} finally {
  await rm(copy, { recursive: true, force: true });
}
console.log(`\n${wanted.length - survived} of ${wanted.length} gates have a test that fails without them`);
process.exit(survived > 0 || wanted.length === 0 ? 1 : 0);

/** Resolves to the names of the tests that fail in the copy. @param {string} tests */
async function failedTests(tests) {
  const run = spawn(process.execPath, ['test/run.mjs', 'unit', tests], {
    cwd: copy,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  run.stdout.setEncoding('utf8').on('data', (/** @type {string} */ text) => (output += text));
  const code = await new Promise((resolve) => run.once('close', resolve));
  const names = [...output.matchAll(/^ {2}✗ unit: (.+)$/gm)].map(([, name]) => name ?? '');
  // A failure to bundle the sources doesn't count as a failed test.
  const isBroken = names.some((name) => name.includes('can be bundled') || name.startsWith('npm ci'));
  if (isBroken || (code !== 0 && names.length === 0)) throw new Error(`The tests can't run:\n${output.slice(-2000)}`);
  return names;
}
