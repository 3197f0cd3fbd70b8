import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { AgentPool } from '../../agent/pool/agentPool';
import type { AgentSpec } from '../../agent/spec/agentSpec';
import { Disposable } from '../../shared/values/disposable';
import type { Event } from '../../shared/values/event';
import type { AgentId } from '../../shared/values/ids';
import type { AgentCatalog } from '../agents/agentCatalog';
import { warnUntrusted } from '../agents/trust';
import { AgentTools, type ToolSettings } from './agentTools';
import { ProviderSettings } from './providerSettings';
import type { ProviderStore } from './providerStore';
import { ProvidersPanel, type PageTopic, type PanelOptions } from './providersPanel';
import { showInformation } from '../ui/notifications';
import { pickOne } from '../ui/quickInput';

/** The services that the model provider settings use. */
export interface ProvidersOptions extends PanelOptions {
  readonly pool: AgentPool;
  readonly catalog: Pick<AgentCatalog, 'all' | 'find'>;
  readonly settings: ToolSettings & { readonly onDidChange: Event<void> };
  readonly store: ProviderStore;
}

/** The pages where the user sets the model providers of agents, one per agent. */
export class Providers extends Disposable {
  private readonly options: ProvidersOptions;
  private readonly panels = new Map<AgentId, ProvidersPanel>();

  constructor(options: ProvidersOptions) {
    super();
    this.options = options;
  }

  /** Opens the page of an agent that the user selects. Lists all agents except those known not to support providers. */
  async open(): Promise<void> {
    if (!vscode.workspace.isTrusted) return warnUntrusted();
    this.show(await this.pick(), 'providers');
  }

  /** Opens the page of an agent that the user selects, for the editor's tools. Starts no agent. */
  async openTools(): Promise<void> {
    if (!vscode.workspace.isTrusted) return warnUntrusted();
    const able = this.options.catalog.all.filter(({ source }) => source !== 'builtin');
    const [first, ...others] = able;
    if (!first) {
      void showInformation(l10n.t('You have no agents yet. Add an agent first.'));
      return;
    }
    if (others.length === 0) {
      this.show(first, 'tools');
      return;
    }
    const items = able.map((spec) => ({ label: spec.name, spec }));
    const picked = await pickOne(items, { placeHolder: l10n.t('Select an agent to configure') });
    this.show(picked?.spec, 'tools');
  }

  /** Opens the page of an agent. Asking it for its providers starts it. */
  async openFor(spec: AgentSpec, topic: PageTopic): Promise<void> {
    if (!vscode.workspace.isTrusted) return warnUntrusted();
    this.show(spec, topic);
  }

  private show(spec: AgentSpec | undefined, topic: PageTopic): void {
    if (!spec || this.isDisposed) return;
    const open = this.panels.get(spec.id);
    if (open) {
      open.reveal(topic);
      return;
    }
    const { pool, catalog, settings, store } = this.options;
    const tools = new AgentTools(settings, pool, () => catalog.find(spec.id) ?? spec);
    const kept = new ProviderSettings(pool, spec, store);
    const panel = this.register(new ProvidersPanel(this.options, spec, kept, tools, topic));
    this.panels.set(spec.id, panel);
    panel.onDidClose(() => this.panels.delete(spec.id));
  }

  private async pick(): Promise<AgentSpec | undefined> {
    const { pool, catalog } = this.options;
    const runs = new Map<AgentId, boolean>();
    for (const { agent, spec } of pool.running) {
      runs.set(spec.id, (runs.get(spec.id) ?? false) || agent.can?.providers === true);
    }
    const able = catalog.all.filter(({ id, source }) => runs.get(id) ?? source !== 'builtin');
    const [first, ...others] = able;
    if (!first) {
      const words = l10n.t('None of your agents supports custom model providers.');
      void showInformation(words);
    }
    if (!first || (others.length === 0 && runs.has(first.id))) return first;
    const items = able.map((spec) => ({
      label: spec.name,
      spec,
      description: runs.has(spec.id) ? '' : l10n.t('starts the agent'),
    }));
    items.sort((a, b) => Number(runs.has(b.spec.id)) - Number(runs.has(a.spec.id)));
    const placeHolder = l10n.t('Select an agent to configure');
    return (await pickOne(items, { placeHolder }))?.spec;
  }
}
