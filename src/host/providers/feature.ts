import { once } from '../../shared/values/once';
import { commandTable } from '../base/feature';
import type { Providers, ProvidersOptions } from './providers';

/** Where the user sets the model providers of agents, and which of the editor's tools they get. Loaded when the user asks for it. */
export function providersFeature(needs: ProvidersOptions) {
  let made: Providers | undefined;
  const providers = once(async () => {
    const { Providers } = await import('./providers');
    made = new Providers(needs);
    return made;
  });
  const commands = commandTable({
    'parley.configureProviders': async () => (await providers()).open(),
    'parley.configureEditorTools': async () => (await providers()).openTools(),
  });
  const openFor: Providers['openFor'] = async (...page) => (await providers()).openFor(...page);
  return { commands, openFor, dispose: () => made?.dispose() };
}
