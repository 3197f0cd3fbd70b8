import assert from 'node:assert/strict';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before } from 'node:test';
import { inRoot } from '../../root.mjs';
import { scene, type AgentSettings } from '../../e2e/harness';
import { inSourceControl } from '../../e2e/reviewParts';
import { run } from '../../workbench/run.mjs';
import { wineOfRun } from '../wine.mjs';

const wine = wineOfRun() ?? assert.fail('These tests run in Windows.');
const fixtures = inRoot('test', 'fixtures', 'agents');

/** An agent that edits files itself, as the prompt says. */
const told: AgentSettings = {
  Told: { command: wine.path(wine.node), args: [wine.path(join(fixtures, 'doesAsTold.mjs'))] },
};

/** Where npm puts the programs of this user: with a space and letters beyond ASCII, as in the names of many users. */
const npmFolder = join(wine.drive, 'users', 'Zoë Ünal', 'npm');

/** Installs an agent from a package with npm for Windows, which puts shims for the shells of Windows there. */
before(async () => {
  const folder = join(wine.temp, 'package');
  await mkdir(folder);
  await mkdir(npmFolder, { recursive: true });
  const manifest = { name: '@parley-tests/agent', version: '1.0.0', bin: { 'told-agent': 'agent.mjs' } };
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  const program = await readFile(join(fixtures, 'doesAsTold.mjs'), 'utf8');
  await writeFile(join(folder, 'agent.mjs'), `#!/usr/bin/env node\n${program}`);
  for (const name of ['wire.mjs', 'postJson.mjs']) await copyFile(join(fixtures, name), join(folder, name));
  const modules = (await run('npm', ['root', '--global'])).trim();
  const npm = join(modules, 'npm', 'bin', 'npm-cli.js');
  const options = [
    '--install-links',
    '--offline',
    '--no-audit',
    '--no-fund',
    '--cache',
    wine.path(join(wine.temp, 'npm')),
  ];
  const args = ['install', '--global', '--prefix', wine.path(npmFolder), ...options, wine.path(folder)];
  const { code, printed } = await wine.run([wine.path(npm), ...args]);
  assert.equal(code, 0, printed);
  assert.match(await readFile(join(npmFolder, 'told-agent.cmd'), 'utf8'), /%dp0%/);
});

scene('the tour agent completes a turn in Windows', {}, async ({ workbench, chat, openChat, screenshot }) => {
  await openChat();
  await chat.send('Show me around');
  await chat.answer('Create parley-tour.md');
  await chat.answer('cmd.exe /d /c dir');
  await chat.untilIdle();
  await chat.untilText(chat.article('Tour agent'), 'That’s the tour');
  for (const title of ['Read', 'Create parley-tour.md', 'cmd.exe /d /c dir']) {
    await chat.toolCall(title).filter({ hasText: 'completed' }).waitFor({ state: 'attached' });
  }
  assert.match(await readFile(workbench.file('parley-tour.md'), 'utf8'), /# Parley tour/);
  await screenshot('windows chat');
});

scene('runs a command in a terminal of Windows', {}, async ({ chat, openChat, screenshot }) => {
  await openChat();
  await chat.send('/tour terminal');
  await chat.answer('cmd.exe /d /c dir');
  await chat.untilIdle();
  await chat.untilText(chat.article('Tour agent'), 'exited with code 0');
  // What it printed can't be seen: Wine 8's pseudoterminals give nothing to read, with node-pty alone as well.
  await chat.toolCall('cmd.exe /d /c dir').getByRole('button').first().click();
  await screenshot('windows terminal');
});

const crlf = (...lines: readonly string[]) => lines.map((line) => `${line}\r\n`).join('');
const original = crlf('one', 'two', 'three');

scene(
  "reviews an agent's changes in Source Control with line breaks intact",
  { agents: told, files: { 'kept.txt': original, 'undone.txt': original, 'third.txt': original } },
  async ({ workbench, server, chat, openChat, screenshot }) => {
    const edits = ['kept.txt', 'undone.txt', 'third.txt'].map((name) => ({
      edit: server.path(workbench.file(name)),
      from: 'two\r\n',
      to: 'TWO\r\nand more\r\n',
    }));
    await openChat();
    await chat.send(JSON.stringify(edits));
    await chat.untilIdle();
    // Quick Open can't: VS Code's search program needs a library that Wine 8 lacks (bcryptprimitives.dll).
    await workbench.page.getByRole('treeitem', { name: 'kept.txt' }).first().click();
    await workbench.page.locator('.codelens-decoration a').first().waitFor();
    await screenshot('windows review');
    await inSourceControl(workbench);
    assert.equal(await readFile(workbench.file('kept.txt'), 'utf8'), crlf('one', 'TWO', 'and more', 'three'));
    assert.equal(await readFile(workbench.file('undone.txt'), 'utf8'), original);
  },
);

scene(
  'starts an npm agent by name through its cmd.exe shim',
  {
    agents: { Shim: { command: 'told-agent' } },
    env: () => ({ WINEPATH: `${wine.path(wine.programs)};${wine.path(npmFolder)}` }),
  },
  async ({ workbench, server, chat, openChat }) => {
    const written = workbench.file('written by the agent.txt');
    await openChat();
    await chat.send(JSON.stringify([{ write: server.path(written), text: 'Grüße\r\n' }]));
    await chat.untilIdle();
    assert.equal(await readFile(written, 'utf8'), 'Grüße\r\n');
  },
);
