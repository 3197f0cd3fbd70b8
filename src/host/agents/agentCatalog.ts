import { hostOf } from '../../agent/remote/linkWords';
import { homedir } from 'node:os';
import { sandboxWords } from '../../shared/limits/sandboxWords';
import { join } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { parseAgents, type AgentSpec } from '../../agent/spec/agentSpec';
import { parsePresets, type Preset } from '../../agent/spec/preset';
import { addedAgentSpec } from '../../agent/registry/addedAgent';
import { Disposable } from '../../shared/values/disposable';
import { Emitter } from '../../shared/values/event';
import { tourAgentId, type AgentId } from '../../shared/values/ids';
import type { AgentListing, PresetListing } from '../../shared/pages/messages';
import type { Settings } from '../settings/settings';
import type { ReadSettings } from '../settings/settingTable';
import type { Log } from '../log/log';
import type { AddedAgents } from '../registry/addedAgents';
import { agentWords } from '../registry/agentWords';

type CatalogSettings = Pick<Settings, 'agentsOfWorkspace' | 'presetsByScope' | 'onDidChange'> &
  ReadSettings<'agents' | 'defaultAgent' | 'protocolVersion'>;

/**
 * The agents the user can start: from the settings, from the registry, and the built-in tour agent, which is always
 * present. Also the user's presets of them.
 */
export class AgentCatalog extends Disposable {
  private readonly changed = this.register(new Emitter<void>());
  private readonly tour: AgentSpec;
  private readonly log: Log;
  private readonly added: AddedAgents;
  private readonly settings: CatalogSettings;
  private configured: readonly AgentSpec[] = [];
  private wrong: readonly string[] = [];
  private wrongSetting: 'parley.agents' | 'parley.presets' = 'parley.agents';
  private knownPresets: readonly Preset[] = [];

  readonly onDidChange = this.changed.event;

  constructor(extensionPath: string, log: Log, added: AddedAgents, settings: CatalogSettings) {
    super();
    this.settings = settings;
    this.added = added;
    this.log = log;
    this.tour = {
      id: tourAgentId,
      name: l10n.t('Tour agent'),
      command: process.execPath,
      args: [join(extensionPath, 'dist', 'tourAgent.js')],
      // On the desktop, the editor's executable acts as Node only with this variable.
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
    this.register(settings.onDidChange(readAgain));
  }

  get all(): readonly AgentSpec[] {
    const protocolVersion = this.settings.get('protocolVersion');
    const agents = [...this.configured, ...this.added.all.map(addedAgentSpec)];
    if (protocolVersion === 1) return [...agents, this.tour];
    return [...agents.map((agent) => ({ protocolVersion, ...agent })), this.tour];
  }

  /** One sentence for each problem in `parley.agents` and `parley.presets`. */
  get problems(): readonly string[] {
    return this.wrong;
  }

  /** The setting that the first problem is in. */
  get problemSetting(): 'parley.agents' | 'parley.presets' {
    return this.wrongSetting;
  }

  find(id: AgentId): AgentSpec | undefined {
    return this.all.find((agent) => agent.id === id);
  }

  findByName(name: string): AgentSpec | undefined {
    return this.all.find((agent) => agent.name === name || agent.id === name);
  }

  /** The presets in their order, also those whose agent the user doesn't have. */
  get presets(): readonly Preset[] {
    return this.knownPresets;
  }

  /** The preset of sessions for which the user chooses nothing. */
  get defaultPreset(): Preset | undefined {
    return this.presets.find(({ isDefault }) => isDefault);
  }

  /**
   * The agent of the default preset, or that of `parley.defaultAgent`, or the first configured or added agent, or the
   * tour agent.
   */
  get default(): AgentSpec {
    const ofPreset = this.defaultPreset && this.findByName(this.defaultPreset.agent);
    return ofPreset ?? this.findByName(this.settings.get('defaultAgent')) ?? this.all[0] ?? this.tour;
  }

  findPreset(name: string): Preset | undefined {
    return this.presets.find((preset) => preset.name === name);
  }

  /** The presets that can be started, because the user has their agents. */
  presetListings(): PresetListing[] {
    return this.presets.flatMap((preset) => {
      const agent = this.findByName(preset.agent);
      if (!agent) return [];
      const { name, isDefault } = preset;
      return [
        { name, agentId: agent.id, detail: presetWords(preset, agent.name), ...(isDefault ? { isDefault } : {}) },
      ];
    });
  }

  listings(): AgentListing[] {
    return this.all.map((agent) => ({
      agentId: agent.id,
      name: agent.name,
      detail:
        agent.source === 'builtin'
          ? l10n.t('See how Parley works. No account or network needed.')
          : wordsFor(agent) + (agent.version === undefined ? '' : ` · ${agent.version}`),
      source: agent.source,
    }));
  }

  private read(): void {
    const { agents, problems } = parseAgents(vscode.workspace.isTrusted ? this.settings.get('agents') : {});
    const ofWorkspace = this.settings.agentsOfWorkspace;
    // Surrounding spaces in names are ignored.
    const names = new Set([...ofWorkspace].map((name) => name.trim()));
    this.configured = agents.map((agent) => (names.has(agent.name) ? { ...agent, isOfWorkspace: true } : agent));
    const { presets, problems: others } = parsePresets(
      vscode.workspace.isTrusted ? this.settings.presetsByScope : { user: undefined, workspace: undefined },
    );
    this.knownPresets = presets;
    this.wrong = [...problems, ...others];
    this.wrongSetting = problems.length > 0 ? 'parley.agents' : 'parley.presets';
    for (const problem of this.wrong) this.log.warn(problem);
  }
}

/** Returns a preset's agent and choices on one line. */
export function presetWords({ model, mode, options, sandbox }: Preset, agentName: string): string {
  const others = Object.values(options).filter((value) => typeof value === 'string');
  const held = sandbox === undefined ? undefined : sandboxWords(sandbox);
  return [agentName, model, mode, ...others, held].filter((text) => text !== undefined).join(' · ');
}

/** Returns who makes an agent of the registry, if Parley knows it, or how an agent is started. */
function wordsFor(agent: AgentSpec): string {
  const known = agent.source === 'registry' ? agentWords(agent.id) : undefined;
  if (known !== undefined) return known;
  if (agent.url !== undefined) return remoteDetail(agent.url);
  const chain = agent.chain ? [agent.chain.conductor, ...agent.chain.proxies] : [];
  return [...chain, agent].map(commandOf).join(' → ');
}

/** Only the host, because paths and queries may have tokens. */
function remoteDetail(url: string): string {
  const host = hostOf(url);
  return host === '' ? l10n.t('On another machine') : host;
}

function commandOf({ command, args }: Pick<AgentSpec, 'command' | 'args'>): string {
  return [command.replace(homedir(), '~'), ...args].join(' ');
}
