import { homedir } from 'node:os';
import { join } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { parseAgents, type AgentSpec } from '../../agent/agentSpec';
import { addedAgentSpec } from '../../agent/registry/addedAgent';
import { Disposable } from '../../shared/disposable';
import { Emitter } from '../../shared/event';
import type { AgentId } from '../../shared/ids';
import type { AgentListing } from '../../shared/messages';
import { onDidChangeAgentSettings, readAgentSettings, readDefaultAgent } from '../settings';
import type { Log } from '../log/log';
import type { AddedAgents } from '../registry/addedAgents';

const tourId = 'builtin:tour' as AgentId;

/** The agents the user can start: those of the settings, those added from the registry, and the built-in tour agent, which is always there. */
export class AgentCatalog extends Disposable {
  private readonly changed = this.register(new Emitter<void>());
  private readonly tour: AgentSpec;
  private readonly log: Log;
  private readonly added: AddedAgents;
  private configured: readonly AgentSpec[] = [];
  private wrong: readonly string[] = [];

  readonly onDidChange = this.changed.event;

  constructor(extensionPath: string, log: Log, added: AddedAgents) {
    super();
    this.added = added;
    this.log = log;
    this.tour = {
      id: tourId,
      name: l10n.t('Tour agent'),
      command: process.execPath,
      args: [join(extensionPath, 'dist', 'tourAgent.js')],
      // The editor's own Node: on the desktop its executable must be told to be one.
      env: { ELECTRON_RUN_AS_NODE: '1' },
      mcp: false,
      source: 'builtin',
    };
    this.read();
    this.register(added.onDidChange(() => this.changed.fire()));
    const readAgain = () => {
      this.read();
      this.changed.fire();
    };
    this.register(onDidChangeAgentSettings(readAgain));
    this.register(vscode.workspace.onDidGrantWorkspaceTrust(readAgain));
  }

  get all(): readonly AgentSpec[] {
    return [...this.configured, ...this.added.all.map(addedAgentSpec), this.tour];
  }

  /** What is wrong in `parley.agents`, a sentence for each. */
  get problems(): readonly string[] {
    return this.wrong;
  }

  find(id: AgentId): AgentSpec | undefined {
    return this.all.find((agent) => agent.id === id);
  }

  findByName(name: string): AgentSpec | undefined {
    return this.all.find((agent) => agent.name === name || agent.id === name);
  }

  /** The agent of `parley.defaultAgent`, else the first configured or added one, else the tour agent. */
  get default(): AgentSpec {
    return this.findByName(readDefaultAgent()) ?? this.all[0] ?? this.tour;
  }

  listings(): AgentListing[] {
    return this.all.map((agent) => ({
      agentId: agent.id,
      name: agent.name,
      detail:
        agent.source === 'builtin'
          ? l10n.t('Shows how Parley works. No account, no network.')
          : (agent.version === undefined ? '' : `${agent.version} · `) +
            [agent.command.replace(homedir(), '~'), ...agent.args].join(' '),
      source: agent.source,
    }));
  }

  private read(): void {
    const { agents, problems } = parseAgents(vscode.workspace.isTrusted ? readAgentSettings() : {});
    this.configured = agents;
    this.wrong = problems;
    for (const problem of problems) this.log.warn(problem);
  }
}
