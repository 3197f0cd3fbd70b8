import assert from 'node:assert/strict';
import { AgentError, type Params } from '../agent';
import type { Case } from '../case';
import { row } from '../row';

const choices = (...values: string[]) => values.map((value) => ({ value, name: value.toUpperCase() }));
const select = (id: string, currentValue: string, options: unknown, category = id) => {
  return { id, name: id, category, type: 'select', currentValue, options };
};
const modes = { currentModeId: 'ask', availableModes: ['ask', 'code'].map((id) => ({ id, name: id.toUpperCase() })) };
const offering = (offered: object) => ({ 'session/new': () => ({ sessionId: 's1', ...offered }) });
const names = (t: { page: { texts(target: object): Promise<readonly string[]> } }) =>
  t.page.texts({ css: '[role=combobox], select' });

row('C01', 'offers flat and grouped choices', async (t) => {
  const groups = [
    { group: 'g1', name: 'Near', options: choices('a', 'b') },
    { group: 'g2', name: 'Far', options: choices('c') },
  ];
  const flat = select('mode', 'x', choices('x', 'y'));
  const agent = await t.open({
    ...offering({ configOptions: [flat, select('model', 'a', groups)] }),
    'session/set_config_option': () => ({ configOptions: [flat, select('model', 'c', groups)] }),
  });
  // It has its search once the page has found the time to load that.
  await t.page.click({ css: 'pl-picker button[aria-label=model]' });
  assert.deepEqual(await t.page.texts({ css: '[role=listbox][aria-label=model] .grp' }), ['Near', 'Far']);
  assert.deepEqual(await t.page.texts({ css: '[role=listbox][aria-label=model] [role=option]' }), ['A', 'B', 'C']);
  await t.page.type({ role: 'combobox', name: 'Search model' }, 'c');
  await t.page.misses({ css: '.grp', hasText: 'Near' });
  await t.page.click({ css: '[role=listbox][aria-label=model] [role=option]', hasText: 'C' });
  const { params } = await agent.call('session/set_config_option');
  assert.deepEqual(params, { sessionId: 's1', configId: 'model', value: 'c' });
  await t.page.sees({ role: 'combobox', name: 'model', hasText: 'C' });
  await t.page.sees({ role: 'combobox', name: 'mode' });
});

row('C02', 'announces booleans and sets them with their type', async (t) => {
  const web = (currentValue: boolean) => ({ id: 'web', name: 'Web search', type: 'boolean', currentValue });
  const agent = await t.open({
    ...offering({ configOptions: [web(false)] }),
    'session/set_config_option': () => ({ configOptions: [web(true)] }),
  });
  const capabilities = ((await agent.call('initialize'))['params'] as { clientCapabilities: object })
    .clientCapabilities;
  assert.deepEqual((capabilities as { session: object }).session, {
    configOptions: { boolean: {} },
    notices: {},
    compaction: {},
    promptSuggestions: {},
  });
  await t.page.turnOver('Web search');
  const { params } = await agent.call('session/set_config_option');
  assert.deepEqual(params, { sessionId: 's1', configId: 'web', type: 'boolean', value: true });
});

row('C03', 'skips an unknown type and shows an unknown category', async (t) => {
  const dial = { id: 'dial', name: 'dial', type: 'dial', currentValue: 3 };
  await t.open(
    offering({
      configOptions: [dial, select('mood', 'm', choices('m', 'n'), 'weather'), select('mode', 'x', choices('x'))],
    }),
  );
  await t.page.sees({ role: 'combobox', name: 'mode' });
  await t.page.reveals('mood');
  assert.deepEqual(await t.page.texts({ css: '[aria-label="dial"]' }), []);
});

row('C04', 'prefers config options to modes', async (t) => {
  const mode = (value: string) => select('mode', value, choices('fast', 'slow'));
  const agent = await t.open({
    ...offering({ modes, configOptions: [mode('fast')] }),
    'session/set_config_option': () => ({ configOptions: [mode('slow')] }),
  });
  await t.page.choose('mode', 'SLOW');
  await agent.call('session/set_config_option');
  assert.equal((await names(t)).length, 1);
  assert.ok(!agent.calls.includes('session/set_mode'));
});

row('C05', 'offers modes if there are no config options', async (t) => {
  const agent = await t.open({ ...offering({ modes }), 'session/set_mode': () => ({}) });
  await t.page.choose('Mode', 'CODE');
  assert.deepEqual((await agent.call('session/set_mode'))['params'], { sessionId: 's1', modeId: 'code' });
});

row('C06', "keeps the agent's order of options, mode and model first", async (t) => {
  const option = (id: string, category: string) => select(id, id, choices(id), category);
  await t.open(
    offering({
      configOptions: [
        option('effort', 'thought_level'),
        option('model', 'model'),
        option('size', 'model_config'),
        option('zeal', 'speed'),
        option('mode', 'mode'),
      ],
    }),
  );
  await t.page.reveals('zeal');
  const shown = await t.page.attributes({ css: '[role=combobox], select' }, 'aria-label');
  // The menu with the others opens above the message, and so comes first.
  assert.deepEqual(shown, ['size', 'zeal', 'effort', 'mode', 'model']);
});

row('C07', 'uses the list in the response and reverts refused choices', async (t) => {
  const mode = (value: string) => select('mode', value, choices('x', 'y', 'z'));
  const agent = await t.open({
    ...offering({ configOptions: [mode('x')] }),
    'session/set_config_option': () => ({ configOptions: [mode('z'), select('model', 'a', choices('a'))] }),
  });
  await t.page.choose('mode', 'Y');
  await t.page.sees({ role: 'combobox', name: 'model' });
  assert.equal(await t.page.value('mode'), 'z');
  agent.on('session/set_config_option', () => {
    throw new AgentError(-32603, 'Internal error', { details: 'not while it rains' });
  });
  await t.page.choose('mode', 'X');
  await t.page.sees({ role: 'article', name: 'Notice', hasText: 'not while it rains' });
  assert.equal(await t.page.value('mode'), 'z');
  await t.close();
  await remembered(t);
});

/** What was chosen is set again in the next session, with what is on offer only after it, before the first message goes out. */
async function remembered(t: Case): Promise<void> {
  const brain = (value: string) => select('brain', value, choices('small', 'large'), 'model');
  const effort = (value: string) => select('effort', value, choices('low', 'high'), 'thought_level');
  const chosen = { brain: 'small', effort: 'low' };
  const offered = () => [brain(chosen.brain), ...(chosen.brain === 'large' ? [effort(chosen.effort)] : [])];
  const can = {
    'session/new': () => {
      Object.assign(chosen, { brain: 'small', effort: 'low' });
      return { sessionId: 's1', configOptions: offered() };
    },
    'session/set_config_option': ({ configId, value }: Params) => {
      Object.assign(chosen, { [String(configId)]: value });
      return { configOptions: offered() };
    },
  };
  const first = await t.open(can);
  await t.page.choose('brain', 'LARGE');
  await first.call('session/set_config_option');
  await t.page.choose('effort', 'HIGH');
  await first.call('session/set_config_option', 2);
  await first.catchUp();
  await t.close();
  const next = await t.start({
    ...can,
    'session/set_config_option': async (params: Params) => {
      // The user sends a message before the agent has answered.
      await t.page.sees({ role: 'article', name: 'You', hasText: 'in haste' });
      await t.page.sees({ css: '[role=feed][aria-busy=true]' });
      return can['session/set_config_option'](params);
    },
  });
  await t.turn(next, ({ say }) => say('done'), 'in haste');
  const calls = next.heard.filter(({ method }) => /set_config_option|prompt/.test(String(method)));
  assert.deepEqual(
    calls.map(({ params }) => (params as Params)['value'] ?? 'prompt'),
    ['large', 'high', 'prompt'],
  );
}

row('C08', 'offers and sets models of older agents', async (t) => {
  const availableModels = ['small', 'large'].map((modelId) => ({ modelId, name: modelId.toUpperCase() }));
  const agent = await t.open({
    ...offering({ models: { currentModelId: 'small', availableModels } }),
    'session/set_model': () => ({}),
  });
  await t.page.choose('Model', 'LARGE');
  assert.deepEqual((await agent.call('session/set_model'))['params'], { sessionId: 's1', modelId: 'large' });
});
