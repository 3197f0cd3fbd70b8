import { existsSync } from 'node:fs';
import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import { SpawnFailure } from '../../agent/process/agentProcess';
import type { AgentSpec } from '../../agent/spec/agentSpec';
import { addedAgentSpec, decodeAddedAgents, type AddedAgent } from '../../agent/registry/addedAgent';
import { Disposable } from '../../shared/values/disposable';
import { Emitter } from '../../shared/values/event';
import { noteUse } from './usedVersions';

const key = 'parley.addedAgents';

/** The agents that the user has added from the registry, stored on this machine. */
export class AddedAgents extends Disposable {
  private readonly memory: vscode.Memento;
  private readonly changed = this.register(new Emitter<void>());

  readonly onDidChange = this.changed.event;

  constructor(memory: vscode.Memento) {
    super();
    this.memory = memory;
  }

  get all(): readonly AddedAgent[] {
    return decodeAddedAgents(this.memory.get(key));
  }

  /** Adds an agent, or replaces its earlier version. */
  async add(agent: AddedAgent): Promise<void> {
    const { all } = this;
    const isKnown = all.some(({ id }) => id === agent.id);
    await this.remember(isKnown ? all.map((other) => (other.id === agent.id ? agent : other)) : [...all, agent]);
  }

  async remove(id: string): Promise<void> {
    await this.remember(this.all.filter((agent) => agent.id !== id));
  }

  /** Returns what to start for an agent: the version added now, if it's from the registry. Throws if it was removed. */
  current(spec: AgentSpec): AgentSpec {
    if (spec.source !== 'registry') return spec;
    const agent = this.all.find(({ id }) => id === spec.id);
    if (!agent || (agent.folder !== undefined && !existsSync(agent.folder))) {
      const words = l10n.t('{0} is no longer installed. Add it again with “Parley: Add Agent…”.', spec.name);
      throw new SpawnFailure('other', spec.command, words);
    }
    if (agent.folder !== undefined) noteUse(agent.folder);
    return addedAgentSpec(agent);
  }

  private async remember(agents: readonly AddedAgent[]): Promise<void> {
    await this.memory.update(key, agents);
    this.changed.fire();
  }
}
