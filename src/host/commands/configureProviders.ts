import type { Command, CommandServices } from './command';

/** Shows which services the models of an agent come from, and lets the user set them. */
export function configureProviders({ providers }: Pick<CommandServices, 'providers'>): Command {
  return {
    id: 'parley.configureProviders',
    async execute() {
      await (await providers.get()).open();
    },
  };
}
