import { commandTable } from '../base/feature';
import { Providers, type ProvidersOptions } from './providers';

/** Where the user sets the model providers of agents, and which of the editor's tools they get. */
export function providersFeature(needs: ProvidersOptions) {
  const providers = new Providers(needs);
  const commands = commandTable({
    'parley.configureProviders': () => providers.open(),
    'parley.configureEditorTools': () => providers.openTools(),
  });
  return { commands, openFor: providers.openFor.bind(providers), dispose: () => providers.dispose() };
}
