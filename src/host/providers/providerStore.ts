import type * as vscode from 'vscode';
import type { AgentSpec } from '../../agent/agentSpec';
import { programPrint } from '../../agent/programKey';
import {
  decodeStoredProviders,
  encodeStoredProviders,
  type StoredProvider,
} from '../../agent/providers/storedProviders';
import { providersKey } from './providerKey';

/** What users have set for the providers of their agents, in the editor's secret storage, bound to the programs. */
export class ProviderStore {
  private readonly storage: vscode.SecretStorage;
  private readonly current: (spec: AgentSpec) => AgentSpec;

  /** `current`: what is really started for an agent. It may throw, and then so does what needs it. */
  constructor(storage: vscode.SecretStorage, current: (spec: AgentSpec) => AgentSpec) {
    this.storage = storage;
    this.current = current;
  }

  async read(spec: AgentSpec): Promise<readonly StoredProvider[]> {
    return decodeStoredProviders(programPrint(this.current(spec)), await this.storage.get(providersKey(spec.id)));
  }

  /** Replaces what was kept; without any, nothing is. */
  async keep(spec: AgentSpec, providers: readonly StoredProvider[]): Promise<void> {
    const key = providersKey(spec.id);
    if (providers.length === 0) await this.storage.delete(key);
    else await this.storage.store(key, encodeStoredProviders(programPrint(this.current(spec)), providers));
  }
}
