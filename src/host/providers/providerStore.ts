import type * as vscode from 'vscode';
import type { AgentSpec } from '../../agent/agentSpec';
import { programFingerprint } from '../../agent/programKey';
import {
  decodeStoredProviders,
  encodeStoredProviders,
  type StoredProvider,
} from '../../agent/providers/storedProviders';
import { providersKey } from './providerKey';

/** What users have set for the providers of their agents, in the editor's secret storage, bound to the programs. */
export class ProviderStore {
  private readonly storage: Pick<vscode.SecretStorage, 'get' | 'store' | 'delete'>;
  private readonly current: (spec: AgentSpec) => AgentSpec;
  private readonly place: () => string;

  /** `current`: what is really started for an agent. It may throw, and then so does what needs it. `place`: the folders of this window. */
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

  /** Replaces what was kept; without any, nothing is. */
  async keep(spec: AgentSpec, providers: readonly StoredProvider[]): Promise<void> {
    const key = providersKey(spec.id);
    if (providers.length === 0) await this.storage.delete(key);
    else await this.storage.store(key, encodeStoredProviders(this.print(spec), providers));
  }

  private print(spec: AgentSpec): string {
    return programFingerprint(this.current(spec), this.place());
  }
}
