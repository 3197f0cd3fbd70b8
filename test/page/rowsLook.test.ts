import assert from 'node:assert/strict';
import type { SessionView } from '../../src/shared/transcript/transcript';
import { useBrowser, type Chat } from './chat';
import { testLooks, type Look } from './look';
import {
  contentEntries,
  failureEntries,
  noticeEntries,
  noticeOfServers,
  permissionEntries,
  settings,
  stopEntries,
} from './rowSamples';
import { pageWithSession, sessionA, snapshot } from './samples';
import { everything } from './transcriptSamples';

/* The entries of a conversation, and the settings of its session. */

async function show(
  chat: Chat,
  view: Partial<SessionView>,
  entries: Parameters<typeof snapshot>[1] = [],
): Promise<void> {
  await chat.showPage(pageWithSession());
  await chat.showSession(sessionA, snapshot(view, entries));
}

// Outside of high contrast, code hues on changed lines are the theme's own pair, as in the editor.
const isOfTheme: Look['isOfTheme'] = (problem, theme) =>
  theme !== 'highContrast' && /^color-contrast: <(?:span class="tk-|mark)/.test(problem);

testLooks(useBrowser(), [
  {
    name: 'transcript',
    height: 2600,
    widths: [240, 320],
    inTab: true,
    // A terminal's colors are made readable on its background when it is drawn.
    anew: true,
    isOfTheme,
    reach: async (chat) => {
      await chat.showPage(pageWithSession());
      await chat.showSession(sessionA, everything());
      await chat.page.waitForSelector('.pl-term > div > div');
      await chat.page.waitForSelector('.pl-diff .tk-k');
      await chat.page.waitForSelector('.pl-md .tk-k');
      await chat.page.waitForSelector('.pl-perm[data-ready]');
    },
  },
  {
    name: 'entries',
    height: 2200,
    isOfTheme,
    reach: async (chat) => {
      const entries = [...contentEntries, ...failureEntries, ...stopEntries, ...noticeEntries, noticeOfServers];
      await show(chat, { activity: { state: 'running', since: Date.now() } }, entries);
      await chat.button('Show summary').click();
      await chat.page.getByText('the tests come next').waitFor();
      await chat.page.waitForFunction(() => [...document.images].every(({ naturalWidth }) => naturalWidth > 0));
    },
    check: async (chat) => {
      const text = await chat.page.getByRole('article', { name: 'Notice' }).last().innerText();
      const { title, description = '' } = noticeOfServers;
      assert.deepEqual(
        text.split('\n').map((line) => line.trim()),
        [title, ...description.trim().split('\n')],
      );
    },
  },
  {
    name: 'permissions',
    height: 1900,
    isOfTheme,
    reach: async (chat) => {
      await show(chat, { activity: { state: 'requires_action', since: Date.now() } }, permissionEntries);
      await chat.page.waitForSelector('.pl-perm[data-ready]');
      await chat.page.waitForSelector('.pl-diff .tk-k');
    },
  },
  {
    name: 'settings',
    reach: async (chat) => {
      await show(chat, { configOptions: settings });
      await chat.toolkit();
      if (await chat.page.getByRole('dialog', { name: 'More options' }).isVisible()) return;
      await chat.button('Add Context').click();
      await chat.page.getByRole('menuitem', { name: 'More options…' }).click();
    },
  },
]);
