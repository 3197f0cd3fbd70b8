import assert from 'node:assert/strict';
import { appendFileSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inRoot } from '../root.mjs';
import type { Workbench } from '../workbench/workbench.mjs';
import { Chat } from './chat';
import { scenes } from './harness';

const agents = { Told: { command: process.execPath, args: [inRoot('test', 'fixtures', 'agents', 'doesAsTold.mjs')] } };

const status = (workbench: Workbench) =>
  workbench.page.locator('.part.statusbar [id="parley.parley-acp.parley.status"]');
const toasts = (workbench: Workbench) => workbench.page.locator('.notification-toast:visible');

/** A prompt that waits for the file `go` and then asks for a file outside the session's folder. */
const asks = (workbench: Workbench) =>
  JSON.stringify([{ awaits: workbench.file('go') }, { fs: join(workbench.folder, '..', 'outside.txt'), text: 'a' }]);
/** A prompt that ends when the file `go` is there. */
const ends = (workbench: Workbench) => JSON.stringify([{ awaits: workbench.file('go') }]);
const go = (workbench: Workbench) => writeFile(workbench.file('go'), '');

scenes(
  { agents, files: { 'a.txt': 'a' } },
  {
    'what the web allows': async ({ workbench, chat, openChat }) => {
      await openChat();
      await chat.message.click();
      const frame = await workbench.chatFrame();
      const look = () =>
        frame.evaluate(async () => ({
          permission: Notification.permission,
          asked: await Promise.race([
            Notification.requestPermission(),
            new Promise((done) => setTimeout(() => done('no answer'), 3000)),
          ]),
          active: navigator.userActivation.hasBeenActive,
          audio: await (async () => {
            const audio = new AudioContext();
            await Promise.race([audio.resume(), new Promise((done) => setTimeout(done, 1000))]);
            return audio.state;
          })(),
          made: (() => {
            try {
              return String(new Notification('x'));
            } catch (error) {
              return String(error);
            }
          })(),
          allow: (
            document as unknown as { featurePolicy?: { allowedFeatures(): string[] } }
          ).featurePolicy?.allowedFeatures(),
        }));
      writeFileSync('/tmp/measured-attention.txt', JSON.stringify(await look()) + '\n');
      appendFileSync(
        '/tmp/measured-attention.txt',
        JSON.stringify(await workbench.page.evaluate(() => Notification.permission)),
      );
      await workbench.page.context().grantPermissions(['notifications']);
      appendFileSync('/tmp/measured-attention.txt', JSON.stringify(await look()) + '\n');
    },
    'a request out of sight is in the status bar, and a click leads to it': async ({
      workbench,
      chat,
      openChat,
      screenshot,
    }) => {
      await openChat();
      await chat.send(asks(workbench));
      assert.equal(await status(workbench).isVisible(), false, 'Nothing tells of a session in sight.');
      await workbench.showSecondarySideBar(false);
      await status(workbench).filter({ hasText: 'Told is running' }).waitFor();
      await go(workbench);
      const item = status(workbench).filter({ hasText: 'Told is waiting for you' });
      await item.waitFor();
      assert.match((await item.getAttribute('class')) ?? '', /has-background-color|warning-kind/);
      await toasts(workbench).filter({ hasText: 'Told is waiting for you' }).waitFor();
      await screenshot('attention-waiting');
      await item.locator('a').click();
      const question = chat.permission();
      await question.and(chat.page.locator(':focus, :focus-within')).waitFor();
      await status(workbench).waitFor({ state: 'hidden' });
      await chat.untilAnswerable('Write');
      await workbench.page.keyboard.press('4');
      await chat.untilIdle();
    },
  },
);
void Chat;
void ends;
