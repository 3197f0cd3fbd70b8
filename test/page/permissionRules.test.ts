import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compact } from '../../src/shared/values/decodeValue';
import type { Freedom } from '../../src/shared/limits/freedom';
import type { RequestKey } from '../../src/shared/values/ids';
import type { ListedRule, RulesShown, WrittenRule } from '../../src/shared/permissions/permissionRules';
import type { PermissionView, ToolCallEntry } from '../../src/shared/transcript/transcript';
import { useBrowser, type Chat } from './chat';
import { testLooks } from './look';
import { listing, pageState, sessionA, snapshot, toolCall, userMessage } from './samples';

const browser = useBrowser();
const request = 'r1' as RequestKey;

function asked(fields: Partial<Extract<PermissionView, { state: 'asked' }>> = {}): PermissionView {
  return {
    state: 'asked',
    request,
    options: [
      { optionId: 'allow', name: 'Allow', kind: 'allow_once' },
      { optionId: 'reject', name: 'Reject', kind: 'reject_once' },
    ],
    takesRules: ['allow_once', 'reject_once'],
    ...fields,
  };
}

async function show(chat: Chat, fields: Partial<ToolCallEntry>, freedom?: Freedom): Promise<void> {
  const session = listing(sessionA, compact({ freedom }));
  await chat.showPage(pageState({ sessions: [session], active: sessionA }));
  const call = toolCall('c', { title: 'Terminal', rawInput: { command: 'npm test -- --run upload' }, ...fields });
  await chat.showSession(sessionA, snapshot({}, [userMessage('u', 'Test it'), call]));
}

const offered: readonly WrittenRule[] = [
  { command: 'npm test *', answer: 'allow_once' },
  { command: 'npm test -- --run upload', answer: 'allow_once' },
];

/** Opens the form for a rule by keyboard, as the host offers these rules. */
async function openForm(chat: Chat, rules = offered): Promise<void> {
  await chat.page.locator('.pl-perm[data-ready]').waitFor();
  await chat.button('More answers').focus();
  await chat.page.keyboard.press('Enter');
  await chat.page.keyboard.press('a');
  await chat.posted('offerRules');
  await chat.receive({ type: 'ruleOffer', request, offer: { state: 'ready', rules } });
}

test('edits and saves a rule in the request without answering it', async () => {
  const chat = await browser.open();
  await show(chat, { permission: asked() });
  await openForm(chat);
  // The form takes the focus, because the user asked for it.
  assert.equal(await chat.page.evaluate(() => document.activeElement?.closest('form.rule') !== null), true);
  const field = chat.page.getByRole('textbox', { name: 'Command', exact: true });
  assert.equal(await field.inputValue(), 'npm test *');
  await field.fill('npm test -- --run 1');
  await field.press('2');
  assert.equal(
    (await chat.allPosted()).some(({ type }) => type === 'answerPermission'),
    false,
  );
  await chat.page.getByLabel('Applies to').selectOption('workspace');
  await chat.page.getByText('Allows commands that match “npm test -- --run 12”. Stored in VS Code').waitFor();
  await field.press('Enter');
  const [saved] = await chat.posted('saveRule');
  assert.deepEqual(saved, {
    type: 'saveRule',
    session: sessionA,
    request,
    scope: 'workspace',
    rule: { command: 'npm test -- --run 12', answer: 'allow_once' },
  });
  // A refused rule stays as it was typed, with a sentence.
  await chat.receive({ type: 'ruleProblem', request, sentence: 'Enter a pattern.' });
  await chat.page.getByRole('alert').filter({ hasText: 'Enter a pattern.' }).waitFor();
  assert.equal(await field.inputValue(), 'npm test -- --run 12');
  assert.equal(await field.getAttribute('aria-invalid'), 'true');
  // Escape leaves only the form, and returns to its button.
  await field.press('Escape');
  assert.equal(await chat.button('More answers').evaluate((button) => button === document.activeElement), true);
  assert.equal(
    (await chat.allPosted()).some(({ type }) => type === 'answerPermission'),
    false,
  );
  assert.deepEqual(await chat.violations(), []);
  await chat.close();
});

test('the form begins with the best rule, and can save it', async () => {
  const chat = await browser.open({ width: 290 });
  await show(chat, { permission: asked() });
  await openForm(chat);
  assert.equal(await chat.page.locator('.pl-perm .opts').count(), 0, 'The form stands in place of the buttons.');
  // Keys answer nothing while no button shows what they do.
  await chat.message.focus();
  await chat.page.keyboard.press('Control+Enter');
  await chat.button('Allow and remember').click();
  assert.deepEqual(await chat.posted('saveRule'), [
    { type: 'saveRule', session: sessionA, request, rule: offered[0], scope: 'workspace' },
  ]);
  assert.ok(!(await chat.allPosted()).some(({ type }) => type === 'answerPermission'));
  await chat.receive({ type: 'ruleProblem', request, sentence: 'Another rule wins.' });
  await chat.page.getByRole('alert').filter({ hasText: 'Another rule wins.' }).waitFor();
  await chat.button('Back').click();
  await chat.button('More answers').click();
  await chat.page.getByRole('menuitem', { name: 'Always reject…', exact: true }).click();
  await chat.receive({
    type: 'ruleOffer',
    request,
    offer: { state: 'ready', rules: [{ command: 'npm test *', answer: 'reject_once' }] },
  });
  await chat.button('Reject and remember').waitFor();
  await chat.close();
});

test("says that an agent's own lasting option is the agent's", async () => {
  const chat = await browser.open({ width: 420 });
  const options = [
    { optionId: 'always', name: 'Always Allow', kind: 'allow_always' },
    { optionId: 'allow', name: 'Allow', kind: 'allow_once' },
  ] as const;
  await show(chat, { permission: asked({ options }) });
  await chat.button('More answers').click();
  const own = chat.page.getByRole('menuitem', { name: 'Always Allow', exact: true });
  assert.match(await own.innerText(), /Always Allow\s*Claude remembers/);
  assert.equal(await own.getAttribute('aria-description'), 'Claude remembers');
  await chat.close();
});

test('an option that starts a mode is not said to be remembered', async () => {
  const chat = await browser.open({ width: 420 });
  const options = [
    { optionId: 'auto', name: 'Yes, and accept edits', kind: 'allow_always' },
    { optionId: 'allow', name: 'Yes', kind: 'allow_once' },
  ] as const;
  await show(chat, { toolKind: 'switch_mode', permission: asked({ options }) });
  await chat.button('More answers').click();
  const starts = chat.page.getByRole('menuitem', { name: 'Yes, and accept edits', exact: true });
  assert.doesNotMatch(await starts.innerText(), /remembers/);
  assert.equal(await starts.getAttribute('aria-description'), null);
  await chat.close();
});

test('shows why no rule can allow a request', async () => {
  const chat = await browser.open();
  await show(chat, { permission: asked() });
  await chat.page.locator('.pl-perm[data-ready]').waitFor();
  await chat.button('More answers').click();
  await chat.page.getByRole('menuitem', { name: 'Always allow…' }).click();
  await chat.receive({ type: 'ruleOffer', request, offer: { state: 'none', reason: 'No rule can allow this.' } });
  await chat.page.getByText('No rule can allow this.').waitFor();
  await chat.button('Back').click();
  await chat.button('More answers').waitFor();
  await chat.close();
});

test("recommends no option for destructive requests, and offers Parley's no rules", async () => {
  const chat = await browser.open();
  await show(chat, { permission: asked() });
  assert.equal(await chat.page.locator('.pl-perm .btn.primary').count(), 1);
  await show(chat, {
    permission: asked({ request: 'r2' as RequestKey, risks: [{ kind: 'deletes', command: 'rm -rf a' }] }),
  });
  await chat.page.getByText('Deletes folders or many files: rm -rf a').waitFor();
  const both = [
    { kind: 'deletes', command: 'rm -rf ~/.config' },
    { kind: 'discards', command: 'git clean -fdx' },
  ] as const;
  await show(chat, { permission: asked({ request: 'r4' as RequestKey, risks: both, takesRules: ['reject_once'] }) });
  await chat.page.getByText('git clean -fdx').waitFor();
  assert.deepEqual(
    (await chat.page.locator('.pl-perm .risk').allInnerTexts()).map((line) => line.replace(/^.*: /, '')),
    ['rm -rf ~/.config', 'git clean -fdx'],
  );
  await chat.button('More answers').click();
  assert.deepEqual(
    (await chat.page.getByRole('menuitem').allInnerTexts()).map((text) => text.split('\n')[0]),
    ['Always reject…', 'Reject with a reason…'],
  );
  await chat.page.keyboard.press('Escape');
  assert.equal(await chat.page.locator('.pl-perm .btn.primary').count(), 0);
  const { takesRules, ...own } = asked({ request: 'r3' as RequestKey }) as Extract<PermissionView, { state: 'asked' }>;
  assert.deepEqual(takesRules, ['allow_once', 'reject_once']);
  await show(chat, { permission: own });
  await chat.button('More answers').click();
  assert.equal(await chat.page.getByRole('menuitem', { name: 'Always' }).count(), 0);
  await chat.close();
});

test('a call links to its rule, and a click disables everything-mode', async () => {
  const chat = await browser.open();
  const option = { optionId: 'allow', name: 'Allow', kind: 'allow_once' } as const;
  const answered = { state: 'answered', option, by: 'rule', rule: 'npm test *', ruleId: 'user:1' } as const;
  await show(chat, { permission: answered, status: 'failed' }, 'everything');
  await chat.button('Show rule').click();
  assert.deepEqual(await chat.posted('showRule'), [{ type: 'showRule', id: 'user:1' }]);
  await chat.page.getByText('Claude is allowed everything in this session').waitFor();
  await chat.button('Turn off').click();
  assert.deepEqual(await chat.posted('allowEverything'), [{ type: 'allowEverything', session: sessionA, isOn: false }]);
  await chat.close();
});

test('a session that works freely says so without a warning', async () => {
  const chat = await browser.open();
  const option = { optionId: 'allow', name: 'Allow', kind: 'allow_once' } as const;
  await show(chat, { permission: { state: 'answered', option, by: 'inSandbox' }, status: 'failed' }, 'inSandbox');
  await chat.page.getByText('Allowed because it stays inside the sandbox').waitFor();
  const strip = chat.page.getByRole('region', { name: 'Sandbox' });
  await strip.getByText('Claude works freely inside its sandbox').waitFor();
  assert.equal(await chat.page.getByRole('region', { name: 'Warning' }).count(), 0);
  await strip.getByRole('button', { name: 'Turn off' }).click();
  assert.deepEqual(await chat.posted('allowEverything'), [{ type: 'allowEverything', session: sessionA, isOn: false }]);
  await chat.close();
});

const listed: readonly ListedRule[] = [
  { id: 'policy:1', scope: 'policy', rule: { command: 'git push *', answer: 'reject_once' } },
  {
    id: 'session:1',
    scope: 'session',
    session: { key: sessionA, title: 'Retry flaky uploads' },
    rule: { kind: 'edit', path: 'src/**', answer: 'allow_once' },
    lastAnswer: { at: Date.UTC(2026, 10, 25, 9), agent: 'Claude', kind: 'edit' },
  },
  { id: 'workspaceSettings:1', scope: 'workspaceSettings', rule: { mcpServer: 'lab', answer: 'ask' } },
  { id: 'user:1', scope: 'user', rule: { command: 'npm test *', answer: 'allow_once' } },
  { id: 'user:2', scope: 'user', rule: { command: 'cat *', answer: 'allow_once' } },
  {
    id: 'user:3',
    scope: 'user',
    problem: { text: '{"command":1}', sentence: 'This rule can’t be read, so Parley asks about every request.' },
  },
];

const shown = (fields: Partial<RulesShown> = {}): RulesShown => ({
  rules: listed,
  notes: [],
  session: { key: sessionA, title: 'Retry flaky uploads' },
  canUndo: false,
  locale: 'en',
  ...fields,
});

/** The messages of the page, of which the first two say that it is ready. */
const postedBy = (chat: Chat) =>
  chat.page.evaluate(() => window.fakeHost.posted as unknown as readonly { readonly type: string }[]);

test('the page lists, edits, moves, and deletes rules, focusing one', async () => {
  const chat = await browser.open({ page: 'parley', host: 'editor' });
  await chat.receive({ type: 'tab', tab: 'rules' });
  await chat.receive({ type: 'rules', shown: shown() });
  assert.equal(await chat.page.getByRole('listitem').count(), 6);
  await chat.receive({ type: 'focusRule', id: 'user:1' });
  assert.equal(await chat.page.evaluate(() => document.activeElement?.getAttribute('data-rule')), 'user:1');
  const name = 'Allows commands that match “npm test *”';
  // Only rules that the user owns can be changed here.
  assert.equal(await chat.page.getByRole('button', { name: /^Delete: / }).count(), 4);
  await chat.button(`Move down: ${name}`).click();
  await chat.button(`Edit: ${name}`).click();
  await chat.page.getByRole('textbox', { name: 'Command', exact: true }).fill('npm run lint');
  await chat.page.getByLabel('Applies to').selectOption('session');
  await chat.button('Save').click();
  await chat.receive({ type: 'ruleSaved', id: 'user:1', problem: 'Couldn’t save the rule: the disk is full' });
  await chat.page.getByText('Couldn’t save the rule: the disk is full').waitFor();
  assert.equal(await chat.page.getByRole('textbox', { name: 'Command', exact: true }).inputValue(), 'npm run lint');
  await chat.receive({ type: 'ruleSaved', id: 'user:1' });
  await chat.button(`Delete: ${name}`).click();
  await chat.receive({ type: 'rules', shown: shown({ rules: listed.slice(0, 3), canUndo: true }) });
  await chat.button('Undo').click();
  assert.deepEqual((await postedBy(chat)).slice(2), [
    { type: 'moveRule', id: 'user:1', by: 1 },
    { type: 'saveRule', id: 'user:1', scope: 'session', rule: { command: 'npm run lint', answer: 'allow_once' } },
    { type: 'deleteRule', id: 'user:1' },
    { type: 'undoDelete' },
  ]);
  // The focus of a deleted rule isn't lost.
  await chat.receive({ type: 'rules', shown: shown({ rules: [] }) });
  await chat.page.getByText('There are no rules yet.').waitFor();
  assert.deepEqual(chat.errors, []);
  await chat.close();
});

test('shows an example to someone without rules, to start from', async () => {
  const chat = await browser.open({ page: 'parley', host: 'editor' });
  await chat.receive({ type: 'tab', tab: 'rules' });
  await chat.receive({ type: 'rules', shown: shown({ rules: [] }) });
  const example = chat.page.getByRole('region', { name: 'Example' });
  await example.getByText('Allows commands that match “npm test *”').waitFor();
  assert.equal(await chat.page.getByRole('listitem').count(), 0);
  await example.getByRole('button', { name: 'Start from this example' }).click();
  assert.equal(await example.count(), 0);
  assert.equal(await chat.page.evaluate(() => document.activeElement?.id), 'edit-answer');
  await chat.page.getByRole('textbox', { name: 'Command', exact: true }).fill('');
  await chat.page.getByRole('textbox', { name: 'Host', exact: true }).fill('example.com');
  await chat.button('Save').click();
  assert.deepEqual((await postedBy(chat)).slice(2), [
    { type: 'saveRule', id: '', scope: 'workspace', rule: { host: 'example.com', answer: 'allow_once' } },
  ]);
  await chat.receive({ type: 'ruleSaved', id: '' });
  await chat.receive({ type: 'rules', shown: shown() });
  assert.equal(await example.count(), 0);
  await chat.close();
});

const widths = [290, 1200];
testLooks(browser, [
  {
    name: 'rule-question',
    widths,
    reach: async (chat) => {
      const risk = { kind: 'deletes', command: 'rm -rf node_modules' } as const;
      await show(
        chat,
        { rawInput: { command: 'rm -rf node_modules' }, permission: asked({ risks: [risk] }) },
        'everything',
      );
    },
  },
  {
    name: 'rule-form',
    widths,
    reach: async (chat) => {
      await show(chat, { permission: asked() });
      await openForm(chat);
      await chat.receive({ type: 'ruleProblem', request, sentence: 'This rule doesn’t cover the request above.' });
    },
  },
  {
    name: 'rules-page',
    page: 'parley',
    height: 1100,
    widths,
    reach: async (chat) => {
      await chat.receive({ type: 'tab', tab: 'rules' });
      const notes = ['Your organization doesn’t permit allowing everything.'];
      await chat.receive({ type: 'rules', shown: shown({ notes, canUndo: true }) });
      await chat.receive({ type: 'focusRule', id: 'user:1' });
    },
  },
  {
    name: 'rules-example',
    page: 'parley',
    widths,
    reach: async (chat) => {
      await chat.receive({ type: 'tab', tab: 'rules' });
      await chat.receive({ type: 'rules', shown: shown({ rules: [] }) });
    },
  },
  {
    name: 'rules-add',
    page: 'parley',
    height: 1100,
    widths,
    reach: async (chat) => {
      await chat.receive({ type: 'tab', tab: 'rules' });
      await chat.receive({ type: 'rules', shown: shown({ rules: [] }) });
      await chat.button('Add rule').click();
    },
  },
]);
