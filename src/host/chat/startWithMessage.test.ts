import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { keptState, ProductWindow } from '../../../test/unit-support/productWindow';
import { PoolHarness, text, until } from '../../../test/unit-support/poolHarness';
import { tempFolder } from '../../../test/unit-support/tempFolder';
import { editor } from '../../../test/unit-support/vscode';
import { settingsAgentId } from '../../agent/spec/agentSpec';
import { tourAgentId } from '../../shared/ids';

const agents = new PoolHarness();

function startPage(t: TestContext) {
  const opened: ProductWindow[] = [];
  // Until it has stopped, it writes to the folder.
  t.after(() => Promise.all(opened.map((one) => one.stop())));
  const folder = tempFolder(t);
  mkdirSync(join(folder, 'project'));
  editor.reset();
  editor.folders = [join(folder, 'project')];
  const { command, args, env } = agents.spec({ turns: [{ steps: [{ say: 'an answer' }] }] });
  editor.settings['parley.agents'] = { Codex: { command, args, env } };
  const window = new ProductWindow(keptState(join(folder, 'kept')));
  opened.push(window);
  return { window, page: window.openChat() };
}

test('a message typed on the start page is sent in its session', async (t) => {
  const { window, page } = startPage(t);
  page.say({ type: 'startAgent', agent: settingsAgentId('Codex'), sends: true });
  const [session] = window.pool.sessions;
  assert.ok(session);
  assert.deepEqual(page.got.at(-1), { type: 'sendTyped', session: session.key });
  // What the page sends then waits for the agent.
  page.say({ type: 'sendPrompt', session: session.key, text: 'go' });
  await until(session, (one) => text(one).includes('an answer'));
});

test('the tour gets the typed message instead of its own', (t) => {
  const { window, page } = startPage(t);
  page.say({ type: 'startAgent', agent: tourAgentId, sends: true });
  const [session] = window.pool.sessions;
  assert.deepEqual(page.got.at(-1), { type: 'sendTyped', session: session?.key });
  assert.doesNotMatch(JSON.stringify(session?.transcript.view.queue), /Show me around/);
  page.say({ type: 'startAgent', agent: settingsAgentId('Codex') });
  assert.equal(page.got.filter(({ type }) => type === 'sendTyped').length, 1);
});
