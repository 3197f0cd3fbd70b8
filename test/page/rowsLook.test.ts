import type { SessionView } from '../../src/shared/transcript';
import { useBrowser, type Chat } from './chat';
import { testLooks, type Look } from './look';
import {
  contentEntries,
  failureEntries,
  noticeEntries,
  permissionEntries,
  plans,
  settings,
  stopEntries,
} from './rowSamples';
import { pageWithSession, sessionA, snapshot } from './samples';

/* What rows of the protocol's checklist show and no other picture does. */

const running = { activity: { state: 'running', since: Date.now() } } as const;
const asked = { activity: { state: 'requires_action', since: Date.now() } } as const;

async function show(
  chat: Chat,
  view: Partial<SessionView>,
  entries: Parameters<typeof snapshot>[1] = [],
): Promise<void> {
  await chat.showPage(pageWithSession());
  await chat.showSession(sessionA, snapshot(view, entries));
}

const themed = { themed: [420] };
// Outside of high contrast, code hues on changed lines are the theme's own pair, as in the editor.
const isOfTheme: Look['isOfTheme'] = (problem, theme) =>
  theme !== 'highContrast' && /^color-contrast: <(?:span class="tk-|mark)/.test(problem);

testLooks(useBrowser(), [
  {
    ...themed,
    name: 'content',
    isOfTheme,
    reach: async (chat) => {
      await show(chat, {}, contentEntries);
      await chat.page.waitForFunction(() => [...document.images].every(({ naturalWidth }) => naturalWidth > 0));
    },
  },
  { ...themed, name: 'failures', height: 1100, reach: (chat) => show(chat, {}, failureEntries) },
  { ...themed, name: 'stops', reach: (chat) => show(chat, {}, stopEntries) },
  {
    ...themed,
    name: 'notices',
    reach: async (chat) => {
      await show(chat, running, noticeEntries);
      await chat.button('Show summary').click();
      await chat.page.getByText('the tests come next').waitFor();
    },
  },
  {
    ...themed,
    name: 'plans',
    reach: async (chat) => {
      await show(chat, { ...running, plans });
      for (const name of [/^Plan(?! \d)/, /^Plan 2/]) await chat.page.getByRole('button', { name }).click();
    },
  },
  {
    ...themed,
    name: 'settings',
    reach: async (chat) => {
      await show(chat, { configOptions: settings });
      await chat.toolkit();
      if (await chat.button('More options').isVisible()) await chat.button('More options').click();
    },
  },
  {
    ...themed,
    name: 'choices',
    widths: [420],
    reach: async (chat) => {
      await show(chat, { configOptions: settings });
      await chat.toolkit();
      await chat.page.getByRole('combobox', { name: 'Model', exact: true }).click();
    },
  },
  {
    ...themed,
    name: 'permissions',
    height: 1900,
    isOfTheme,
    reach: async (chat) => {
      await show(chat, asked, permissionEntries);
      await chat.page.waitForSelector('.pl-perm[data-ready]');
      await chat.page.waitForSelector('.pl-diff .tk-k');
    },
  },
  {
    ...themed,
    name: 'queue',
    reach: async (chat) => {
      const link = { type: 'resource_link', uri: 'file:///w/a.ts', name: 'a.ts' } as const;
      const queue = [
        { id: 'q1', text: 'Also remove moment-timezone' },
        { id: 'q2', text: 'Then open a draft pull request', attachments: [link] },
      ];
      await show(chat, { ...running, canSteer: true, queue });
    },
    again: (chat) => chat.page.getByRole('list', { name: 'Queue' }).getByRole('listitem').nth(1).hover(),
  },
]);
