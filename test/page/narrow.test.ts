import { test } from 'node:test';
import assert from 'node:assert/strict';
import { useBrowser, type Chat } from './chat';
import { testLooks, type Look } from './look';
import { askingForCommand, askingForEdit, longName, manyOptions, otherSessions, showCrowd } from './narrowSamples';
import { agentMessage, changedFile, pageWithSession, sessionA, snapshot, userMessage } from './samples';

/* The page at the width at which VS Code opens the side bar, about 290 px, and in short panels. */

const browser = useBrowser();
const narrow = { width: 290, height: 700 };

/** Colors of code on changed lines are the theme's own, as in the editor. */
const isOfTheme: Look['isOfTheme'] = (problem) => problem.startsWith('color-contrast: <span class="tk-');

testLooks(browser, [
  { name: 'narrow-busy', widths: [240, 290, 1200], reach: (chat) => showCrowd(chat) },
  { name: 'narrow-edit', widths: [240, 290, 1200], isOfTheme, reach: (chat) => showCrowd(chat, [askingForEdit]) },
  { name: 'narrow-command', widths: [240, 290], height: 600, reach: (chat) => showCrowd(chat, [askingForCommand]) },
  { name: 'narrow-450', widths: [290], height: 450, isOfTheme, reach: (chat) => showCrowd(chat, [askingForEdit]) },
  { name: 'narrow-300', widths: [290], height: 300, reach: (chat) => showCrowd(chat) },
  {
    name: 'narrow-options',
    widths: [240, 290],
    height: 500,
    reach: (chat) => showCrowd(chat),
    again: (chat) => openMenu(chat),
  },
  {
    name: 'narrow-modes',
    widths: [240, 290],
    height: 500,
    reach: (chat) => showCrowd(chat),
    again: async (chat) => {
      if ((await chat.page.getByRole('listbox', { name: 'Mode' }).count()) === 0) await picker(chat, 'Mode').click();
    },
  },
  {
    name: 'narrow-sessions',
    widths: [240, 290],
    height: 500,
    reach: (chat) => showCrowd(chat),
    again: async (chat) => {
      if ((await sessions(chat).count()) === 0) await all(chat).click();
    },
  },
]);

const picker = (chat: Chat, name: string) => chat.page.getByRole('combobox', { name, exact: true });
const more = (chat: Chat) => chat.button('More options');
const menu = (chat: Chat) => chat.page.getByRole('dialog', { name: 'More options' });
const all = (chat: Chat) => chat.page.getByRole('button', { name: /^All \d+ sessions/ });
const sessions = (chat: Chat) => chat.page.getByRole('listbox', { name: 'Sessions' });

async function openMenu(chat: Chat): Promise<void> {
  if ((await menu(chat).count()) === 0) await more(chat).click();
}

async function box(chat: Chat, selector: string): Promise<DOMRect> {
  return chat.page.locator(selector).first().evaluate((element) => element.getBoundingClientRect().toJSON() as DOMRect);
}

void [test, assert, longName, manyOptions, otherSessions, agentMessage, changedFile, pageWithSession, sessionA, snapshot, userMessage, narrow, box];
