import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { decodeOpened } from '../acp/decode/decodeAgent';
import { internal } from '../acp/base/errors';
import { toStored } from './transcript/storedSession';
import { SessionHarness, settle } from '../../test/unit-support/fakeSession';

const model = (currentValue: string) => ({
  id: 'model',
  name: 'Model',
  category: 'model',
  type: 'select',
  currentValue,
  options: [
    {
      group: 'g',
      name: 'Group',
      options: [
        { value: 'small', name: 'Small' },
        { value: 'big', name: 'Big' },
      ],
    },
  ],
});
const flat = {
  id: 'depth',
  name: 'Depth',
  type: 'select',
  currentValue: '1',
  options: [{ value: '1' }, { value: '2' }, 7],
};
const web = (currentValue: boolean) => ({ id: 'web', name: 'Web', category: 'odd', type: 'boolean', currentValue });
const modes = {
  currentModeId: 'ask',
  availableModes: [
    { id: 'ask', name: 'Ask' },
    { id: 'code', name: 'Code' },
  ],
};
const models = {
  currentModelId: 'm1',
  availableModels: [
    { modelId: 'm1', name: 'M1' },
    { modelId: 'm2', name: 'M2' },
  ],
};

const opened = (result: object) => new SessionHarness().open(decodeOpened({ sessionId: 's1', ...result }));
const values = (test: SessionHarness) =>
  test.view.configOptions.map(({ configId, currentValue, via }) => [configId, currentValue, via]);

void describe('config options', () => {
  void it("offers selects and booleans in the agent's order and skips unknown options", () => {
    const dial = { id: 'dial', name: 'Dial', type: 'dial', currentValue: 3 };
    const test = opened({ configOptions: [model('small'), dial, flat, web(true), { id: 'bad', type: 'select' }] });
    assert.deepEqual(values(test), [
      ['model', 'small', 'configOptions'],
      ['depth', '1', 'configOptions'],
      ['web', true, 'configOptions'],
    ]);
    const [grouped, plain] = test.view.configOptions;
    assert.deepEqual(grouped!.type === 'select' && grouped!.choices[0], {
      value: 'small',
      name: 'Small',
      group: 'Group',
    });
    assert.deepEqual(plain!.type === 'select' && plain!.choices, [
      { value: '1', name: '1' },
      { value: '2', name: '2' },
    ]);
  });

  void it('prefers options of category mode and model to modes and models', () => {
    assert.deepEqual(values(opened({ configOptions: [web(true)], modes, models })), [
      ['web', true, 'configOptions'],
      ['@mode', 'ask', 'modes'],
      ['@model', 'm1', 'models'],
    ]);
    const mode = { ...flat, id: 'how', category: 'mode' };
    assert.deepEqual(values(opened({ configOptions: [mode], modes })), [['how', '1', 'configOptions']]);
    const sameChoices = { ...flat, id: 'level', options: [{ value: 'ask' }, { value: 'code' }], currentValue: 'code' };
    assert.deepEqual(values(opened({ configOptions: [sameChoices], modes })), [['level', 'code', 'configOptions']]);
    assert.deepEqual(values(opened({ configOptions: [model('big')], modes, models })), [
      ['model', 'big', 'configOptions'],
      ['@mode', 'ask', 'modes'],
    ]);
    assert.deepEqual(values(opened({ modes, models })), [
      ['@mode', 'ask', 'modes'],
      ['@model', 'm1', 'models'],
    ]);
  });

  void it("shows a change immediately, then the list in the agent's response", async () => {
    const test = opened({ configOptions: [model('small'), web(false)] });
    const taken = test.session.setConfigOption('model', 'big');
    void test.session.setConfigOption('web', true);
    assert.deepEqual(test.agent.heard, ['set model big via configOptions', 'set web true via configOptions']);
    assert.deepEqual(
      values(test).map(([, value]) => value),
      ['big', true],
    );
    // The first response is older than the second change.
    test.agent.changes[0]!.resolve(decodeOpened({ configOptions: [model('big'), web(false)] }).configOptions);
    assert.equal(await taken, true);
    assert.deepEqual(
      values(test).map(([, value]) => value),
      ['big', true],
    );
    test.agent.changes[1]!.resolve(decodeOpened({ configOptions: [model('small'), web(true)] }).configOptions);
    await settle();
    assert.deepEqual(
      values(test).map(([, value]) => value),
      ['small', true],
    );
  });

  void it('restores the old value with a notice if a change is refused', async () => {
    const test = opened({ modes });
    const taken = test.session.setConfigOption('@mode', 'code');
    assert.deepEqual(test.agent.heard, ['set @mode code via modes']);
    test.agent.changes[0]!.reject(internal('not today'));
    assert.equal(await taken, false);
    await settle();
    assert.deepEqual(values(test), [['@mode', 'ask', 'modes']]);
    assert.match(test.text, /Notice \(error\): Codex couldn’t change Mode\n {2}not today/);
  });

  void it('restores a value that the agent set but does not list', async () => {
    const test = opened({ configOptions: [model('from elsewhere')] });
    void test.session.setConfigOption('model', 'big');
    assert.deepEqual(values(test), [['model', 'big', 'configOptions']]);
    test.agent.changes[0]!.reject(internal('not today'));
    await settle();
    assert.deepEqual(values(test), [['model', 'from elsewhere', 'configOptions']]);
  });

  void it('restores the value before two refused changes', async () => {
    const test = opened({ configOptions: [flat] });
    void test.session.setConfigOption('depth', '2');
    void test.session.setConfigOption('depth', '1');
    void test.session.setConfigOption('depth', '2');
    for (const change of test.agent.changes) change.reject(internal('not today'));
    await settle();
    assert.deepEqual(values(test), [['depth', '1', 'configOptions']]);
  });

  void it('treats an empty response as success', async () => {
    const test = opened({ models });
    void test.session.setConfigOption('@model', 'm2');
    test.agent.changes[0]!.resolve(undefined);
    await settle();
    assert.deepEqual(values(test), [['@model', 'm2', 'models']]);
  });

  void it('does not send changes that are not offered or not new', () => {
    const test = opened({ modes, configOptions: [] });
    for (const value of ['ask', 'nonsense', true]) void test.session.setConfigOption('@mode', value);
    void test.session.setConfigOption('ghost', 'x');
    assert.deepEqual(test.agent.heard, []);
  });

  void it('replaces the whole list on update and keeps uncovered modes and models', () => {
    const test = opened({ modes, models });
    test.update({ sessionUpdate: 'config_option_update', configOptions: [web(true), { id: 1 }] });
    assert.deepEqual(values(test), [
      ['web', true, 'configOptions'],
      ['@mode', 'ask', 'modes'],
      ['@model', 'm1', 'models'],
    ]);
    test.update({ sessionUpdate: 'config_option_update', configOptions: [model('big')] });
    test.update({ sessionUpdate: 'current_mode_update', currentModeId: 'code' });
    assert.deepEqual(values(test), [
      ['model', 'big', 'configOptions'],
      ['@mode', 'code', 'modes'],
    ]);
    const mode = { ...flat, id: 'how', category: 'mode' };
    test.update({ sessionUpdate: 'config_option_update', configOptions: [mode] });
    assert.deepEqual(values(test), [['how', '1', 'configOptions']]);
  });

  void it('keeps options from an update when the response has only modes', () => {
    const test = new SessionHarness().introduce();
    test.update({ sessionUpdate: 'config_option_update', configOptions: [web(true)] });
    test.open(decodeOpened({ sessionId: 's1', modes }));
    assert.deepEqual(values(test), [
      ['web', true, 'configOptions'],
      ['@mode', 'ask', 'modes'],
    ]);
  });

  void it('shows the options from before a reload until others come', () => {
    const before = opened({ configOptions: [model('big')], modes });
    const stored = toStored(before.session.key, before.session.transcript);
    const restored = () => new SessionHarness('Codex', stored);
    const kept = [
      ['model', 'big', 'configOptions'],
      ['@mode', 'ask', 'modes'],
    ];
    assert.deepEqual(values(restored()), kept);
    assert.deepEqual(values(restored().introduce()), kept);
    // Some agents have options only in the answer that creates a session.
    assert.deepEqual(values(restored().open(decodeOpened({}), false)), kept);
    assert.deepEqual(values(restored().open(decodeOpened({ configOptions: [model('small')] }), false)), [
      ['model', 'small', 'configOptions'],
    ]);
  });

  void it('a new session in place of another has its own options', () => {
    const before = opened({ configOptions: [model('big')], modes });
    const stored = toStored(before.session.key, before.session.transcript);
    assert.deepEqual(values(new SessionHarness('Codex', stored).open(decodeOpened({ sessionId: 's2' }))), []);
    const updated = new SessionHarness('Codex', stored).introduce();
    updated.update({ sessionUpdate: 'config_option_update', configOptions: [web(true)] });
    updated.open(decodeOpened({ sessionId: 's2', modes }));
    assert.deepEqual(values(updated), [
      ['web', true, 'configOptions'],
      ['@mode', 'ask', 'modes'],
    ]);
  });
});
