// @ts-check
// Runs the integration suites in a desktop VS Code, which is downloaded from its own site at the first run.
// `PARLEY_VSCODE=floor` takes the oldest release that the manifest admits.
import { mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runTests } from '@vscode/test-electron';
import { inRoot, root } from './root.mjs';
import { bundleIntegration } from './runner/bundle.mjs';
import { run } from './workbench/run.mjs';

await run(process.execPath, ['esbuild.mjs'], { cwd: root });
const { engines } = JSON.parse(await readFile(inRoot('package.json'), 'utf8'));
const floor = String(engines.vscode).replace(/^\^/, '');
// As the editor names it: on macOS the temporary folder is behind a link, on Windows it may have a short name.
const workspace = await mkdtemp(join(await realpath(tmpdir()), 'parley-'));
try {
  await runTests({
    version: process.env['PARLEY_VSCODE'] === 'floor' ? floor : 'stable',
    extensionDevelopmentPath: root,
    extensionTestsPath: await bundleIntegration(),
    extensionTestsEnv: { PARLEY_TEST_REPORT: 'plain', PARLEY_TEST_FILTER: process.argv.slice(2).join(' ') },
    launchArgs: [workspace, '--disable-extensions', '--disable-workspace-trust', '--skip-welcome'],
  });
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
} finally {
  await rm(workspace, { recursive: true, force: true, maxRetries: 3 });
}
