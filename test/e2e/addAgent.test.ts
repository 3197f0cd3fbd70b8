import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before } from 'node:test';
import { inProduct } from '../root.mjs';
import { LocalServer } from '../unit-support/archives';
import { npmEnvironment, publish } from '../unit-support/npmServer';
import { scene, type Scene } from './harness';

const home = mkdtempSync(join(tmpdir(), 'parley-home-'));
const program = inProduct('dist', 'tourAgent.js');
let server: LocalServer;

before(async () => {
  server = await LocalServer.open();
});
after(async () => {
  await server.close();
  rmSync(home, { recursive: true, force: true });
});

function write(path: string, content: string, mode = 0o644): void {
  const file = join(home, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content, { mode });
}

/** Answers the dialog of VS Code with its first button, and resolves to its text. */
async function agree({ workbench }: Scene, text: string): Promise<string> {
  const dialog = workbench.dialog();
  await dialog.getByText(text).first().waitFor();
  const words = await dialog.innerText();
  await workbench.page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  return words;
}

/** Opens the list of agents and types into it. */
async function search({ workbench }: Scene, text: string) {
  await workbench.runCommand('Parley: Add Agent…');
  const input = workbench.page.locator('.quick-input-widget:visible input[type="text"]');
  const row = workbench.page.locator('.quick-input-list .monaco-list-row', { hasText: text }).first();
  await row.waitFor();
  await input.fill(text);
  await row.waitFor();
  return { input, row };
}

write('.local/bin/goose', `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`, 0o755);
write(
  '.config/zed/settings.json',
  JSON.stringify({
    agent_servers: {
      'From Zed': {
        command: process.execPath,
        args: [program],
        env: { LEVEL: '7', ZED_API_KEY: 'sk-very-secret' },
      },
    },
  }),
);

scene(
  "shows local agents, other editors' agents, and the bundled list offline",
  {
    env: () => ({ HOME: home, XDG_CONFIG_HOME: '' }),
    // Nothing answers there.
    settings: { 'http.proxy': 'http://127.0.0.1:9', 'http.proxySupport': 'override' },
  },
  async (scene) => {
    const { workbench, chat, openChat, screenshot } = scene;
    await openChat();
    await chat.button('Add Goose').waitFor();
    const items = chat.page.getByRole('region', { name: 'Start' }).getByRole('listitem');
    assert.match(await items.first().innerText(), /Tour agent/);
    assert.match(await items.nth(1).innerText(), /Goose[^]*~\/\.local\/bin\/goose acp/);
    assert.equal(await chat.page.getByRole('list', { name: 'Agents to install' }).getByRole('listitem').count(), 3);
    await screenshot('agents-offline');

    await chat.button('Add Goose').press('Enter');
    const asked = await agree(scene, 'Add Goose?');
    assert.match(asked, new RegExp(`Command: ${join(home, '.local/bin/goose')} acp`));
    await chat.send('/help');
    await chat.untilIdle();
    await workbench.runCommand('Parley: Close Session');
    await chat.button('Start Goose').waitFor();
    await chat.button('Add Goose').waitFor({ state: 'detached' });

    const { input } = await search(scene, 'Import from Zed: 1 agent');
    await workbench.page.locator('.quick-input-widget input[placeholder^="Offline: list of "]').waitFor();
    await screenshot('agents-offline-list');
    await input.press('Enter');
    const imported = await agree(scene, 'Import From Zed from Zed?');
    assert.match(imported, /LEVEL=7/);
    assert.match(imported, /ZED_API_KEY \(kept in VS Code’s secret storage\)/);
    assert.doesNotMatch(imported, /sk-very-secret/);
    await chat.button('Start From Zed').press('Enter');
    await chat.send('/help');
    await chat.untilIdle();
    await workbench.runCommand('Preferences: Open User Settings (JSON)');
    const lines = workbench.page.locator('.editor-instance .view-lines', { hasText: 'From Zed' });
    await lines.waitFor();
    const settings = await lines.innerText();
    assert.match(settings, /LEVEL/);
    assert.doesNotMatch(settings, /ZED_API_KEY|sk-very-secret/);
    await workbench.runCommand('Parley: Close Session');
    await chat.button('Start From Zed').waitFor();
  },
);

/** Serves a registry with one agent in this version, and returns its URL. */
function listSpoken(version: string): string {
  const npx = { package: `@example/spoken@${version}`, args: ['--acp'] };
  const agents = [{ id: 'spoken', name: 'Spoken', version, description: '', distribution: { npx } }];
  return server.serve('/registry.json', JSON.stringify({ version: '1.0.0', agents }));
}

scene(
  'installs an npm agent once and later starts it offline',
  {
    env: () => npmEnvironment(server.url('/'), home),
    settings: () => ({ 'parley.registry.url': listSpoken('1.0.0') }),
  },
  async (scene) => {
    const { workbench, chat, openChat } = scene;
    const packaged = { name: '@example/spoken', bin: 'agent.js', type: 'module' } as const;
    const files = { 'agent.js': await readFile(program, 'utf8') };
    await publish(server, { ...packaged, version: '1.0.0', files });
    await openChat();

    const { input } = await search(scene, 'Spoken');
    await input.press('Enter');
    const asked = await agree(scene, 'Add Spoken 1.0.0?');
    assert.match(asked, /Command: node \S+\/agents\/spoken\/1\.0\.0\/node_modules\/@example\/spoken\/agent\.js --acp/);
    assert.match(asked, /Package: @example\/spoken@1\.0\.0, installed with npm without its scripts/);
    const ready = await workbench.notification('Spoken is ready');
    await ready.getByRole('button', { name: 'New session' }).click();
    await chat.send('/help');
    await chat.untilIdle();
    await workbench.runCommand('Parley: Close Session');

    const requests = server.requests.length;
    server.answers.clear();
    await chat.button('Start Spoken').press('Enter');
    await chat.send('/help');
    await chat.untilIdle();
    assert.equal(server.requests.length, requests);
    await workbench.runCommand('Parley: Close Session');

    // The list was refreshed because the user opened it, and the start page says what it has.
    await publish(server, { ...packaged, version: '1.1.0', files });
    listSpoken('1.1.0');
    const again = await search(scene, 'update to 1.1.0 available');
    await again.input.press('Escape');
    await chat.button('Update to 1.1.0: Spoken').press('Enter');
    await agree(scene, 'Update Spoken from 1.0.0 to 1.1.0?');
    await workbench.notification('Spoken is now 1.1.0');
    // The list of notifications would cover the message.
    await workbench.runCommand('Notifications: Clear All Notifications');
    await chat.button('Update to 1.1.0: Spoken').waitFor({ state: 'detached' });
    await chat.button('Start Spoken').press('Enter');
    await chat.send('/help');
    await chat.untilIdle();
    await workbench.runCommand('Parley: Close Session');
    await chat.button('Start Spoken').waitFor();
  },
);
