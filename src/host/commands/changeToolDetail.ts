import { toolDetails } from '../../shared/messages';
import type { Command, CommandServices } from './command';

/** Switches to the next level of tool detail. The chat announces it. */
export function changeToolDetail({ settings }: CommandServices): Command {
  return {
    id: 'parley.changeToolDetail',
    async execute() {
      const at = toolDetails.indexOf(settings.toolDetail);
      await settings.setToolDetail(toolDetails[(at + 1) % toolDetails.length] ?? 'normal');
    },
  };
}
