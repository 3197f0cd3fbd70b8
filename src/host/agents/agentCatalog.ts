import { homedir } from 'node:os';
import { join } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { parseAgents, type AgentSpec } from '../../agent/agentSpec';
import { Disposable } from '../../shared/disposable';
import { Emitter } from '../../shared/event';
import type { AgentId } from '../../shared/ids';
import type { AgentListing } from '../../shared/messages';
import { onDidChangeAgentSettings, readAgentSettings, readDefaultAgent } from '../settings';
import type { Log } from '../log/log';

const tourId = 'builtin:tour' as AgentId;

/** The agents the user can start: those of the settings, and the built-in tour agent, which is always there. */
export class AgentCatalog extends Disposable {
  private readonly changed = this.register(new Emitter<void>());
  private readonly tour: AgentSpec;
  private readonly log: Log;
  private configured: readonly AgentSpec[] = [];

  readonly onDidChange = this.changed.event;

  constructor(extensionPath: string, log: Log) {
    super();
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
    this.register(
      onDidChangeAgentSettings(() => {
        this.read();
        this.changed.fire();
      }),
    );
  }

  get all(): readonly AgentSpec[] {
    return [...this.configured, this.tour];
  }

  find(id: AgentId): AgentSpec | undefined {
    return this.all.find((agent) => agent.id === id);
  }

  findByName(name: string): AgentSpec | undefined {
    return this.all.find((agent) => agent.name === name || agent.id === name);
  }

  /** The agent of `parley.defaultAgent`, else the first configured one, else the tour agent. */
  get default(): AgentSpec {
    return this.findByName(readDefaultAgent()) ?? this.configured[0] ?? this.tour;
  }

  listings(): AgentListing[] {
    return this.all.map((agent) => ({
      agentId: agent.id,
      name: agent.name,
      detail:
        agent.source === 'builtin'
          ? l10n.t('Shows how Parley works. No account, no network.')
          : [agent.command.replace(homedir(), '~'), ...agent.args].join(' '),
      source: agent.source,
    }));
  }

  private read(): void {
    const { agents, problems } = parseAgents(vscode.workspace.isTrusted ? readAgentSettings() : {});
    this.configured = agents;
    for (const problem of problems) this.log.warn(problem);
  }
}
