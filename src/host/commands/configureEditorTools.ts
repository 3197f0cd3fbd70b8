import type { Command, CommandServices } from './command';

/** Shows which of the editor's tools an agent can use, and lets the user turn them on and off. */
export function configureEditorTools({ providers }: Pick<CommandServices, 'providers'>): Command {
  return {
    id: 'parley.configureEditorTools',
    async execute() {
      await (await providers.get()).openTools();
    },
  };
}
