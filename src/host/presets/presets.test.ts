import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { askedActions } from '../../../test/unit-support/askedActions';
import { Bringing } from '../../../test/unit-support/bringing';
import { SessionHarness } from '../../../test/unit-support/fakeSession';
import { needsGit } from '../../../test/unit-support/platform';
import { editor } from '../../../test/unit-support/vscode';
import type { AgentSpec } from '../../agent/spec/agentSpec';
import { parsePresets } from '../../agent/spec/preset';
import type { ConfigOption } from '../../shared/transcript/transcript';
import type { FromPresetsTab, ToPresetsTab } from '../../shared/pages/setUpTabs';
import { PresetsTab } from './presetsTab';
import { savePreset } from './savePreset';

const select = (configId: string, currentValue: string, name = currentValue): ConfigOption => ({
  configId,
  name: configId,
  category: configId,
  via: 'configOptions',
  type: 'select',
  currentValue,
  choices: [{ value: currentValue, name }],
});

/** The user's presets, as the settings have them. */
class FakeSettings {
  presetsOfUser: unknown;
  fails = false;

  constructor(value?: unknown) {
    this.presetsOfUser = value;
  }

  setUserPresets(presets: readonly unknown[]): Promise<void> {
    if (this.fails) return Promise.reject(new Error('the file can’t be written'));
    this.presetsOfUser = presets;
    return Promise.resolve();
  }
}

const codex = { id: 'settings:Codex', name: 'Codex' } as AgentSpec;

function catalogOf(settings: FakeSettings, workspace?: unknown) {
  return {
    presets: parsePresets({ user: settings.presetsOfUser, workspace }).presets,
    find: () => codex,
    findByName: (name: string) => (name === codex.name ? codex : undefined),
  };
}

function sessionWith(configOptions: readonly ConfigOption[], cwd?: string) {
  return new SessionHarness('Codex', undefined, cwd).open({ configOptions }).session;
}

const pool = { runningAgentOf: () => ({ redact: (text: string) => text.replace(/sk-\w+/, '[redacted]') }) };

async function save(settings: FakeSettings, options: readonly ConfigOption[], ...answers: readonly string[]) {
  editor.answers.push(...answers);
  await savePreset({ pool, settings, catalog: catalogOf(settings) }, sessionWith(options));
}

const actions = askedActions();
/** The tab of presets, and what it shows at last. */
function tabOf(settings: FakeSettings, workspace?: unknown) {
  let shown: ToPresetsTab | undefined;
  const catalog = {
    get presets() {
      return catalogOf(settings, workspace).presets;
    },
    findPreset: (name: string) => catalogOf(settings, workspace).presets.find((preset) => preset.name === name),
    findByName: () => codex,
    onDidChange: () => ({ dispose: () => undefined }),
  };
  const log = { error: (text: string) => assert.fail(text) } as never;
  const tab = new PresetsTab({ settings, catalog, act: actions.act, log }, (message) => (shown = message));
  const say = async (message: FromPresetsTab) => {
    tab.receive(message);
    await new Promise((resolve) => setImmediate(resolve));
    tab.show();
  };
  return { say, shown: () => shown };
}

beforeEach(() => editor.reset());

test('saves what a session uses under the typed name', async () => {
  const settings = new FakeSettings(['kept']);
  const key: ConfigOption = select('key', 'sk-12345');
  await save(
    settings,
    [select('model', 'large', 'Large'), select('mode', 'plan'), select('effort', 'high'), key],
    ' Fixes ',
  );
  assert.deepEqual(settings.presetsOfUser, [
    'kept',
    { name: 'Fixes', agent: 'Codex', model: 'large', mode: 'plan', options: { effort: 'high' } },
  ]);
  assert.deepEqual(
    editor.shown.map(({ message }) => message),
    ['Preset name', 'Saved the preset “Fixes”.'],
  );
  const [box] = editor.shown[0]?.items as { readonly value: string }[];
  assert.equal(box?.value, 'Codex · Large');
});

test('saves that a session works in its own worktree', needsGit, async (t) => {
  const { there } = await Bringing.start(t, { 'a.txt': 'a\n' });
  const settings = new FakeSettings();
  editor.answers.push('Fixes');
  await savePreset({ pool, settings, catalog: catalogOf(settings) }, sessionWith([], there));
  assert.deepEqual(settings.presetsOfUser, [{ name: 'Fixes', agent: 'Codex', worktree: true }]);
});

test('leaves out a mode that never asks, and says so', async () => {
  const settings = new FakeSettings();
  await save(settings, [select('mode', 'bypassPermissions', 'Bypass')], 'Fast');
  assert.deepEqual(settings.presetsOfUser, [{ name: 'Fast', agent: 'Codex' }]);
  assert.match(editor.shown.at(-1)?.message ?? '', /without “Bypass”, because Codex doesn’t ask for permission in it/);
});

test('replaces a preset only if the user agrees', async () => {
  const before = [{ name: 'Fixes', agent: 'Other', worktree: true }];
  const settings = new FakeSettings(before);
  await save(settings, [select('mode', 'plan')], 'Fixes');
  assert.deepEqual(settings.presetsOfUser, before);
  await save(settings, [select('mode', 'plan')], 'Fixes', 'Replace');
  assert.deepEqual(settings.presetsOfUser, [{ name: 'Fixes', agent: 'Codex', mode: 'plan', worktree: true }]);
  await save(settings, [], '  ');
  assert.equal((settings.presetsOfUser as unknown[]).length, 1);
});

test('says why presets can’t be written, and replaces nothing', async () => {
  const settings = new FakeSettings({ Fixes: { agent: 'typed by hand' } });
  await save(settings, [], 'Fixes', 'Open Settings');
  assert.deepEqual(settings.presetsOfUser, { Fixes: { agent: 'typed by hand' } });
  assert.match(editor.shown.at(-1)?.message ?? '', /Couldn’t change the presets: parley.presets must be a list/);
  const unwritable = new FakeSettings();
  unwritable.fails = true;
  await save(unwritable, [], 'Fixes');
  assert.match(editor.shown.at(-1)?.message ?? '', /the file can’t be written/);
});

test('renames a preset, and makes one the default', async () => {
  const settings = new FakeSettings([
    { name: 'A', agent: 'Codex', default: true },
    { name: 'B', agent: 'Codex' },
  ]);
  const { say, shown } = tabOf(settings);
  await say({ type: 'usePreset', name: 'B', isDefault: true });
  assert.deepEqual(settings.presetsOfUser, [
    { name: 'A', agent: 'Codex' },
    { name: 'B', agent: 'Codex', default: true },
  ]);
  assert.deepEqual(
    shown()?.presets.map(({ name, isDefault }) => [name, isDefault]),
    [
      ['A', false],
      ['B', true],
    ],
  );
  await say({ type: 'usePreset', name: 'B', isDefault: false });
  editor.answers.push('C');
  await say({ type: 'renamePreset', name: 'B' });
  assert.deepEqual(settings.presetsOfUser, [
    { name: 'A', agent: 'Codex' },
    { name: 'C', agent: 'Codex' },
  ]);
  const [box] = editor.shown.at(-1)?.items as { validateInput(text: string): Promise<string | undefined> }[];
  const problems = [];
  for (const name of ['A', 'B', ' ']) problems.push(await box!.validateInput(name));
  assert.deepEqual(problems, ['Another preset has this name.', undefined, 'Enter a name.']);
});

test('brings a deleted preset back, with everything that it had', async () => {
  const before = [{ name: 'A', agent: 'Codex', worktree: true }, 'typed', { name: 'B', agent: 'Codex' }];
  const settings = new FakeSettings(before);
  const { say, shown } = tabOf(settings);
  await say({ type: 'deletePreset', name: 'A' });
  assert.deepEqual(settings.presetsOfUser, before.slice(1));
  assert.equal(shown()?.deleted, 'A');
  await say({ type: 'undoDeletePreset' });
  assert.deepEqual(settings.presetsOfUser, before);
  // What was added in the meantime stays.
  await say({ type: 'deletePreset', name: 'A' });
  settings.presetsOfUser = [...before.slice(1), { name: 'New', agent: 'Codex' }];
  await say({ type: 'undoDeletePreset' });
  assert.deepEqual(settings.presetsOfUser, [...before.slice(1), { name: 'New', agent: 'Codex' }, before[0]]);
  assert.equal(shown()?.deleted, undefined);
});

test('only starts a preset of the workspace', async () => {
  const settings = new FakeSettings();
  const { say } = tabOf(settings, [{ name: 'Team', agent: 'Codex' }]);
  await say({ type: 'usePreset', name: 'Team', isDefault: true });
  await say({ type: 'renamePreset', name: 'Team' });
  await say({ type: 'deletePreset', name: 'Team' });
  assert.equal(settings.presetsOfUser, undefined);
  await say({ type: 'startPreset', name: 'Team' });
  assert.deepEqual(actions.asked, [['newSession', { preset: 'Team' }]]);
});
