import type { Command, CommandServices } from './command';

/** Shows the model providers of an agent and lets the user change them. */
export function configureProviders({ providers }: Pick<CommandServices, 'providers'>): Command {
  return {
    id: 'parley.configureProviders',
    async execute() {
      await (await providers.get()).open();
    },
  };
}
