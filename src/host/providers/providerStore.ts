import type * as vscode from 'vscode';
import type { AgentSpec } from '../../agent/spec/agentSpec';
import { programFingerprint } from '../../agent/spec/programKey';
import {
  decodeStoredProviders,
  encodeStoredProviders,
  type StoredProvider,
} from '../../agent/providers/storedProviders';
import { providersKey } from './providerKey';

/**
 * Stores the providers that the user has set for agents in the editor's secret storage, bound to the agents' programs.
 */
export class ProviderStore {
  private readonly storage: Pick<vscode.SecretStorage, 'get' | 'store' | 'delete'>;
  private readonly current: (spec: AgentSpec) => AgentSpec;
  private readonly place: () => string;

  /**
   * `current` returns what actually starts for an agent, and may throw, as do the methods that use it. `place`
   * identifies the folders of this window.
   */
  constructor(
    storage: Pick<vscode.SecretStorage, 'get' | 'store' | 'delete'>,
    current: (spec: AgentSpec) => AgentSpec,
    place: () => string,
  ) {
    this.place = place;
    this.storage = storage;
    this.current = current;
  }

  async read(spec: AgentSpec): Promise<readonly StoredProvider[]> {
    return decodeStoredProviders(this.print(spec), await this.storage.get(providersKey(spec.id)));
  }

  /** Replaces the stored providers. An empty list deletes them. */
  async keep(spec: AgentSpec, providers: readonly StoredProvider[]): Promise<void> {
    const key = providersKey(spec.id);
    if (providers.length === 0) await this.storage.delete(key);
    else await this.storage.store(key, encodeStoredProviders(this.print(spec), providers));
  }

  private print(spec: AgentSpec): string {
    return programFingerprint(this.current(spec), this.place());
  }
}
