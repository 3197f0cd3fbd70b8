import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { notAList } from '../../agent/spec/preset';
import { messageOf } from '../../shared/values/messageOf';
import type { Settings } from '../settings/settings';
import { showError } from '../ui/notifications';

/** The user's presets in the settings. */
export type PresetSettings = Pick<Settings, 'presetsOfUser' | 'setUserPresets'>;

/**
 * Changes the user's presets in the settings. Resolves to true if they were written. Otherwise, says why, and nothing
 * that the user typed there is replaced.
 */
export async function writePresets(
  settings: PresetSettings,
  change: (value: unknown) => readonly unknown[] | undefined,
): Promise<boolean> {
  const presets = change(settings.presetsOfUser);
  try {
    if (!presets) throw new Error(notAList());
    await settings.setUserPresets(presets);
    return true;
  } catch (error) {
    void tellFailure(messageOf(error));
    return false;
  }
}

async function tellFailure(reason: string): Promise<void> {
  const open = l10n.t('Open Settings');
  const words = l10n.t('Couldn’t change the presets: {0}', reason);
  if ((await showError(words, open)) === open) await openPresetSettings();
}

/** Opens the user's settings at the presets. */
export async function openPresetSettings(): Promise<void> {
  const place = { revealSetting: { key: 'parley.presets', edit: false } };
  await vscode.commands.executeCommand('workbench.action.openSettingsJson', place);
}
