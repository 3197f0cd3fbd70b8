import * as vscode from 'vscode';
import type { AgentPool } from '../../agent/pool/agentPool';
import type { AgentSpec } from '../../agent/spec/agentSpec';
import { withDefaultPreset } from '../../agent/spec/presetList';
import { assertNever } from '../../shared/values/assert';
import { Disposable } from '../../shared/values/disposable';
import type { FromAgentsTab, ListedAgent, ToAgentsTab } from '../../shared/pages/setUpTabs';
import type { AgentCatalog } from '../agents/agentCatalog';
import type { Act } from '../base/actions';
import type { Log } from '../log/log';
import type { PageTab } from '../pages/pageTab';
import { writePresets, type PresetSettings } from '../presets/writePresets';
import { reported } from '../ui/reported';

/** What the tab of agents shows and does. */
export interface AgentsTabServices {
  readonly catalog: AgentCatalog;
  readonly pool: Pick<AgentPool, 'running' | 'onDidChangeSessions'>;
  readonly settings: PresetSettings & { setDefaultAgent(name: string): Promise<void> };
  readonly act: Act<'addAgent' | 'newSession'>;
  readonly logIn: (spec: AgentSpec) => Promise<void>;
  /** Opens the page of an agent's model providers, or of the editor's tools that it gets. */
  readonly configure: (spec: AgentSpec, topic: 'providers' | 'tools') => Promise<void>;
  readonly log: Log;
}

/** The tab of agents. Selecting it starts nothing. */
export class AgentsTab extends Disposable implements PageTab<FromAgentsTab> {
  private readonly services: AgentsTabServices;
  private readonly post: (message: ToAgentsTab) => void;

  constructor(services: AgentsTabServices, post: (message: ToAgentsTab) => void) {
    super();
    this.services = services;
    this.post = post;
    this.register(services.catalog.onDidChange(() => this.show()));
    this.register(services.pool.onDidChangeSessions(() => this.show()));
  }

  show(): void {
    this.post({ type: 'agents', agents: this.listed() });
  }

  receive(message: FromAgentsTab): void {
    reported(this.services.log, this.handle(message));
  }

  private async handle(message: FromAgentsTab): Promise<void> {
    const { act, logIn, configure } = this.services;
    if (message.type === 'addAgent') return act('addAgent');
    if (message.type === 'openAgentSettings')
      return void (await vscode.commands.executeCommand('workbench.action.openSettings', 'parley.agents'));
    const spec = this.services.catalog.find(message.id);
    if (!spec) {
      // It was removed in the meantime.
      this.show();
      return;
    }
    switch (message.type) {
      case 'startAgent':
        return act('newSession', { agent: spec.id });
      case 'useAgent':
        return this.use(spec);
      case 'logInAgent':
        return logIn(spec);
      case 'openProviders':
        return configure(spec, 'providers');
      case 'openTools':
        return configure(spec, 'tools');
      default:
        return assertNever(message);
    }
  }

  /** The default preset would win over the agent. */
  private async use(spec: AgentSpec): Promise<void> {
    const { catalog, settings } = this.services;
    const isByName = catalog.findByName(spec.name)?.id === spec.id;
    await settings.setDefaultAgent(isByName ? spec.name : spec.id);
    if (catalog.defaultPreset && !catalog.defaultPreset.isOfWorkspace)
      await writePresets(settings, (value) => withDefaultPreset(value, undefined));
  }

  private listed(): readonly ListedAgent[] {
    const { catalog, pool } = this.services;
    const running = new Map(pool.running.map(({ agent, spec }) => [spec.id, agent]));
    const first = catalog.defaultPreset ? undefined : catalog.default.id;
    const places = { builtin: 'builtin', registry: 'added', settings: 'settings' } as const;
    return catalog.listings().map(({ agentId, name, detail, source }) => ({
      id: agentId,
      name,
      detail,
      source: catalog.find(agentId)?.isOfWorkspace ? 'workspace' : places[source],
      isDefault: agentId === first,
      isRunning: running.has(agentId),
      takesProviders: running.get(agentId)?.can?.providers ?? source !== 'builtin',
    }));
  }
}
