import { test } from 'node:test';
import assert from 'node:assert/strict';
import type { EntryId } from '../../src/shared/values/ids';
import type { Entry } from '../../src/shared/transcript/transcript';
import { useBrowser, type Chat } from './chat';
import { pageWithSession, sessionA, snapshot, toolCall } from './samples';
import { terminal } from './transcriptSamples';

const browser = useBrowser();

async function open(entries: readonly Entry[], fields: Partial<ReturnType<typeof snapshot>> = {}): Promise<Chat> {
  const chat = await browser.open();
  await chat.showPage(pageWithSession());
  await chat.showSession(sessionA, { ...snapshot({}, entries), ...fields });
  return chat;
}

test('a click applies to the card as it was drawn', async () => {
  const content = [{ type: 'terminal', terminalId: 'one' as ReturnType<typeof terminal>['terminalId'] }] as const;
  const running = toolCall('t', { title: 'Build', toolKind: 'execute', status: 'in_progress', content });
  const chat = await open([running], { terminals: [terminal('one')] });
  const head = chat.page.getByRole('article', { name: 'Tool call: Build' }).getByRole('button').first();
  assert.equal(await head.getAttribute('aria-expanded'), 'true', 'a running command is open by itself');
  await head.evaluate(
    (button, data) => {
      window.dispatchEvent(new MessageEvent('message', { data }));
      (button as HTMLElement).click();
    },
    {
      type: 'ops',
      session: sessionA,
      from: 0,
      to: 1,
      ops: [{ op: 'patch', id: 't', kind: 'tool_call', fields: { status: 'completed' } }],
    },
  );
  await chat.still();
  assert.equal(await head.getAttribute('aria-expanded'), 'false', 'who folds an open card has it folded');
  await chat.close();
});

test('a call shows what its sandbox blocked, and allows it', async () => {
  const blocked = [
    { kind: 'write', path: '/home/me/.zsh\u202Erc', canAllow: true },
    { kind: 'write', path: '/home/me/harbor/.git/config' },
    { kind: 'socket', path: '/run/docker.sock' },
    { kind: 'key', path: '' },
  ] as const;
  const chat = await open([toolCall('t', { title: 'Install', toolKind: 'execute', status: 'completed', blocked })]);
  const call = chat.page.getByRole('article', { name: 'Tool call: Install' });
  await call.getByText(/The sandbox blocked writing to \/home\/me\/.zsh.*202e.*rc/).waitFor();
  const ofGit = 'The sandbox blocked writing to /home/me/harbor/.git/config · Run it in the editor’s terminal instead';
  await call.getByText(ofGit).waitFor();
  const ofSocket =
    'The sandbox blocks Unix sockets, such as /run/docker.sock · Run it in the editor’s terminal, or use a port of 127.0.0.1';
  await call.getByText(ofSocket).waitFor();
  await call.getByText(/^The sandbox hides your SSH keys and ssh-agent · /).waitFor();
  const allow = call.getByRole('button', { name: /^Allow writing to / });
  assert.equal(await allow.count(), 1);
  await allow.click();
  assert.deepEqual(await chat.posted('allowBlocked'), [
    { type: 'allowBlocked', session: sessionA, path: blocked[0].path },
  ]);
  await chat.close();
});

/** One red pixel. */
const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC';

test("shows a call's raw input and output only on demand", async () => {
  const content = [{ type: 'content', content: { type: 'text', text: 'Found 3 places' } }] as const;
  const chat = await open([
    toolCall('t', {
      title: 'Search',
      status: 'completed',
      content,
      rawInput: { query: 'sëarch' },
      rawOutput: [1, 2, 3],
    }),
  ]);
  const call = chat.page.getByRole('article', { name: 'Tool call: Search' });
  await call.getByRole('button').first().click();
  await call.getByText('Found 3 places').waitFor();
  assert.doesNotMatch(await call.innerText(), /sëarch/);
  const raw = call.getByRole('button', { name: 'Raw input and output' });
  await raw.click();
  assert.equal(await raw.getAttribute('aria-expanded'), 'true');
  assert.match(await call.innerText(), /Input\s+\{\s+"query": "sëarch"\s+\}[^]*Output\s+\[\s+1,\s+2,\s+3\s+\]/);
  await raw.click();
  assert.doesNotMatch(await call.innerText(), /sëarch/);
  await chat.close();
});

test('a card has no footer for the way to raw values alone', async () => {
  const content = [{ type: 'diff', path: '/home/me/harbor/a.ts', oldText: 'a', newText: 'b' }] as const;
  const chat = await open([
    toolCall('t', { title: 'Edit', toolKind: 'edit', status: 'completed', content, rawInput: { query: 'sëarch' } }),
  ]);
  const call = chat.page.getByRole('article', { name: 'Tool call: Edit' });
  await call.getByRole('figure').waitFor();
  assert.equal(await call.locator('.bar').count(), 0);
  const raw = call.locator('.head').getByRole('button', { name: 'Raw input and output' });
  await raw.focus();
  await chat.page.keyboard.press('Enter');
  assert.equal(await raw.getAttribute('aria-expanded'), 'true');
  assert.match(await call.innerText(), /sëarch/);
  await chat.close();
});

test("shows a tool's image in its card", async () => {
  const image = { type: 'image', data: pixel, mimeType: 'image/png' } as const;
  const chat = await open([
    toolCall('t', { title: 'Screenshot', status: 'completed', content: [{ type: 'content', content: image }] }),
  ]);
  const call = chat.page.getByRole('article', { name: 'Tool call: Screenshot' });
  await call.getByRole('button').first().click();
  const picture = call.getByRole('img').last();
  await picture.waitFor();
  assert.deepEqual(
    await picture.evaluate((found) => [(found as HTMLImageElement).complete, (found as HTMLImageElement).naturalWidth]),
    [true, 1],
  );
  await chat.close();
});

test('shows that a command runs without a pseudoterminal', async () => {
  const call = (id: string, title: string) => {
    const content = [{ type: 'terminal', terminalId: id as ReturnType<typeof terminal>['terminalId'] }] as const;
    return toolCall(id, { title, status: 'completed', content });
  };
  const chat = await open([call('one', 'With'), call('two', 'Without')], {
    terminals: [terminal('one'), terminal('two', { driver: 'pipe' })],
  });
  for (const [title, isTold] of [
    ['With', false],
    ['Without', true],
  ] as const) {
    const card = chat.page.getByRole('article', { name: `Tool call: ${title}`, exact: true });
    await card.getByRole('button').first().click();
    await card.getByText('1 problem').waitFor();
    assert.equal((await card.innerText()).includes('No terminal available; showing plain text'), isTold, title);
  }
  await chat.close();
});

test('shows the duration of a finished thought', async () => {
  const thought: Entry = {
    id: 'h' as EntryId,
    turn: 1,
    kind: 'agent_thought',
    startedAt: 1_764_000_000_000,
    endedAt: 1_764_000_072_000,
    content: [{ type: 'text', text: 'Hm.' }],
  };
  const chat = await open([thought]);
  const head = chat.page.getByRole('article', { name: 'Thought' }).getByRole('button');
  assert.match(await head.innerText(), /^Thought for 1 m 12 s$/);
  await chat.close();
});
