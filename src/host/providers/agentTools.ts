import type { AgentPool } from '../../agent/pool/agentPool';
import type { AgentSpec } from '../../agent/spec/agentSpec';
import type { Event } from '../../shared/values/event';
import { editorToolNames, editorTools, isEditorTool } from '../../shared/pages/editorTools';
import type { ToolsShown } from '../../shared/pages/modelProviders';
import { doorFor, isOffered } from '../ide/ideServers';
import type { Settings } from '../settings/settings';
import type { ReadSettings } from '../settings/settingTable';

/** The settings of the editor's tools. */
export type ToolSettings = Pick<Settings, 'editorToolsOf' | 'setEditorToolsOf' | 'setEditorTool' | 'allowEditorTools'> &
  ReadSettings<'editorTools.enabled' | 'editorTools.more' | 'editorTools.disabled'>;

/** The editor's tools on an agent's page. Each choice is a setting of the user. */
export class AgentTools {
  private readonly settings: ToolSettings & { readonly onDidChange: Event<void> };
  private readonly pool: Pick<AgentPool, 'running'>;
  private readonly current: () => AgentSpec;
  /** Fires when what `look` returns may have changed. */
  readonly onDidChange: Event<void>;

  /** `current` returns the page's agent as it is set now. */
  constructor(
    settings: ToolSettings & { readonly onDidChange: Event<void> },
    pool: Pick<AgentPool, 'running'>,
    current: () => AgentSpec,
  ) {
    this.settings = settings;
    this.pool = pool;
    this.current = current;
    this.onDidChange = settings.onDidChange;
  }

  look(): ToolsShown {
    const { settings } = this;
    const spec = this.current();
    const [more, disabled] = [new Set(settings.get('editorTools.more')), new Set(settings.get('editorTools.disabled'))];
    const running = this.pool.running.filter((one) => one.spec.id === spec.id && one.agent.can !== undefined);
    return {
      isOn: isOffered(settings, spec),
      isOffForAll: !settings.get('editorTools.enabled'),
      isSupported: running.length === 0 || running.some(({ agent }) => agent.can && doorFor(spec, agent.can)),
      tools: editorToolNames.map((name) => {
        const { isDefault, words } = editorTools[name];
        const { label, about } = words();
        return { name, label, description: about, isDefault, isOn: isDefault ? !disabled.has(name) : more.has(name) };
      }),
    };
  }

  async setTools(isOn: boolean): Promise<void> {
    await this.settings.setEditorToolsOf(this.current().name, isOn);
  }

  /** Ignores names that no tool has. */
  async setTool(name: string, isOn: boolean): Promise<void> {
    if (isEditorTool(name)) await this.settings.setEditorTool(name, editorTools[name].isDefault, isOn);
  }

  async allowForAll(): Promise<void> {
    await this.settings.allowEditorTools();
  }
}
