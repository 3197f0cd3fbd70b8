import type { Command, CommandServices } from './command';

/** Opens the session that was used last in an editor tab, too. */
export function openChatInEditor({ pages }: CommandServices): Command {
  return {
    id: 'parley.openChatInEditor',
    execute: () => pages.openPanel(pages.activeSession?.key ?? '').post({ type: 'focusComposer' }),
  };
}
