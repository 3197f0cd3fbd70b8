import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inRoot } from '../root.mjs';
import type { Workbench } from '../workbench/workbench.mjs';
import { scenes, type Scene } from './harness';

const agents = { Told: { command: process.execPath, args: [inRoot('test', 'fixtures', 'agents', 'doesAsTold.mjs')] } };
const files = { 'a.txt': 'a' };

const status = ({ page }: Workbench) => page.locator('.part.statusbar [id="parley.parley-acp.parley.status"]');
const toast = ({ page }: Workbench, text: string) => page.locator('.notification-toast:visible', { hasText: text });

let turns = 0;

/** A turn that waits until the test lets it go on. Its file is outside the workspace, so it is no change to review. */
function held({ workbench }: Scene) {
  const file = join(workbench.folder, '..', `go-${++turns}`);
  return { step: { awaits: file }, go: () => writeFile(file, '') };
}

/** A step for which Parley asks, because the file is outside the session's folders. */
const outside = ({ workbench }: Scene) => ({ fs: join(workbench.folder, '..', 'outside.txt'), text: 'a' });

/** Resolves when the question has the focus, and answers it with a key. */
async function answerByKey({ workbench, chat }: Scene, key: string): Promise<void> {
  await chat.permission('Write').and(chat.page.locator(':focus, :focus-within')).waitFor();
  await chat.untilAnswerable('Write');
  await workbench.page.keyboard.press(key);
  await chat.untilIdle();
}

/** Resolves when the tab with this text shows this picture, wherever the editor puts it. */
async function untilIcon({ page }: Workbench, text: string, name: string): Promise<void> {
  await page.waitForFunction(
    (wanted) => {
      const shows = (element: Element) =>
        [null, '::before'].some((part) => getComputedStyle(element, part).backgroundImage.includes(wanted.name));
      return [...document.querySelectorAll('.tabs-container .tab')].some(
        (tab) => tab.textContent.includes(wanted.text) && [...tab.querySelectorAll('*')].some(shows),
      );
    },
    { text, name },
  );
}

scenes(
  { agents, files },
  {
    'a request out of sight is in the status bar, and a click leads to it': async (scene) => {
      const { workbench, chat, openChat, screenshot } = scene;
      const turn = held(scene);
      await openChat();
      await chat.send(JSON.stringify([turn.step, outside(scene)]));
      assert.equal(await status(workbench).isVisible(), false, 'A session in sight has no item.');
      await workbench.showSecondarySideBar(false);
      await status(workbench).filter({ hasText: 'Told is running' }).waitFor();
      await turn.go();
      const item = status(workbench).filter({ hasText: 'Told is waiting for you' });
      await item.waitFor();
      assert.match((await item.getAttribute('class')) ?? '', /warning-kind/);
      await toast(workbench, 'Told is waiting for you').waitFor();
      await screenshot('attention-waiting');
      await item.locator('a').click();
      await answerByKey(scene, '1');
      await status(workbench).waitFor({ state: 'hidden' });
      await workbench.runCommand('Notifications: Clear All Notifications');
    },
    'a tab shows whether its session runs, waits, or has news': async (scene) => {
      const { workbench, chat, openChat, screenshot } = scene;
      const [first, second] = [held(scene), held(scene)];
      const tab = (text: string) => workbench.page.locator('.tabs-container .tab', { hasText: text });
      await openChat();
      await chat.send(JSON.stringify([first.step, outside(scene), second.step]));
      await workbench.runCommand('Parley: Open Chat in Editor');
      await tab('Running: ').waitFor();
      await untilIcon(workbench, 'Running: ', 'running-light.svg');
      await first.go();
      await tab('Waiting for you: ').waitFor();
      await untilIcon(workbench, 'Waiting for you: ', 'waiting-light.svg');
      await screenshot('attention-tab');
      await chat.answer('Write', 'Allow once');
      await workbench.openFile('a.txt');
      await workbench.showSecondarySideBar(false);
      await second.go();
      await tab('Unread: ').waitFor();
      await untilIcon(workbench, 'Unread: ', 'unread-light.svg');
      await tab('Unread: ').click();
      await tab('Unread: ').waitFor({ state: 'detached' });
      await workbench.showSecondarySideBar(true);
    },
    'the view’s badge counts requests while it shows another session': async (scene) => {
      const { workbench, chat, openChat } = scene;
      const turn = held(scene);
      await openChat();
      await chat.send(JSON.stringify([turn.step, outside(scene)]));
      await workbench.secondarySideBar().getByRole('button', { name: 'New Session' }).first().click();
      await chat.page.getByRole('tab', { selected: true }).getByText('New session').waitFor();
      await turn.go();
      const badge = workbench.secondarySideBar().locator('.badge-content', { hasText: /^1$/ });
      await badge.waitFor();
      await workbench.runCommand('Parley: Answer Request');
      await answerByKey(scene, '1');
      await badge.waitFor({ state: 'hidden' });
      await workbench.runCommand('Parley: Close Session');
      await chat.page.getByRole('tab').first().waitFor({ state: 'detached' });
      await workbench.runCommand('Notifications: Clear All Notifications');
    },
  },
);

scenes(
  { agents, files, settings: { 'parley.notifications.turnEnd': 'always' } },
  {
    'a notification out of sight leads to the request, and one in sight isn’t shown': async (scene) => {
      const { workbench, chat, openChat } = scene;
      const [first, second] = [held(scene), held(scene)];
      await openChat();
      await chat.send(JSON.stringify([first.step, outside(scene)]));
      await workbench.showSecondarySideBar(false);
      await first.go();
      const request = toast(workbench, 'Told is waiting for you');
      await request.getByRole('button', { name: 'Show' }).click();
      await answerByKey(scene, '1');
      // That turn ended in sight. The next one doesn't.
      await chat.send(JSON.stringify([second.step]));
      await workbench.showSecondarySideBar(false);
      await second.go();
      const end = toast(workbench, 'Told is done with');
      await end.first().waitFor();
      assert.equal(await end.count(), 1);
      await end.getByRole('button', { name: 'Show' }).click();
      await chat.message.and(chat.page.locator(':focus')).waitFor();
    },
  },
);

scenes(
  { agents, files, settings: { 'parley.notifications.request': 'never', 'parley.notifications.turnEnd': 'always' } },
  {
    'an event that is set to never isn’t told': async (scene) => {
      const { workbench, chat, openChat } = scene;
      const [first, second] = [held(scene), held(scene)];
      await openChat();
      await chat.send(JSON.stringify([first.step, outside(scene), second.step]));
      await workbench.showSecondarySideBar(false);
      await first.go();
      await status(workbench).filter({ hasText: 'Told is waiting for you' }).waitFor();
      await workbench.runCommand('Parley: Answer Request');
      await chat.permission('Write').and(chat.page.locator(':focus, :focus-within')).waitFor();
      await chat.answer('Write', 'Allow once');
      await workbench.showSecondarySideBar(false);
      await second.go();
      // A later event is told, so one of the request would be there by now.
      await toast(workbench, 'Told is done with').waitFor();
      assert.equal(await toast(workbench, 'is waiting for you').count(), 0);
      await workbench.runCommand('Notifications: Clear All Notifications');
      await openChat();
    },
  },
);
