// @ts-check
// Plays the tour in an editor that isn't VS Code itself, with the package that `npm run package` made: `npm run hosts`. It needs the network
// once, and isn't part of `npm test`. docs/platforms.md says what was run last.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inRoot } from '../root.mjs';
import { startBrowser } from '../workbench/browser.mjs';
import { cacheFolder, makeOnce } from '../workbench/cache.mjs';
import { vsixPath } from '../workbench/installed.mjs';
import { serverMark } from '../workbench/processes.mjs';
import { cleanEnv, run } from '../workbench/run.mjs';
import { quietSettings, Server } from '../workbench/server.mjs';
import { unpack } from '../workbench/unpack.mjs';
import { releases, unsupportedPlatform, vscodeServer } from '../workbench/vscodeServer.mjs';
import { Workbench } from '../workbench/workbench.mjs';

const unsupported = unsupportedPlatform();
if (unsupported) throw new Error(unsupported);
const version = releases.latest.codeServer;
const vsix = await vsixPath();
if (!existsSync(vsix)) throw new Error('Nothing is packed. Run "npm run package" first.');
const folder = await realpath(await mkdtemp(join(tmpdir(), 'parley-host-')));
const browser = await startBrowser();
const server = await startCodeServer(folder);
try {
  const workbench = await Workbench.open(browser, server, await server.workspace());
  await playTour(workbench);
  if (workbench.problems.length > 0) throw new Error(workbench.problems.join('\n'));
  await workbench.close();
  console.log(`code-server ${version}: the tour was played and reviewed.`);
} finally {
  await browser.close();
  await server.stop();
}

/**
 * Installs the package in code-server as a user does, and starts it.
 * @param {string} folder
 */
async function startCodeServer(folder) {
  const vscode = await vscodeServer(console.log);
  const product = await makeOnce(join(cacheFolder(), `code-server-${version}`), async (target) => {
    console.log(`Installing code-server ${version} from npm …`);
    await unpack(`code-server@${version}`, 'package', 1, target);
    // Its own programs need no compiler. Those of VS Code inside are installed already.
    const args = ['install', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--no-save', '--force'];
    await run('npm', args, { cwd: target, env: cleanEnv() });
    await rm(join(target, 'lib', 'vscode'), { recursive: true });
    await symlink(vscode.folder, join(target, 'lib', 'vscode'));
  });
  const main = join(product, 'out', 'node', 'entry.js');
  const data = join(folder, 'data', 'data');
  await mkdir(join(data, 'Machine'), { recursive: true });
  await writeFile(join(data, 'Machine', 'settings.json'), JSON.stringify(quietSettings, null, 2));
  const own = [
    '--config',
    join(folder, 'config.yaml'),
    '--user-data-dir',
    data,
    '--extensions-dir',
    join(folder, 'extensions'),
  ];
  await run(vscode.node, [main, ...own, '--install-extension', vsix], { cwd: folder });
  const flags = [
    '--auth',
    'none',
    '--bind-addr',
    '127.0.0.1:0',
    '--disable-telemetry',
    '--disable-update-check',
    '--disable-workspace-trust',
  ];
  const mark = randomUUID();
  const child = spawn(vscode.node, [main, ...own, ...flags], {
    cwd: folder,
    env: { ...process.env, [serverMark]: mark },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const log = { text: '' };
  /** @type {number} */
  const port = await new Promise((resolve, reject) => {
    const read = (/** @type {Buffer} */ part) => {
      log.text += part.toString();
      const found = /listening on http:\/\/127\.0\.0\.1:(\d+)/.exec(log.text)?.[1];
      if (found !== undefined) resolve(Number(found));
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('exit', (code) => reject(new Error(`code-server ended at once (${code}):\n${log.text}`)));
  });
  return new Server(folder, port, child, mark, log);
}

/** @param {Workbench} workbench */
async function playTour(workbench) {
  const { page } = workbench;
  await workbench.runCommand('Parley: Open Chat');
  const chat = await workbench.chatFrame();
  await chat.getByRole('button', { name: 'Try Tour agent' }).click();
  for (const title of ['Create parley-tour.md', 'ls']) {
    const request = chat.getByRole('group', { name: new RegExp(`^Permission: ${title}`) });
    await request.scrollIntoViewIfNeeded();
    await request.and(chat.locator('[data-ready=true]')).waitFor();
    await request.getByRole('button', { name: /^Allow/ }).click();
    await request.waitFor({ state: 'detached' });
  }
  await chat.getByText('That’s the tour').waitFor();
  if (!/# Parley tour/.test(await readFile(workbench.file('parley-tour.md'), 'utf8')))
    throw new Error('No file of the tour.');
  await workbench.openFile('parley-tour.md');
  await workbench.lens('Keep').first().click();
  await workbench.lens('Keep').first().waitFor({ state: 'detached' });
  await page.screenshot({ path: inRoot('out', 'shots', 'host.png') });
}
