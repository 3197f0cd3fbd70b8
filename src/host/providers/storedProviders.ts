import type * as vscode from 'vscode';
import { isConnectionClosed } from '../../acp/base/errors';
import type { AgentSpec } from '../../agent/spec/agentSpec';
import { notSet, sendAgain } from '../../agent/providers/providerRequests';
import type { ConfigureAgent } from '../../agent/pool/startAgent';
import type { IDisposable } from '../../shared/values/disposable';
import { messageOf } from '../../shared/values/messageOf';
import { workspaceRoots } from '../base/folders';
import { providersKey } from './providerKey';
import { ProviderStore } from './providerStore';

export interface StoredProviderNeeds {
  readonly secrets: vscode.SecretStorage;
  /** Returns what actually starts for an agent. Throws if the agent no longer exists. */
  readonly current: (spec: AgentSpec) => AgentSpec;
  /** Runs `action` once after `ms` milliseconds, unless disposed first. */
  readonly schedule: (ms: number, action: () => void) => IDisposable;
}

/** The model providers stored for agents, and what sends them to a newly started agent that supports them. */
export function storedProviders({ secrets, current, schedule }: StoredProviderNeeds) {
  const store = new ProviderStore(secrets, current, () => workspaceRoots().join('\n'));
  const configure: ConfigureAgent = async (spec, agent, signal) => {
    if (!agent.can?.providers) return [];
    try {
      // Only checks whether anything is stored. Reading checks whether it was stored for this program.
      if ((await secrets.get(providersKey(spec.id))) === undefined) return [];
      return await sendAgain(spec.name, agent, await store.read(spec), schedule, signal);
    } catch (error) {
      if (signal.aborted || agent.hasExited || isConnectionClosed(error)) throw error;
      // A failure must not prevent the session from opening.
      return [notSet(spec.name, [messageOf(error)])];
    }
  };
  return { store, configure };
}
