import type { BundledRegistry } from './registryList';
import snapshot from './snapshot.json';

/** The list that ships with Parley, so that agents can be chosen without a network. */
export const bundledList: BundledRegistry = {
  url: 'https://cdn.agentclientprotocol.com/registry/v1/latest/registry.json',
  savedAt: Date.parse(snapshot.made),
  registry: snapshot,
};
