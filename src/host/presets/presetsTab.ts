import { presetName, type Preset } from '../../agent/spec/preset';
import { withDefaultPreset, withoutPreset, withRenamedPreset } from '../../agent/spec/presetList';
import { assertNever } from '../../shared/values/assert';
import { compact } from '../../shared/values/decodeValue';
import { Disposable } from '../../shared/values/disposable';
import type { FromPresetsTab, ToPresetsTab } from '../../shared/pages/setUpTabs';
import { presetWords, type AgentCatalog } from '../agents/agentCatalog';
import type { Act } from '../base/actions';
import type { Log } from '../log/log';
import type { PageTab } from '../pages/pageTab';
import { reported } from '../ui/reported';
import { openPresetSettings, writePresets, type PresetSettings } from './writePresets';
import * as l10n from '@vscode/l10n';
import { askText } from '../ui/quickInput';

export interface PresetsTabServices {
  readonly catalog: Pick<AgentCatalog, 'presets' | 'findPreset' | 'findByName' | 'onDidChange'>;
  readonly settings: PresetSettings;
  readonly act: Act<'newSession'>;
  readonly log: Log;
}

/** The tab of presets. Those of the workspace can only be started. */
export class PresetsTab extends Disposable implements PageTab<FromPresetsTab> {
  private readonly services: PresetsTabServices;
  private readonly post: (message: ToPresetsTab) => void;
  /** The preset that was deleted last, and the user's presets before. */
  private deleted: { readonly name: string; readonly before: unknown } | undefined;

  constructor(services: PresetsTabServices, post: (message: ToPresetsTab) => void) {
    super();
    this.services = services;
    this.post = post;
    this.register(services.catalog.onDidChange(() => this.show()));
  }

  show(): void {
    const presets = this.services.catalog.presets.map((preset) => ({
      name: preset.name,
      detail: presetWords(preset, this.services.catalog.findByName(preset.agent)?.name ?? preset.agent),
      isDefault: preset.isDefault,
      isOfWorkspace: preset.isOfWorkspace,
    }));
    this.post({ type: 'presets', presets, ...compact({ deleted: this.deleted?.name }) });
  }

  receive(message: FromPresetsTab): void {
    reported(this.services.log, this.handle(message));
  }

  private async handle(message: FromPresetsTab): Promise<void> {
    if (message.type === 'openPresetSettings') return openPresetSettings();
    if (message.type === 'undoDeletePreset') return this.undoDelete();
    const preset = this.services.catalog.findPreset(message.name);
    if (!preset) {
      // It was removed in the meantime.
      this.show();
      return;
    }
    if (message.type === 'startPreset') return this.services.act('newSession', { preset: preset.name });
    if (preset.isOfWorkspace) return;
    switch (message.type) {
      case 'usePreset':
        await this.write((value) => withDefaultPreset(value, message.isDefault ? preset.name : undefined));
        return;
      case 'renamePreset':
        return this.rename(preset);
      case 'deletePreset':
        return this.remove(preset);
      default:
        return assertNever(message);
    }
  }

  private async rename({ name }: Preset): Promise<void> {
    const to = await askPresetName(this.services.settings, name);
    if (to !== undefined && to !== name) await this.write((value) => withRenamedPreset(value, name, to));
  }

  private async remove({ name }: Preset): Promise<void> {
    const before = this.services.settings.presetsOfUser;
    if (await this.write((value) => withoutPreset(value, name))) this.deleted = { name, before };
    this.show();
  }

  /** Presets that were added in the meantime stay. */
  private async undoDelete(): Promise<void> {
    const { deleted } = this;
    if (!deleted) return;
    if (await this.write((value) => withEntriesBack(deleted.before, value, deleted.name))) this.deleted = undefined;
    this.show();
  }

  private write(change: Parameters<typeof writePresets>[1]): Promise<boolean> {
    return writePresets(this.services.settings, change);
  }
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

/** Asks for another name of a preset, which no other has. Resolves to undefined if the user cancels. */
async function askPresetName(settings: PresetSettings, name: string): Promise<string | undefined> {
  const value = settings.presetsOfUser;
  const taken = new Set(Array.isArray(value) ? value.map(presetName) : []);
  const validateInput = (text: string) => {
    const to = text.trim();
    if (to === '') return l10n.t('Enter a name.');
    return to !== name && taken.has(to) ? l10n.t('Another preset has this name.') : undefined;
  };
  return (await askText({ value: name, prompt: l10n.t('Preset name'), validateInput }))?.trim();
}
