import type { FromPresetsTab, ToPresetsTab } from '../../shared/pages/setUpTabs';
import { actionTable, commandTable } from '../base/feature';
import type { Act } from '../base/actions';
import type { ChatPages } from '../pages/chatPages';
import type { MakeTab } from '../pages/pageTab';
import type { PresetsTabServices } from './presetsTab';
import { savePreset, type SaveNeeds } from './savePreset';

export type PresetNeeds = SaveNeeds &
  PresetsTabServices & {
    readonly act: Act<'showParley'>;
    readonly pages: Pick<ChatPages, 'activeSession'>;
  };

/** Saving what a session uses as a preset, and changing presets. */
export function presetsFeature(needs: PresetNeeds) {
  const tab: MakeTab<FromPresetsTab, ToPresetsTab> = async (post) =>
    new (await import('./presetsTab')).PresetsTab(needs, post);
  const commands = commandTable({
    'parley.savePreset': async () => {
      const session = needs.pages.activeSession;
      if (session) await savePreset(needs, session);
    },
  });
  return { commands, tab, actions: actionTable({ managePresets: () => needs.act('showParley', 'presets') }) };
}
