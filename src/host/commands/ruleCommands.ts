import type { Command, CommandServices } from './command';

/** Shows the page of permission rules; with a rule's id, at this rule. */
export function showPermissionRules({ rulesPages }: Pick<CommandServices, 'rulesPages'>): Command {
  return {
    id: 'parley.showPermissionRules',
    execute: (id) => rulesPages.show(typeof id === 'string' ? id : undefined),
  };
}

/** Allows everything in the session used last, after a warning. */
export function allowEverything({ pages, everything }: Pick<CommandServices, 'pages' | 'everything'>): Command {
  return {
    id: 'parley.allowEverything',
    async execute() {
      const session = pages.activeSession;
      if (session) await everything.turnOn(session);
    },
  };
}

/** Turns it off in every session. */
export function stopAllowingEverything({ everything }: Pick<CommandServices, 'everything'>): Command {
  return { id: 'parley.stopAllowingEverything', execute: () => everything.turnOffAll() };
}
