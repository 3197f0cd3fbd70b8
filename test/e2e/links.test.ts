import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { inRoot } from '../root.mjs';
import { scene, type Scene } from './harness';

const script = { turns: [{ steps: [{ say: 'Hello.' }] }] };
const program = inRoot('test', 'fixtures', 'agents', 'scripted.mjs');
const agents = { Greeter: { command: process.execPath, args: [program, JSON.stringify(script)] } };
/** The server's editor in a browser has a scheme of its own. */
const base = 'code-oss://parley.parley-acp';

const links = {
  Draft: `${base}/new?prompt=Fix%20it%20%26%20more`,
  Hidden: `${base}/new?prompt=Fix%20it%E2%80%AE`,
  Elsewhere: `${base}/new?prompt=Fix%20it&folder=%2Fetc`,
  Stranger: `${base}/new?prompt=Fix%20it&agent=Evil`,
  Command: `${base}/run?prompt=Fix%20it`,
  Missing: `${base}/session/none`,
};
const file = 'links.md';
const textOf = (all: Readonly<Record<string, string>>) =>
  Object.entries(all)
    .map(([name, link]) => `[${name}](${link})\n`)
    .join('\n');

/** Opens the link in a line of the file, at its end, with VS Code's own command. */
async function followLink({ workbench }: Scene, all: object, name: string): Promise<void> {
  await workbench.openFile(file, 1 + 2 * Object.keys(all).indexOf(name));
  const line = workbench.page.locator('.editor-instance .view-line').filter({ hasText: new RegExp(`^\\[${name}\\]`) });
  await line.locator('.detected-link').first().waitFor();
  for (const key of ['End', 'ArrowLeft', 'ArrowLeft']) await workbench.page.keyboard.press(key);
  await workbench.runCommand('Open Link');
}

scene(
  'links open drafts and sessions, and hostile ones are refused in words',
  { agents, files: { [file]: textOf(links) }, settings: { '[markdown]': { 'editor.wordWrap': 'off' } } },
  async (stage) => {
    const { workbench, chat, server, openChat, screenshot } = stage;
    const agentProcesses = async () =>
      (await server.processes()).filter(({ command }) => command.includes('scripted.mjs')).length;
    await openChat();
    await followLink(stage, links, 'Draft');
    await chat.page.getByRole('note').filter({ hasText: 'This text came from a link.' }).waitFor();
    assert.equal(await chat.message.inputValue(), 'Fix it & more');
    for (const [name, why] of [
      ['Hidden', 'This link has hidden text, so it isn’t opened.'],
      ['Elsewhere', 'This link is for the folder /etc, which isn’t open here.'],
      ['Stranger', 'There’s no agent named “Evil”, which this link asks for.'],
      ['Command', 'This link leads nowhere in Parley: /run'],
      ['Missing', 'This link’s session isn’t stored in this workspace.'],
    ] as const) {
      await followLink(stage, links, name);
      await workbench.notification(why);
    }
    await screenshot('links');
    assert.equal(await chat.message.inputValue(), 'Fix it & more', 'Refused links change no draft.');
    assert.equal(await agentProcesses(), 0, 'A link starts nothing.');

    // The list of them covers the message.
    await workbench.runCommand('Notifications: Clear All Notifications');
    await chat.message.fill('');
    await chat.send('Hello');
    await chat.untilText(chat.article('Greeter'), 'Hello.');
    await workbench.runCommand('Parley: Copy Link to Session');
    await workbench.page.locator('.statusbar-item', { hasText: 'Copied the link to the session' }).waitFor();
    const copied = await workbench.page.evaluate(() => navigator.clipboard.readText());
    assert.match(copied, /^code-oss:\/\/parley\.parley-acp\/session\/[\w:%-]+$/);
    await workbench.secondarySideBar().getByRole('button', { name: 'New Session' }).first().click();
    await chat.page.getByRole('tab', { selected: true }).getByText('New session').waitFor();
    const own = { Copied: copied };
    await writeFile(workbench.file(file), textOf(own));
    await followLink(stage, own, 'Copied');
    await chat.article('You').filter({ hasText: 'Hello' }).waitFor();
    await workbench.runCommand('Parley: Close Session');
  },
);
