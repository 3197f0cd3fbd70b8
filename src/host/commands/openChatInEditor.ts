import type { Command, CommandServices } from './command';

/** Also opens the session used last in an editor tab. */
export function openChatInEditor({ pages }: CommandServices): Command {
  return {
    id: 'parley.openChatInEditor',
    execute: () => pages.openPanel(pages.activeSession?.key ?? '').post({ type: 'focusComposer' }),
  };
}
