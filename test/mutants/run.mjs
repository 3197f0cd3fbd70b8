// @ts-check
// Changes the product's code in small ways and looks whether a test notices:
// `npm run test:mutants -- --seed 1 --count 200 [--list] [--only ID] [TEXT]`, on demand. TEXT is part of the path of the files to change.
// It works on a copy of the sources, so you can go on editing yours. What it learned of the same code and tests isn't run again.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises';
import { setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { inRoot } from '../root.mjs';
import { endProcessesWith, runMark } from '../workbench/processes.mjs';
import { removeTempFolder, useTempFolder } from '../workbench/tempFolder.mjs';

/** All that tests in plain Node read. */
const parts = [
  'src',
  'test',
  'webview',
  'l10n',
  'docs',
  'media',
  'package.json',
  'package.nls.json',
  'package-lock.json',
  'tsconfig.base.json',
  'tsconfig.json',
  'esbuild.mjs',
  'eslint.config.mjs',
  'README.md',
  'SECURITY.md',
  'CONTRIBUTING.md',
  'LICENSE',
];

const mark = randomUUID();
process.env[runMark] = mark;
setPriority(15);
const copy = await mkdtemp(join(tmpdir(), 'parley-mutants-'));
const tempFolder = useTempFolder();
let code = 1;
try {
  for (const part of parts) await cp(inRoot(part), join(copy, part), { recursive: true });
  await symlink(inRoot('node_modules'), join(copy, 'node_modules'));
  const worker = spawn(process.execPath, [join(copy, 'test/mutants/inCopy.mjs'), ...process.argv.slice(2)], {
    stdio: 'inherit',
  });
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) process.once(signal, () => worker.kill(signal));
  code = await new Promise((resolve) => worker.once('exit', (status) => resolve(status ?? 1)));
} finally {
  await endProcessesWith(runMark, mark, 0, ({ pid }) => pid === process.pid);
  await removeTempFolder(tempFolder);
  await rm(copy, { recursive: true, force: true });
}
process.exit(code);
