import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { presetName, type Preset } from '../../agent/spec/preset';
import { withDefaultPreset, withoutPreset, withRenamedPreset } from '../../agent/spec/presetList';
import { presetWords, type AgentCatalog } from '../agents/agentCatalog';
import type { Act } from '../base/actions';
import { showInformation } from '../ui/notifications';
import { askText, pickOne } from '../ui/quickInput';
import { openPresetSettings, writePresets, type PresetSettings } from './writePresets';

export interface ManageNeeds {
  readonly catalog: Pick<AgentCatalog, 'presets' | 'findByName'>;
  readonly settings: PresetSettings;
  readonly act: Act<'newSession'>;
}

type Item = vscode.QuickPickItem & { readonly preset?: Preset };

/** Lets the user start, rename, or delete a preset, or make it the default. The workspace's can only be started. */
export async function managePresets(needs: ManageNeeds): Promise<void> {
  const { catalog } = needs;
  const items: Item[] = catalog.presets.map((preset) => ({
    label: preset.name,
    description: [preset.isDefault ? l10n.t('default') : '', preset.isOfWorkspace ? l10n.t('of this workspace') : '']
      .filter((text) => text !== '')
      .join(' · '),
    detail: presetWords(preset, catalog.findByName(preset.agent)?.name ?? preset.agent),
    preset,
  }));
  const edit: Item = {
    label: l10n.t('Edit in settings'),
    iconPath: new vscode.ThemeIcon('settings-gear'),
    alwaysShow: true,
  };
  const placeHolder =
    items.length > 0
      ? l10n.t('Select a preset')
      : l10n.t('There are no presets yet. Save one from a session with “Parley: Save as Preset…”');
  const picked = await pickOne([...items, edit], { placeHolder });
  if (picked === edit) await openPresetSettings();
  else if (picked?.preset) await change(needs, picked.preset);
}

async function change({ settings, act }: ManageNeeds, preset: Preset): Promise<void> {
  const { name } = preset;
  const write = (edit: Parameters<typeof writePresets>[1]) => writePresets(settings, edit);
  const start = action('play', l10n.t('Start a session'), () => act('newSession', { preset: name }));
  const setDefault = preset.isDefault
    ? action('circle-slash', l10n.t('Don’t use by default'), async () => {
        await write((value) => withDefaultPreset(value, undefined));
      })
    : action('star', l10n.t('Use by default'), async () => {
        await write((value) => withDefaultPreset(value, name));
      });
  const rename = action('edit', l10n.t('Rename…'), async () => {
    const to = await askNewName(settings, name);
    if (to !== undefined && to !== name) await write((value) => withRenamedPreset(value, name, to));
  });
  const remove = action('trash', l10n.t('Delete'), async () => {
    const before = settings.presetsOfUser;
    if (!(await write((value) => withoutPreset(value, name)))) return;
    const undo = l10n.t('Undo');
    const chosen = await showInformation(l10n.t('Deleted the preset “{0}”.', name), undo);
    // Presets that were added in the meantime stay.
    if (chosen === undo) await write((value) => withEntriesBack(before, value, name));
  });
  const edit = action('settings-gear', l10n.t('Edit in settings'), openPresetSettings);
  const actions = preset.isOfWorkspace ? [start, edit] : [start, setDefault, rename, remove, edit];
  await (await pickOne(actions, { title: name, placeHolder: l10n.t('Select what to do with the preset') }))?.run();
}

/** Puts what a deletion removed back at the end, or where it was if nothing else has changed. */
function withEntriesBack(before: unknown, value: unknown, name: string): readonly unknown[] | undefined {
  const entries: readonly unknown[] = Array.isArray(before) ? before : [];
  const isOnlyChange = JSON.stringify(withoutPreset(before, name)) === JSON.stringify(value ?? []);
  if (isOnlyChange) return entries;
  const removed = entries.filter((entry) => presetName(entry) === name);
  const present = withoutPreset(value, name);
  return present && [...present, ...removed];
}

function action(icon: string, label: string, run: () => Promise<void>) {
  return { label, iconPath: new vscode.ThemeIcon(icon), run };
}

async function askNewName(settings: PresetSettings, name: string): Promise<string | undefined> {
  const value = settings.presetsOfUser;
  const taken = new Set(Array.isArray(value) ? value.map(presetName) : []);
  const validateInput = (text: string) => {
    const to = text.trim();
    if (to === '') return l10n.t('Enter a name.');
    return to !== name && taken.has(to) ? l10n.t('Another preset has this name.') : undefined;
  };
  return (await askText({ value: name, prompt: l10n.t('Preset name'), validateInput }))?.trim();
}
