import { actionTable, commandTable } from '../base/feature';
import type { ChatPages } from '../pages/chatPages';
import { managePresets, type ManageNeeds } from './managePresets';
import { savePreset, type SaveNeeds } from './savePreset';

export type PresetNeeds = SaveNeeds &
  ManageNeeds & {
    readonly pages: Pick<ChatPages, 'activeSession'>;
  };

/** Saving what a session uses as a preset, and changing presets. */
export function presetsFeature(needs: PresetNeeds) {
  const manage = () => managePresets(needs);
  const commands = commandTable({
    'parley.savePreset': async () => {
      const session = needs.pages.activeSession;
      if (session) await savePreset(needs, session);
    },
    'parley.managePresets': manage,
  });
  return { commands, actions: actionTable({ managePresets: manage }) };
}
