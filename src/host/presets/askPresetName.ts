import * as l10n from '@vscode/l10n';
import { presetName } from '../../agent/spec/preset';
import { askText } from '../ui/quickInput';
import type { PresetSettings } from './writePresets';

/** Asks for another name of a preset, which no other has. Resolves to undefined if the user cancels. */
export async function askPresetName(settings: PresetSettings, name: string): Promise<string | undefined> {
  const value = settings.presetsOfUser;
  const taken = new Set(Array.isArray(value) ? value.map(presetName) : []);
  const validateInput = (text: string) => {
    const to = text.trim();
    if (to === '') return l10n.t('Enter a name.');
    return to !== name && taken.has(to) ? l10n.t('Another preset has this name.') : undefined;
  };
  return (await askText({ value: name, prompt: l10n.t('Preset name'), validateInput }))?.trim();
}
