import assert from 'node:assert/strict';
import { beforeEach, test, type TestContext } from 'node:test';
import { askedActions } from '../../../test/unit-support/askedActions';
import { Bringing } from '../../../test/unit-support/bringing';
import { SessionHarness } from '../../../test/unit-support/fakeSession';
import { needsGit } from '../../../test/unit-support/platform';
import { editor, window } from '../../../test/unit-support/vscode';
import type { AgentSpec } from '../../agent/spec/agentSpec';
import { parsePresets } from '../../agent/spec/preset';
import type { ConfigOption } from '../../shared/transcript';
import { managePresets } from './managePresets';
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

/** Answers the editor's lists with the entries of these labels, one after another. */
function picks(t: TestContext, ...labels: readonly string[]): readonly (readonly string[])[] {
  const offered: (readonly string[])[] = [];
  const left = [...labels];
  const show = (items: readonly { readonly label: string }[]) => {
    offered.push(items.map(({ label }) => label));
    const label = left.shift();
    return Promise.resolve(items.find((item) => item.label === label));
  };
  t.mock.method(window as unknown as Record<'showQuickPick', typeof show>, 'showQuickPick', show);
  return offered;
}

const actions = askedActions();
const manage = (settings: FakeSettings, workspace?: unknown) =>
  managePresets({ settings, catalog: catalogOf(settings, workspace), act: actions.act });

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

test('renames a preset, and makes it the default', async (t) => {
  const settings = new FakeSettings([
    { name: 'A', agent: 'Codex', default: true },
    { name: 'B', agent: 'Codex' },
  ]);
  const offered = picks(t, 'B', 'Use by default', 'B', 'Don’t use by default', 'B', 'Rename…');
  await manage(settings);
  assert.deepEqual(offered, [
    ['A', 'B', 'Edit in settings'],
    ['Start a session', 'Use by default', 'Rename…', 'Delete', 'Edit in settings'],
  ]);
  assert.deepEqual(settings.presetsOfUser, [
    { name: 'A', agent: 'Codex' },
    { name: 'B', agent: 'Codex', default: true },
  ]);
  await manage(settings);
  assert.deepEqual(settings.presetsOfUser, [
    { name: 'A', agent: 'Codex' },
    { name: 'B', agent: 'Codex' },
  ]);
  editor.answers.push('C');
  await manage(settings);
  assert.deepEqual(settings.presetsOfUser, [
    { name: 'A', agent: 'Codex' },
    { name: 'C', agent: 'Codex' },
  ]);
  const [box] = editor.shown.at(-1)?.items as { validateInput(text: string): Promise<string | undefined> }[];
  const problems = [];
  for (const name of ['A', 'B', ' ']) problems.push(await box!.validateInput(name));
  assert.deepEqual(problems, ['Another preset has this name.', undefined, 'Enter a name.']);
});

test('brings a deleted preset back, with everything that it had', async (t) => {
  const before = [{ name: 'A', agent: 'Codex', worktree: true }, 'typed', { name: 'B', agent: 'Codex' }];
  const settings = new FakeSettings(before);
  picks(t, 'A', 'Delete', 'A', 'Delete');
  await manage(settings);
  assert.deepEqual(settings.presetsOfUser, before.slice(1));
  settings.presetsOfUser = before;
  editor.answers.push('Undo');
  await manage(settings);
  assert.deepEqual(settings.presetsOfUser, before);
});

test('only starts a preset of the workspace', async (t) => {
  const offered = picks(t, 'Team', 'Start a session');
  await manage(new FakeSettings(), [{ name: 'Team', agent: 'Codex' }]);
  assert.deepEqual(offered[1], ['Start a session', 'Edit in settings']);
  assert.deepEqual(actions.asked, [['newSession', { preset: 'Team' }]]);
});
