import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { DisposableStore } from '../../shared/values/disposable';
import { actionTable, commandTable } from '../base/feature';
import type { Log } from '../log/log';
import type { AddedAgents } from '../registry/addedAgents';
import type { LazyRegistry } from '../registry/lazyRegistry';
import type { AgentCatalog } from './agentCatalog';
import { AgentProblems } from './agentProblems';
import { OfferedAgents } from './offeredAgents';
import { warnUntrusted } from './trust';

export interface AgentsNeeds {
  readonly catalog: AgentCatalog;
  readonly added: AddedAgents;
  readonly registry: LazyRegistry;
  /** Remembers which problems the user was told about. */
  readonly memory: vscode.Memento;
  readonly log: Log;
}

/** The agents that the user can add, and what is wrong with those in the settings. */
export function agentsFeature({ catalog, added, registry, memory, log }: AgentsNeeds) {
  const parts = new DisposableStore();
  parts.add(new AgentProblems(catalog, memory));
  const offered = parts.add(new OfferedAgents(registry, added, log));
  parts.add(registry.onDidLoad(() => void offered.findAgain()));
  const list = async () => {
    if (vscode.workspace.isTrusted) return (await registry.get()).show();
    await warnUntrusted(l10n.t('This folder isn’t trusted yet, so you can’t add or start agents here.'));
  };
  // Both show the same list, with updates at its top. The button for the second is shown while there are updates.
  const commands = commandTable({ 'parley.addAgent': list, 'parley.updateAgents': list });
  return { offered, commands, actions: actionTable({ addAgent: list }), dispose: () => parts.dispose() };
}
