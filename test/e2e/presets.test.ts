import assert from 'node:assert/strict';
import { inRoot } from '../root.mjs';
import { scene } from './harness';

const select = (id: string, name: string, ...values: readonly string[]) => ({
  id,
  name,
  category: id,
  type: 'select',
  currentValue: values[0],
  options: values.map((value) => ({ value, name: value })),
});

const script = {
  newSession: { configOptions: [select('mode', 'Mode', 'ask', 'plan'), select('model', 'Model', 'small', 'large')] },
  turns: [{ steps: [{ say: 'done' }], stopReason: 'end_turn' }],
  answers: { 'session/set_config_option': {} },
};

const agent = {
  command: process.execPath,
  args: [inRoot('test', 'fixtures', 'agents', 'scripted.mjs'), JSON.stringify(script)],
};

scene(
  'saves a session as a preset, and starts another one like it',
  {
    agents: { Codex: agent },
    settings: { 'parley.presets': [{ name: 'Plan first', agent: 'Codex', mode: 'plan', model: 'gone' }] },
  },
  async ({ workbench, chat, openChat, screenshot }) => {
    const valueOf = (name: string) => {
      const option = chat.page.getByRole('combobox', { name, exact: true });
      return option.evaluate((element) => (element as HTMLSelectElement).value);
    };
    const values = async () => `${await valueOf('Mode')}, ${await valueOf('Model')}`;
    await openChat();
    await chat.page.getByRole('list', { name: 'Presets' }).waitFor();
    await workbench.runCommand('Parley: New Session…');
    await workbench.pick('Plan first');
    // The notice comes after what the agent offers was set.
    await chat.article('Notice').getByText('The model “gone” isn’t available.').waitFor();
    assert.equal(await values(), 'plan, small');
    await screenshot('preset-notice');

    await workbench.runCommand('Parley: Save as Preset…');
    const input = workbench.page.locator('.quick-input-widget:visible input[type="text"]');
    await input.waitFor();
    await input.fill('Mine');
    await input.press('Enter');
    await workbench.notification('Saved the preset “Mine”.');
    await workbench.runCommand('Parley: New Session…');
    await workbench.pick('Mine');
    await chat.page.getByRole('tab').nth(1).waitFor();
    // The message waits for the preset.
    await chat.send('go');
    await chat.untilIdle();
    assert.equal(await values(), 'plan, small');
    assert.equal(await chat.article('Notice').count(), 0);
    await workbench.runCommand('Parley: Close Session');
  },
);
