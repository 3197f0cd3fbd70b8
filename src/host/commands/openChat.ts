import type { Command, CommandServices } from './command';

/** Shows the chat and focuses its composer. */
export function openChat({ pages }: CommandServices): Command {
  return {
    id: 'parley.openChat',
    execute: () => pages.withPage((page) => page.post({ type: 'focusComposer' })),
  };
}
