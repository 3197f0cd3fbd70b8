import { test } from 'node:test';
import assert from 'node:assert/strict';
import type { EntryId, RequestKey, TerminalId } from '../../src/shared/values/ids';
import type { TranscriptOp, TranscriptSnapshot } from '../../src/shared/transcript/ops';
import type { Entry } from '../../src/shared/transcript/transcript';
import { useBrowser, type Chat, type ChatOptions } from './chat';
import { agentMessage, asking, pageWithSession, sessionA, snapshot, toolCall, userMessage } from './samples';
import { edit, read, richMarkdown, terminal } from './transcriptSamples';

const browser = useBrowser();

async function open(entries: readonly Entry[], options: ChatOptions & Partial<TranscriptSnapshot> = {}): Promise<Chat> {
  const { terminals = [], omitted = 0, view, ...rest } = options;
  const chat = await browser.open(rest);
  await chat.showPage(pageWithSession());
  const base = snapshot({ activity: { state: 'running', since: Date.now() } }, entries);
  await chat.showSession(sessionA, { ...base, terminals, omitted, ...(view ? { view } : {}) });
  return chat;
}

const article = (chat: Chat, name: string) => chat.page.getByRole('article', { name, exact: true });
const feedText = (chat: Chat) => chat.page.locator('.pl-feed').innerText();

test('renders a streamed message the same as a complete one', async () => {
  const whole = await open([userMessage('u', 'Go'), agentMessage('m', richMarkdown)]);
  await whole.page.waitForSelector('.pl-md-group >> text=a chart');
  const growing = await open([userMessage('u', 'Go'), agentMessage('m', '')]);
  let rev = 0;
  for (let at = 0; at < richMarkdown.length; at += 7) {
    const text = richMarkdown.slice(at, at + 7);
    await growing.apply(sessionA, rev++, [{ op: 'appendText', id: 'm' as EntryId, block: 0, text }]);
  }
  const end: TranscriptOp = { op: 'view', fields: { activity: { state: 'idle' } } };
  await growing.apply(sessionA, rev, [end]);
  await whole.apply(sessionA, 0, [end]);
  const read = async (chat: Chat) => {
    await chat.page.waitForFunction(
      () => document.querySelector('code .tk-k') && !document.querySelector('.pl-code code:not([data-done])'),
    );
    // How blocks are grouped is no business of the reader's.
    return chat.page.$$eval('.pl-md-group:not(:empty)', (groups) => groups.map((group) => group.textContent).join(''));
  };
  assert.equal(await read(growing), await read(whole));
  await whole.close();
  await growing.close();
});

test("continues an agent's sentence after its turn until it pauses", async () => {
  const chat = await open([userMessage('u', 'Go'), agentMessage('m', '')]);
  let rev = 0;
  const say = (text: string) => chat.apply(sessionA, rev++, [{ op: 'appendText', id: 'm' as EntryId, block: 0, text }]);
  await say('This goes');
  await chat.apply(sessionA, rev++, [{ op: 'view', fields: { activity: { state: 'idle' } } }]);
  await chat.page.waitForFunction(() =>
    document.querySelector('.pl-md-group:not(.live)')?.textContent.includes('goes'),
  );
  for (const text of [' on in', ' one *sen', 'tence*', ' until', ' its end.']) await say(text);
  const finished = chat.page.locator('.pl-md-group:not(.live) p');
  await finished.filter({ hasText: 'its end.' }).waitFor();
  assert.deepEqual(await finished.allInnerTexts(), ['This goes on in one sentence until its end.']);
  await chat.close();
});

test('sends links only to the host and loads no remote images', async () => {
  const text = `${richMarkdown}\n[run](command:workbench.action.quit) [js](javascript:alert(1)) <img src=x onerror=alert(1)> file:///etc/hosts`;
  const chat = await open([userMessage('u', 'Go'), agentMessage('m', text)]);
  const requests: string[] = [];
  const { origin } = new URL(chat.page.url());
  chat.page.on('request', (request) => {
    if (!request.url().startsWith(origin)) requests.push(request.url());
  });
  await chat.page.getByRole('link', { name: 'client.ts:41' }).click();
  await chat.page.getByRole('link', { name: 'https://example.com/retry' }).click();
  await chat.page.getByRole('link', { name: 'a chart' }).press('Enter');
  assert.deepEqual(await chat.posted('openLocation'), [
    { type: 'openLocation', session: sessionA, path: 'src/upload/client.ts', line: 41 },
  ]);
  assert.deepEqual(await chat.posted('openLink'), [
    { type: 'openLink', href: 'https://example.com/retry' },
    { type: 'openLink', href: 'https://example.com/chart.png' },
  ]);
  assert.deepEqual(requests, []);
  assert.equal(await chat.page.locator('.pl-feed a[href], .pl-feed img').count(), 0);
  assert.equal(await chat.page.getByRole('link', { name: 'run' }).count(), 0);
  assert.match(await feedText(chat), /<img src=x onerror=alert\(1\)>/);
  assert.deepEqual(await chat.violations(), []);
  await chat.close();
});

test('copies a code block that is still streaming in', async () => {
  const chat = await open([userMessage('u', 'Go'), agentMessage('m', 'Look:\n\n```ts\nconst a = 1;\nconst b')]);
  await chat.button('Copy').last().click();
  await chat.apply(sessionA, 0, [{ op: 'appendText', id: 'm' as EntryId, block: 0, text: ' = 2;\n```\n' }]);
  await chat.button('Insert at cursor').click();
  assert.equal((await chat.posted('copyText'))[0]?.text, 'const a = 1;\nconst b');
  assert.match((await chat.posted('insertAtCursor'))[0]?.text ?? '', /^const a = 1;\nconst b = 2;\n?$/);
  await chat.close();
});

test('colors code in a language that few use', async () => {
  const chat = await open([userMessage('u', 'Go'), agentMessage('m', '```haskell\nmodule Basket where\n```\n')]);
  await chat.apply(sessionA, 0, [{ op: 'view', fields: { activity: { state: 'idle' } } }]);
  await chat.page.locator('code .tk-k', { hasText: 'module' }).waitFor();
  await chat.close();
});

test('a focused request takes one answer, and the row says which', async () => {
  const chat = await open([userMessage('u', 'Go')]);
  await chat.apply(sessionA, 0, [{ op: 'insert', entry: asking('t') }]);
  const group = chat.page.getByRole('group', { name: 'Permission: npm test' });
  const names = await group
    .getByRole('button')
    .evaluateAll((buttons) => buttons.map((one) => one.ariaLabel ?? one.querySelector('span')?.textContent));
  assert.deepEqual(names, ['Allow', 'Reject', 'More answers']);
  assert.equal(await chat.page.evaluate(() => document.activeElement?.closest('.pl-perm')), null);
  await chat.receive({ type: 'focusRequest' });
  await chat.page.waitForSelector('.pl-perm[data-ready]');
  assert.equal(await group.evaluate((element) => element === document.activeElement), true);
  await chat.page.keyboard.press('2');
  await chat.page.keyboard.press('2');
  assert.deepEqual(await chat.posted('answerPermission'), [
    { type: 'answerPermission', session: sessionA, request: 'request-t' as RequestKey, optionId: 'always' },
  ]);
  await chat.apply(sessionA, 1, [
    {
      op: 'patch',
      id: 't' as EntryId,
      kind: 'tool_call',
      fields: {
        status: 'in_progress',
        permission: {
          state: 'answered',
          by: 'you',
          option: { optionId: 'always', name: 'Always allow npm test', kind: 'allow_always' },
        },
      },
    },
  ]);
  await group.waitFor({ state: 'detached' });
  assert.match(await feedText(chat), /You allowed this \(Always allow npm test\)/);
  const option = { optionId: 'once', name: 'Allow', kind: 'allow_once' } as const;
  const byRule = { state: 'answered', option, by: 'rule' } as const;
  for (const [rev, permission, words] of [
    [2, { ...byRule, rule: 'npm test *' }, /Allowed by rule: npm test \*/],
    [3, byRule, /Allowed by a rule/],
    [4, { ...byRule, option: { ...option, kind: 'reject_once' } }, /Rejected by a rule/],
  ] as const) {
    await chat.apply(sessionA, rev, [{ op: 'patch', id: 't' as EntryId, kind: 'tool_call', fields: { permission } }]);
    await chat.page.locator('article').filter({ hasText: words }).waitFor();
  }
  assert.equal(await chat.page.evaluate(() => document.activeElement?.getAttribute('role')), 'feed');
  await chat.close();
});

test('answers two requests in their cards and announces each once', async () => {
  const chat = await open([userMessage('u', 'Go'), asking('t'), asking('v')]);
  await chat.page.waitForFunction(() => document.querySelectorAll('.pl-perm[data-ready]').length === 2);
  await chat.page.locator('.pl-perm').nth(1).getByRole('button', { name: 'Reject', exact: true }).click();
  const [answer] = await chat.posted('answerPermission');
  assert.equal(answer?.request, 'request-v');
  const alerts = await chat.page.getByRole('alert').allTextContents();
  const keys = 'Ctrl+Enter allows, Ctrl+Backspace rejects.';
  assert.deepEqual(alerts, [
    `Claude wants to run npm test -- --run upload. ${keys}`,
    'Claude wants to run npm test -- --run upload',
  ]);
  await chat.close();
});

test('folds three finished reads into one row that unfolds', async () => {
  const chat = await open([userMessage('u', 'Go'), read('a', 'a.ts'), read('b', 'b.ts'), read('c', 'c.ts')]);
  assert.equal(await chat.page.locator('.pl-group').count(), 0);
  await chat.apply(sessionA, 0, [{ op: 'insert', entry: agentMessage('m', 'Done') }]);
  const summary = article(chat, 'Tool calls: Read 3 files');
  assert.equal(await article(chat, 'Tool call: Read b.ts').isVisible(), false);
  await summary.getByRole('button').click();
  assert.equal(await article(chat, 'Tool call: Read b.ts').isVisible(), true);
  await chat.close();
});

test('never hides a failed read in a summary row', async () => {
  const calls = ['a', 'b', 'c', 'd', 'e'].map((id) => read(id, `${id}.ts`, id === 'c' ? { status: 'failed' } : {}));
  const chat = await open([userMessage('u', 'Go'), ...calls, agentMessage('m', 'Done')]);
  assert.equal(await chat.page.locator('.pl-group').count(), 0);
  assert.match(await article(chat, 'Tool call: Read c.ts').innerText(), /failed/);
  await chat.close();
});

test('opens a diff in the editor and unfolds unchanged lines', async () => {
  const chat = await open([userMessage('u', 'Go'), edit('e')]);
  const figure = chat.page.getByRole('figure', { name: 'Diff: src/upload/client.ts' });
  // The lines are drawn again when their colours come.
  await chat.page.waitForFunction(() => document.querySelectorAll('.pl-diff .l').length === 12);
  await figure.getByRole('button', { name: /^Show \d+ more lines$/ }).click();
  await figure.getByRole('button', { name: /unchanged lines$/ }).click();
  await chat.page.waitForFunction(() => document.querySelectorAll('.pl-diff .l').length > 60);
  await figure.getByRole('button', { name: 'Open Diff' }).click();
  assert.deepEqual((await chat.posted('openDiff'))[0], {
    type: 'openDiff',
    session: sessionA,
    toolCall: 'call-e',
    index: 0,
  });
  assert.match(await article(chat, 'Tool call: Edit client.ts').innerText(), /\+5\s+−2/);
  await chat.close();
});

test('a diff is one stop of Tab, and has keys there', async () => {
  const chat = await open([userMessage('u', 'Go'), edit('e')]);
  const figure = chat.page.getByRole('figure', { name: 'Diff: src/upload/client.ts' });
  const lines = (isEnough: number) =>
    chat.page.waitForFunction((count) => document.querySelectorAll('.pl-diff .l').length > count, isEnough);
  await chat.page.waitForFunction(() => document.querySelectorAll('.pl-diff .l').length === 12);
  await figure.locator('.pl-diff').focus();
  await chat.page.keyboard.press('Space');
  await lines(12);
  // Until nothing is folded.
  await chat.page.keyboard.press('Space');
  await lines(60);
  await chat.page.keyboard.press('Enter');
  assert.equal((await chat.posted('openDiff')).length, 1);
  assert.equal(await figure.getByText(/unchanged lines$/).count(), 0);
  const stops = await figure.evaluate(
    (one) => [...one.querySelectorAll<HTMLElement>('*')].filter(({ tabIndex }) => tabIndex >= 0).length,
  );
  assert.equal(stops, 1);
  await chat.close();
});

test('the diff of a file that is made empty says so', async () => {
  const content = [{ type: 'diff', path: '/home/me/harbor/empty.ts', newText: '' }] as const;
  const chat = await open([userMessage('u', 'Go'), edit('e', { title: 'Create empty.ts', content })]);
  await chat.page.getByText('The file is empty.', { exact: true }).waitFor();
  await chat.close();
});

test("shows a running terminal's output, and its text when done", async () => {
  const call = {
    ...edit('r'),
    toolKind: 'execute',
    title: 'npm test',
    status: 'in_progress',
    content: [{ type: 'terminal', terminalId: 'x' as TerminalId }],
  } as const;
  const state = terminal('x', { command: 'npm test', output: 'start\r\n', exit: { state: 'running' } });
  const chat = await open([userMessage('u', 'Go'), call], { terminals: [state] });
  const region = chat.page.getByRole('region', { name: 'Terminal: npm test' });
  await region.locator('text=start').waitFor();
  await chat.apply(sessionA, 0, [
    {
      op: 'terminalOutput',
      id: 'x' as TerminalId,
      data: '10 %\r\u001b[2K\u001b[32mdone\u001b[0m \u001b]0;title\u0007ok\r\n',
    },
  ]);
  await region.locator('text=done').waitFor();
  assert.equal((await region.innerText()).trim(), 'start\ndone ok');
  await chat.button('Stop command').click();
  assert.equal((await chat.posted('stopTerminal'))[0]?.terminal, 'x');
  assert.ok(((await chat.posted('resizeTerminal'))[0]?.columns ?? 0) > 30);
  await chat.apply(sessionA, 1, [
    {
      op: 'patchTerminal',
      id: 'x' as TerminalId,
      fields: { exit: { state: 'exited', exitCode: 3, endedAt: 1_764_000_004_000 } },
    },
    { op: 'patch', id: 'r' as EntryId, kind: 'tool_call', fields: { status: 'failed' } },
  ]);
  assert.match(await article(chat, 'Tool call: npm test').innerText(), /failed, exit 3/);
  assert.equal((await region.innerText()).trim(), 'start\ndone ok');
  assert.deepEqual(await chat.violations(), []);
  await chat.close();
});

test('an error card shows what happened and offers steps', async () => {
  const entry: Entry = {
    id: 'x' as EntryId,
    turn: 1,
    kind: 'error',
    code: 'agentExited',
    title: 'Codex stopped unexpectedly (exit code 137)',
    cause: 'The system stopped it.',
    actions: ['restartAgent', 'continueWith', 'showLog'],
  };
  const chat = await open([userMessage('u', 'Go'), entry]);
  assert.match(await chat.page.getByRole('alert').innerText(), /Codex stopped unexpectedly/);
  await chat.button('Restart and continue').click();
  assert.deepEqual((await chat.posted('errorAction'))[0], {
    type: 'errorAction',
    session: sessionA,
    entry: 'x',
    action: 'restartAgent',
  });
  await chat.close();
});

test('an agent that never started is tried again, not continued', async () => {
  const entry: Entry = {
    id: 'x' as EntryId,
    turn: 1,
    kind: 'error',
    code: 'agentNotFound',
    title: 'Couldn’t start Codex',
    actions: ['restartAgent'],
  };
  const chat = await open([userMessage('u', 'Go'), entry]);
  await chat.button('Try again').click();
  assert.equal((await chat.posted('errorAction'))[0]?.action, 'restartAgent');
  await chat.close();
});

for (const end of ['rejected', 'cancelled'] as const) {
  test(`a ${end} command shows neither JSON nor how long it asked`, async () => {
    const command = toolCall('c', {
      toolKind: 'execute',
      status: 'pending',
      startedAt: 0,
      rawInput: { command: 'rm -rf build', note: 'JSON' },
    });
    const option = { optionId: 'no', name: 'Reject', kind: 'reject_once' } as const;
    const ends = {
      rejected: { status: 'failed', permission: { state: 'answered', option, by: 'you' } },
      cancelled: { status: 'cancelled', permission: { state: 'cancelled' } },
    } as const;
    const permission = { state: 'asked', request: 'r' as RequestKey, options: [option] } as const;
    const chat = await open([userMessage('u', 'Go'), { ...command, permission }]);
    // Under the pointer, the card stays open.
    await chat.page.locator('.pl-tool.asking').hover();
    await chat.apply(sessionA, 0, [
      {
        op: 'patch',
        id: command.id,
        kind: 'tool_call',
        fields: { endedAt: 9000, ...ends[end] },
      },
    ]);
    await chat.page.getByRole('group', { name: /^Permission/ }).waitFor({ state: 'detached' });
    const card = chat.page.locator('.pl-tool.open');
    await card.waitFor();
    assert.equal(await chat.page.getByText('"note"').count(), 0);
    await card.locator('.tog').click();
    await card.waitFor({ state: 'detached' });
    assert.doesNotMatch(await chat.page.locator('.pl-tool .head .end').innerText(), /\d s/);
    await chat.page.locator('.pl-tool .tog').click();
    await chat.page.getByText('"note"').waitFor();
    await chat.close();
  });
}

test('a closed command shows how long it ran, without the answer', async () => {
  const ended = terminal('t', { startedAt: 60_000, exit: { state: 'exited', exitCode: 0, endedAt: 63_000 } });
  const command = toolCall('c', {
    toolKind: 'execute',
    status: 'completed',
    startedAt: 0,
    endedAt: 63_000,
    content: [{ type: 'terminal', terminalId: ended.terminalId }],
  });
  const chat = await open([userMessage('u', 'Go'), command], { terminals: [ended] });
  assert.match(await chat.page.locator('.pl-tool .head .end').innerText(), /^3 s/);
  await chat.page.locator('.pl-tool .tog').click();
  await chat.page.waitForSelector('.pl-tool.open');
  assert.equal((await chat.page.locator('.pl-tool').innerText()).match(/\b\d+ s\b/g)?.length, 1);
  await chat.close();
});

test('shows no empty column for line numbers that are unknown', async () => {
  const content = { type: 'diff', path: '/home/me/harbor/a.ts', oldText: 'a\n', newText: 'b\n' } as const;
  const chat = await open([
    toolCall('c', { title: 'Edit a.ts', toolKind: 'edit', status: 'completed', content: [{ ...content, line: 0 }] }),
  ]);
  const line = chat.page.locator('.pl-diff .l').first();
  await line.waitFor();
  const startOfCode = () =>
    line.evaluate(
      (row) => (row.lastElementChild?.getBoundingClientRect().left ?? 0) - row.getBoundingClientRect().left,
    );
  assert.ok((await startOfCode()) < 30);
  const placed = { content: [{ ...content, line: 12 }] };
  await chat.apply(sessionA, 0, [{ op: 'patch', id: 'c' as EntryId, kind: 'tool_call', fields: placed }]);
  assert.equal(await line.innerText(), '12\n−\na');
  assert.ok((await startOfCode()) > 40);
  await chat.close();
});
