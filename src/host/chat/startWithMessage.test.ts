import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { keptState, ProductWindow } from '../../../test/unit-support/productWindow';
import { PoolHarness, text, until } from '../../../test/unit-support/poolHarness';
import { tempFolder } from '../../../test/unit-support/tempFolder';
import { editor } from '../../../test/unit-support/vscode';
import { settingsAgentId } from '../../agent/spec/agentSpec';
import { tourAgentId } from '../../shared/values/ids';

const agents = new PoolHarness();
const select = (id: string, ...values: readonly string[]) => ({
  id,
  name: id,
  category: id,
  type: 'select',
  currentValue: values[0],
  options: values.map((value) => ({ value, name: value })),
});
const script = {
  newSession: { configOptions: [select('model', 'small', 'large'), select('mode', 'ask', 'plan')] },
  turns: [{ steps: [{ say: 'an answer' }] }],
  answers: { 'session/set_config_option': {} },
};

function startPage(t: TestContext) {
  const opened: ProductWindow[] = [];
  // Until it has stopped, it writes to the folder.
  t.after(() => Promise.all(opened.map((one) => one.stop())));
  const folder = tempFolder(t);
  mkdirSync(join(folder, 'project'));
  editor.reset();
  editor.folders = [join(folder, 'project')];
  const { command, args, env } = agents.spec(script);
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

test('a preset starts its agent with its model and mode', async (t) => {
  const { window, page } = startPage(t);
  editor.settings['parley.presets'] = [
    { name: 'Fixes', agent: 'Codex', model: 'large', mode: 'plan' },
    { name: 'Old', agent: 'Gone', default: true },
  ];
  editor.fire('workspace.onDidGrantWorkspaceTrust');
  const presets = () => page.got.findLast((message) => message.type === 'page')?.page.presets;
  while (!presets()) await page.hearsMore();
  assert.deepEqual(presets(), [{ name: 'Fixes', agentId: settingsAgentId('Codex'), detail: 'Codex · large · plan' }]);
  page.say({ type: 'startPreset', preset: 'Fixes', sends: true });
  page.say({ type: 'startPreset', preset: 'Nothing' });
  const [session, ...others] = window.pool.sessions;
  assert.ok(session);
  assert.equal(others.length, 0);
  assert.deepEqual(page.got.at(-1), { type: 'sendTyped', session: session.key });
  page.say({ type: 'sendPrompt', session: session.key, text: 'go' });
  await until(session, (one) => text(one).includes('an answer'));
  assert.deepEqual(
    session.transcript.view.configOptions.map(({ currentValue }) => currentValue),
    ['large', 'plan'],
  );
  assert.doesNotMatch(text(session), /preset/);
  // Without its agent, the default preset says so, and starts nothing else than before.
  page.say({ type: 'newSession' });
  const fallback = window.pool.sessions.at(-1);
  assert.equal(fallback?.transcript.view.agentName, 'Codex');
  assert.match(text(fallback), /“Old” isn’t used[^]*Its agent “Gone” isn’t one of your agents/);
});
