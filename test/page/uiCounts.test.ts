import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { TurnSummary } from '../../src/shared/amounts/turnSummary';
import type { Entry, SessionView } from '../../src/shared/transcript/transcript';
import { useBrowser, type Chat } from './chat';
import { manyOptions } from './narrowSamples';
import { ReviewHost } from './reviewHost';
import {
  agentMessage,
  asking,
  changedFile,
  commands,
  listing,
  pageState,
  pageWithSession,
  sessionA,
  snapshot,
  toolCall,
  userMessage,
} from './samples';
import { sampleRows } from './sessionRowSamples';
import { controlsInView, countEffort, type Effort } from './uiCounts';

/* How many controls a user sees, and what twelve tasks take: docs/ui-counts.md has the figures. */

const browser = useBrowser();

/** Returns the last cell of a row of the page, which says how it is now. */
function documented(row: string): string {
  const lines = readFileSync('docs/ui-counts.md', 'utf8').split('\n');
  const cells = lines.find((line) => line.startsWith(`| ${row} `))?.split('|') ?? [];
  return cells.at(-2)?.trim() ?? '';
}

/** Checks what a task takes. VS Code's own keys and icons count besides what the page sees. */
function takes(task: string, { keys, clicks }: Effort, outside: Partial<Effort> = {}): void {
  const [k, c] = [keys + (outside.keys ?? 0), clicks + (outside.clicks ?? 0)];
  const parts = [...(c > 0 ? [`${c} c`] : []), ...(k > 0 ? [`${k} k`] : [])];
  assert.equal(documented(task).split(':')[0], parts.join(' + '), task);
}

const folder = { name: 'harbor', path: '/home/me/harbor', isHere: true, branch: 'main' };
const page = { ...pageWithSession(), sessions: [{ ...listing(sessionA), folder }] };
const options = manyOptions.slice(0, 2);
const names = ['client', 'retry', 'parts', 'errors', 'index'];

const looks = ['a', 'b', 'c', 'd'].map((id) =>
  toolCall(`l${id}`, {
    toolKind: 'read',
    status: 'completed',
    title: `Read ${id}.ts`,
    locations: [{ path: `/home/me/harbor/${id}.ts` }],
  }),
);
const edits = names.map((name) =>
  toolCall(`e${name}`, {
    toolKind: 'edit',
    title: `Edit ${name}.ts`,
    status: 'completed',
    content: [{ type: 'diff', path: `/home/me/harbor/${name}.ts`, oldText: 'a\n', newText: 'b\n' }],
  }),
);
const ran = toolCall('r', { status: 'completed', rawInput: { command: 'npm test' } });
const summary: TurnSummary = {
  startedAt: 0,
  endedAt: 134_000,
  model: 'Opus 5',
  cost: { amount: 0.64, currency: 'USD' },
};
const asked = userMessage('u1', 'Uploads fail now and then on slow links. Add retry with backoff.');
const answered = {
  ...agentMessage('a1', 'Uploads now retry on 429, 5xx, and a closed socket.'),
  turnSummary: summary,
} as Entry;
const work: readonly Entry[] = [asked, ...looks, ...edits, ran];

async function open(fields: Partial<SessionView>, entries: readonly Entry[]): Promise<Chat> {
  const chat = await browser.open({ width: 420, height: 860 });
  await chat.showPage(page);
  await chat.showSession(
    sessionA,
    snapshot({ configOptions: options, availableCommands: commands, ...fields }, entries),
  );
  await chat.toolkit();
  // Icons that are shown below the pointer aren't in view otherwise.
  await chat.page.mouse.move(0, 0);
  await chat.still();
  return chat;
}

const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim();

const files = names.map((name) => changedFile(`${name}.ts`, { session: { added: 1, removed: 1 } }));

/** What can be used around every session: its title, following, detail, and turns, and the message with its bar and its row. */
const around = {
  top: ['Retry flaky uploads', 'Follow Claude', 'Tool detail: Normal', 'Go to turn'],
  bar: ['Message', 'Add Context', 'Mode', 'Model', 'Send'],
  row: ['Where: In this folder', 'Sandbox: off'],
};
const rows = ['Read 4 files completed', 'Edited 5 files +5 −5completed', 'Ran npm test completed'];

test('a session at rest shows 11 controls', async () => {
  const chat = await open({}, [asked, agentMessage('a1', 'There is no retry yet.')]);
  const shown = await controlsInView(chat);
  assert.deepEqual(shown, [...around.top, ...around.bar, ...around.row]);
  assert.equal(String(shown.length), documented('at rest'));
  await chat.close();
});

test('a request shows 23 controls', async () => {
  const chat = await open({ activity: { state: 'requires_action', since: 1 } }, [...work, asking('q')]);
  await chat.receive({ type: 'changes', session: sessionA, files });
  await chat.page.locator('.pl-perm[data-ready]').waitFor();
  const shown = await controlsInView(chat);
  assert.deepEqual(
    shown.map((name) => name.replace(/^(Allow|Reject|5 files).*/, '$1')),
    [
      ...around.top,
      ...rows,
      'Run command waiting for youpending',
      ...['Allow', 'Reject', 'More answers'],
      ...['5 files', 'Review', 'Keep all', 'Undo all'],
      ...around.bar,
      'Stop',
      ...around.row,
    ],
  );
  assert.equal(String(shown.length), documented('at a request'));
  await chat.close();
});

test('the end of a turn shows 17 controls', async () => {
  const chat = await open({}, [...work, answered]);
  await chat.receive({ type: 'changes', session: sessionA, files });
  const end = chat.page.getByRole('group', { name: 'End of turn' });
  await end.getByRole('button', { name: 'Review' }).waitFor();
  const shown = await controlsInView(chat);
  assert.deepEqual(shown, [...around.top, ...rows, 'Review', 'Commit…', 'More', ...around.bar, ...around.row]);
  assert.equal(String(shown.length), documented('at a turn’s end'));
  // What the turn cost is there without a click.
  assert.match(documented('see what it cost'), /^0/);
  assert.match(oneLine(await end.locator('.what').innerText()), /^Changed 5 files \+5 −5 ?·? ?\$0\.64$/);
  await chat.close();
});

/* The tasks. Each is done as a user does it, and the page counts keys and clicks. */

const sent = async (chat: Chat) => (await chat.posted('sendPrompt')).map(({ text }) => text);

test('a message is sent with one key, also while scrolled up', async () => {
  const many = Array.from({ length: 40 }, (_, at) => agentMessage(`m${at}`, `Paragraph ${at}`));
  for (const isScrolled of [false, true]) {
    const chat = await open({}, [asked, ...many]);
    if (isScrolled) {
      await chat.page.getByRole('feed', { name: 'Transcript' }).hover();
      await chat.page.mouse.wheel(0, -4000);
      await chat.still();
    }
    await chat.message.fill('Fix the retries');
    const effort = await countEffort(chat);
    await chat.page.keyboard.press('Enter');
    assert.deepEqual(await sent(chat), ['Fix the retries']);
    if (isScrolled) takes('send while scrolled up', await effort());
    else takes('open, first message sent', await effort(), { keys: 1 });
    await chat.close();
  }
});

test('five requests are allowed with five keys', async () => {
  const chat = await open({ activity: { state: 'requires_action', since: 1 } }, [asked]);
  await chat.message.focus();
  const effort = await countEffort(chat);
  for (let at = 0; at < 5; at++) {
    const call = asking(`q${at}`);
    await chat.apply(sessionA, at * 2, [{ op: 'insert', entry: call }]);
    await chat.page.locator('.pl-perm[data-keyed][data-ready]').waitFor();
    await chat.page.keyboard.press('Control+Enter');
    assert.equal((await chat.posted('answerPermission')).length, at + 1);
    const fields = { status: 'completed', permission: { state: 'none' } } as const;
    await chat.apply(sessionA, at * 2 + 1, [{ op: 'patch', id: call.id, kind: 'tool_call', fields }]);
    await chat.page.locator('.pl-perm').waitFor({ state: 'detached' });
  }
  assert.deepEqual(
    (await chat.posted('answerPermission')).map(({ optionId }) => optionId),
    Array(5).fill('allow'),
  );
  takes('answer 5 requests', await effort());
  await chat.close();
});

test('a request is rejected with a reason by one key', async () => {
  const chat = await open({ activity: { state: 'requires_action', since: 1 } }, [asked, asking('q')]);
  await chat.page.locator('.pl-perm[data-keyed][data-ready]').waitFor();
  await chat.message.fill('Use pnpm');
  const effort = await countEffort(chat);
  await chat.page.keyboard.press('Control+Shift+Enter');
  assert.deepEqual(
    (await chat.posted('answerPermission')).map(({ reply }) => reply),
    [{ text: 'Use pnpm' }],
  );
  takes('reject one with a reason', await effort());
  await chat.close();
});

test('a running turn is stopped with one key', async () => {
  const chat = await open({ activity: { state: 'running', since: 1 } }, work);
  await chat.message.focus();
  const effort = await countEffort(chat);
  await chat.page.keyboard.press('Escape');
  assert.deepEqual(await chat.posted('cancelTurn'), [{ type: 'cancelTurn', session: sessionA }]);
  takes('stop a runaway turn', await effort());
  await chat.close();
});

test('files are restored to before the last message with two clicks', async () => {
  const chat = await open({}, [...work, answered]);
  await chat.receive({ type: 'checkpoints', session: sessionA, entries: [asked.id], changed: [] });
  await chat.page.getByRole('article', { name: 'You' }).hover();
  const effort = await countEffort(chat);
  await chat.button('Restore files to this point').click();
  const file = { uri: 'file:///home/me/harbor/a.ts', path: 'a.ts', action: 'write', isBinary: false } as const;
  const preview = { entry: asked.id, files: [{ ...file, counts: { added: 1, removed: 1 } }], unrecorded: [] };
  await chat.receive({ type: 'restorePreview', session: sessionA, preview });
  await chat.button('Restore').click();
  assert.equal((await chat.posted('restore'))[0]?.entry, asked.id);
  takes('restore to before the last message', await effort());
  await chat.close();
});

test('a session of last week takes one click in the list', async () => {
  const now = new Date(2026, 10, 26, 16).getTime();
  const chat = await browser.open({ width: 420, time: now });
  await chat.showPage(pageWithSession());
  await chat.showSession(sessionA, snapshot({}, [asked]));
  // The other click is on the icon in the view's title, which VS Code draws.
  await chat.receive({ type: 'showSessions' });
  await chat.posted('watchSessions');
  await chat.receive({ type: 'sessions', rows: sampleRows(now), ends: [], deleted: 0 });
  const effort = await countEffort(chat);
  await chat.page.getByRole('listbox', { name: 'Sessions' }).getByRole('option').last().click();
  assert.equal((await chat.posted('openRow')).length, 1);
  takes('find a session of last week', await effort(), { clicks: 1 });
  await chat.close();
});

/** Opens the start page of somebody with two agents in a repository. */
async function openStart(): Promise<Chat> {
  const chat = await browser.open({ width: 420 });
  await chat.showPage(pageState({ isInRepository: true }));
  await chat.toolkit();
  await chat.receive({
    type: 'startPlaces',
    session: '',
    places: {
      branch: 'main',
      worktrees: [],
      folders: [],
      canCopy: true,
      ignored: [],
      bringsChanges: false,
      setup: '',
      check: 'npm test',
    },
  });
  await chat.message.fill('Port the CLI to ESM');
  return chat;
}

test('a session in a worktree takes two clicks and Enter', async () => {
  const chat = await openStart();
  const effort = await countEffort(chat);
  await chat.button('Where: In this folder').click();
  await chat.page.getByRole('menuitemradio', { name: /^In a worktree/ }).click();
  await chat.message.press('Enter');
  assert.deepEqual(
    (await chat.posted('startTyped')).map(({ start }) => start.place),
    [{ kind: 'worktree' }],
  );
  takes('session in a worktree', await effort());
  await chat.close();
});

test('two tries take two clicks and Enter', async () => {
  const chat = await openStart();
  const effort = await countEffort(chat);
  await chat.button('Add an agent').click();
  await chat.page.getByRole('menuitem', { name: 'Codex' }).click();
  await chat.message.press('Enter');
  assert.equal((await chat.posted('startTyped'))[0]?.start.agents.length, 2);
  takes('two tries', await effort());
  await chat.close();
});

test('twelve changes in five files take eleven keys on their page', async () => {
  const host = new ReviewHost(await browser.open({ page: 'review', host: 'editor', width: 900, height: 700 }));
  const { chat } = host;
  const lines = Array.from({ length: 40 }, (_, at) => `line ${at}\n`);
  // Two of the twelve are next to each other, so they are decided together.
  const places = [
    [0, 12, 24],
    [0, 12],
    [0, 12],
    [0, 12],
    [0, 12],
  ];
  for (const [at, changed] of places.entries()) {
    const after = lines.map((line, row) =>
      changed.includes(row) || (at === 0 && row === 1) ? line.toUpperCase() : line,
    );
    host.write(`${at}.txt`, lines.join(''), after.join(''));
  }
  await host.open();
  await chat.receive({ type: 'focusReview' });
  const effort = await countEffort(chat);
  for (let at = 0; at < 11; at++) await chat.page.keyboard.press('k');
  const frame = () => chat.page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
  for (let frames = 0; (await host.asked('decide')).length < 11 && frames < 600; frames++) {
    await host.settle();
    await frame();
  }
  await host.settle();
  assert.deepEqual(host.log.pending, []);
  takes('review 12 changes in 5 files', await effort(), { keys: 1 });
  await chat.close();
});
