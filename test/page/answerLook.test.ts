import assert from 'node:assert/strict';
import type { EntryId, RequestKey, TerminalId, ToolCallId } from '../../src/shared/values/ids';
import type { Entry, PermissionView, TerminalView } from '../../src/shared/transcript/transcript';
import { useBrowser, type Chat } from './chat';
import { testLooks, type Look } from './look';
import { pageWithSession, sessionA, snapshot, toolCall, userMessage } from './samples';

/* What a user answers with more than a button, and what runs after a turn. */

const options = [
  { optionId: 'allow', name: 'Allow', kind: 'allow_once' },
  { optionId: 'always', name: 'Always allow edits in this session', kind: 'allow_always' },
  { optionId: 'reject', name: 'Reject', kind: 'reject_once' },
] as const;
const request = 'r1' as RequestKey;
const asked = (fields: object): PermissionView => ({ state: 'asked', request, options, takesEdit: true, ...fields });
const diff = {
  type: 'diff',
  path: '/home/me/harbor/src/upload/retry.ts',
  oldText: 'const limit = 3;\n',
  newText: 'const limit = 5;\n',
} as const;
const edit = (permission: PermissionView) =>
  toolCall('e', { title: 'Edit', toolKind: 'edit', content: [diff], permission });
const text = '# Plan\n\n1. Read the upload client\n2. Put the retry in one place\n3. Test it with a slow server\n';
const plan = (permission: PermissionView) =>
  toolCall('p', {
    title: 'Ready to code?',
    toolKind: 'switch_mode',
    content: [{ type: 'content', content: { type: 'text', text } }],
    permission,
  });

/** Colors of code on changed lines are the theme's own, as in the editor. */
const isOfTheme: Look['isOfTheme'] = (problem) => problem.startsWith('color-contrast: <span class="tk-');
const widths = [240, 290, 1200];

async function show(chat: Chat, entries: readonly Entry[], isAsked = true): Promise<void> {
  await chat.showPage(pageWithSession());
  const activity = isAsked ? ({ state: 'requires_action', since: Date.now() } as const) : ({ state: 'idle' } as const);
  await chat.showSession(sessionA, snapshot({ activity }, [userMessage('u', 'Add a retry', 1), ...entries]));
  if (isAsked) await chat.page.locator('.pl-perm[data-keyed][data-ready]').waitFor();
}

const givenUp: Entry = {
  kind: 'notice',
  id: 'n' as EntryId,
  turn: 1,
  severity: 'warning',
  title: '“npm test -- --run upload” still fails',
  description: 'The agent was told 2 times, and isn’t told again. Send a message to continue.',
};

function failedTests(command: string): TerminalView {
  return {
    terminalId: 't1' as TerminalId,
    driver: 'pty',
    command,
    cwd: '/home/me/harbor',
    output: '> harbor@1.4.0 test\r\n> vitest --run upload\r\n\r\n FAIL  retry.test.ts > gives up after five tries\r\n',
    hidden: 0,
    startedAt: 1000,
    exit: { state: 'exited', exitCode: 1, endedAt: 13_000 },
  };
}

testLooks(useBrowser(), [
  { name: 'answer-edit', widths, isOfTheme, reach: (chat) => show(chat, [edit(asked({}))]) },
  {
    name: 'answer-menu',
    widths,
    isOfTheme,
    reach: async (chat) => {
      await show(chat, [edit(asked({ takesRules: ['allow_once', 'reject_once'] }))]);
      const rule = { kind: 'edit', path: 'src/upload/**', answer: 'allow_once' } as const;
      await chat.receive({ type: 'ruleOffer', request, offer: { state: 'ready', rules: [rule] } });
    },
    // A resize closes it.
    again: async (chat) => {
      await chat.button('More answers').click();
      await chat.page.getByRole('menuitem', { name: 'Always allow…', exact: true }).waitFor();
    },
    check: async ({ page }, width) => {
      const [menu, diff] = [await page.locator('.pl-menu').boundingBox(), await page.locator('.pl-diff').boundingBox()];
      assert.ok(menu && diff && menu.y >= diff.y + diff.height, `at ${width} px, the menu covers the change`);
      assert.ok(menu.x >= 0 && menu.x + menu.width <= width, `at ${width} px, the menu is cut`);
    },
  },
  {
    name: 'answer-words',
    widths,
    isOfTheme,
    reach: async (chat) => {
      await show(chat, [edit(asked({}))]);
      await chat.message.fill('Use the retry of the client instead.');
      await chat.button('Reject and send message').waitFor();
    },
  },
  {
    name: 'answer-edited',
    widths,
    isOfTheme,
    reach: (chat) => show(chat, [edit(asked({ isEdited: true, hasUnsaved: true }))]),
  },
  { name: 'answer-plan', widths, reach: (chat) => show(chat, [plan(asked({}))]) },
  { name: 'answer-plan-edited', widths, reach: (chat) => show(chat, [plan(asked({ isEdited: true }))]) },
  {
    name: 'answer-given',
    widths,
    isOfTheme,
    reach: (chat) => {
      const reply = 'Use the retry of the client instead, and test it with a server that answers slowly.';
      const rejected: PermissionView = { state: 'answered', option: options[2], by: 'you', reply };
      const allowed: PermissionView = { state: 'answered', option: options[0], by: 'you', isEdited: true };
      const done = {
        ...edit(allowed),
        id: 'e2' as EntryId,
        toolCallId: 'e2' as ToolCallId,
        status: 'completed',
      } as const;
      return show(chat, [{ ...edit(rejected), status: 'failed' }, done], false);
    },
  },
  {
    name: 'after-turn',
    widths,
    anew: true,
    reach: async (chat) => {
      await chat.showPage(pageWithSession());
      const command = 'npm test -- --run upload';
      const title = `After the turn: ${command}`;
      const content = [{ type: 'terminal', terminalId: 't1' as TerminalId }] as const;
      const check = toolCall('c', {
        toolCallId: 'parley:7' as ToolCallId,
        title,
        toolKind: 'execute',
        status: 'failed',
        content,
        startedAt: 1000,
        endedAt: 13_000,
      });
      const shown = snapshot({ activity: { state: 'idle' } }, [userMessage('u', 'Add a retry', 1), check, givenUp]);
      await chat.showSession(sessionA, { ...shown, terminals: [failedTests(command)] });
      await chat.page.waitForSelector('.pl-term > div > div');
    },
    check: async (chat, width) => {
      const isCut = await chat.page
        .locator('.pl-tool .lbl .o')
        .first()
        .evaluate((one) => one.scrollWidth > one.clientWidth);
      assert.ok(!isCut, `at ${width} px, the command is cut`);
    },
  },
  {
    name: 'scheduled',
    widths,
    reach: async (chat) => {
      await chat.showPage(pageWithSession());
      // A time with many letters in words.
      const at = new Date(new Date().getFullYear() + 1, 8, 23, 22, 21).getTime();
      const scheduled = { text: 'How do we retry?', at };
      await chat.showSession(sessionA, snapshot({ scheduled }, [userMessage('u', 'Add a retry', 1)]));
    },
  },
]);
