// Plays the cases on the desk, in plain Node. Evaluated before the cases.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Desk } from '../desk/desk';
import { editor } from '../unit-support/vscode';
import { isAlive } from './case';
import { openConnections, type Connections } from './connections';
import { serveDesk } from './deskActions';
import { servePage, type Wish } from './pageActions.mjs';
import { serveCallsBy } from './page';
import { eachCase } from './row';

/** The cases of a process share a window, as those in VS Code do. One in which a case has failed is over. */
let opened: Promise<{ readonly desk: Desk; readonly connections: Connections }> | undefined;

process.env['PARLEY_PROJECT'] = process.cwd();

async function open() {
  const desk = await Desk.open();
  return { desk, connections: await openConnections() };
}

async function close(): Promise<void> {
  const closing = await opened;
  opened = undefined;
  if (!closing) return;
  const { violations } = closing.desk;
  await closing.connections.close();
  await closing.desk.close();
  const pids = editor.logged.flatMap((line) => /as process (\d+)/.exec(line)?.[1] ?? []).map(Number);
  assert.deepEqual(pids.filter(isAlive), [], 'A process outlives its window.');
  assert.deepEqual(violations, [], 'A page broke its content security policy.');
}

serveCallsBy(async (action, params) => {
  const { desk } = await (opened ??= open());
  const wish = { action, ...params } as Wish;
  const page = await (wish.place === 'editor' ? desk.panel() : desk.chat());
  try {
    return await servePage(page, wish, () => serveDesk(desk, wish));
  } catch (error) {
    const shown = await page.locator('body').innerText();
    throw new Error(`${action} ${JSON.stringify(params)}: ${String(error)}\nThe page shows: ${shown}`, {
      cause: error,
    });
  }
});

eachCase(({ name, stages, play, timeoutMs }) => {
  if (!stages.includes('desk')) return;
  test(name, { timeout: timeoutMs }, async () => {
    const { connections } = await (opened ??= open());
    try {
      await play();
    } catch (error) {
      await close();
      throw error;
    } finally {
      connections.forget();
    }
  });
});

// Its time is that of the browser and of the first page.
test('the chat opens on the desk', async () => {
  await (opened ??= open());
});

after(async () => {
  await close();
  await Desk.end();
});
