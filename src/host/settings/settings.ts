import * as vscode from 'vscode';
import { Disposable } from '../../shared/values/disposable';
import { Emitter } from '../../shared/values/event';
import { ContentConsent, type Answer, type AnswerMemory } from '../consent/contentConsent';
import { parseAgents, type AgentSpec } from '../../agent/spec/agentSpec';
import type { Detail } from '../../agent/spec/describeEntry';
import type { ToolDetail } from '../../shared/pages/messages';
import { isRecord } from '../../shared/values/isRecord';
import { strictestMode, toSandboxMode, type SandboxMode } from '../../shared/limits/sandboxMode';
import {
  describeParts,
  printOfParts,
  userValue,
  wholeValue,
  workspaceParts,
  type ScopedValues,
} from './scopedSettings';
import {
  decidingSettings,
  settingTable,
  type DecidingSetting,
  type Decider,
  type PlainSetting,
  type ReadSettings,
  type Setting,
  type SettingKey,
  type SettingValue,
  type UserSetting,
} from './settingTable';

/** The workspace's values of deciding settings, and the user's answer about them. */
export interface WorkspaceSettings {
  /** A fingerprint of the content. */
  readonly print: string;
  readonly answer: Answer | undefined;
  readonly describe: (detail: Detail) => readonly string[];
}

/** The values of a setting whose scopes count together. */
export interface ByScope {
  readonly user: unknown;
  readonly workspace: unknown;
}

/**
 * The only reader of Parley's settings. Workspace values of settings that control programs and permissions apply only
 * while the user agrees to exactly these values. Otherwise, they are ignored.
 */
export class Settings extends Disposable implements ReadSettings {
  private readonly consent: ContentConsent;
  private readonly changed = this.register(new Emitter<void>());
  /** Fires when a Parley setting changed, or the user's answer about the workspace's settings. */
  readonly onDidChange = this.changed.event;

  /** `memory` stores the user's answers for this workspace. */
  constructor(memory: AnswerMemory) {
    super();
    this.consent = this.register(new ContentConsent(memory, 'parley.workspaceSettings.answers'));
    const fire = () => this.changed.fire();
    this.register(this.consent.onDidAnswer(fire));
    this.register(
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('parley')) fire();
      }),
    );
    this.register(vscode.workspace.onDidChangeWorkspaceFolders(fire));
    this.register(vscode.workspace.onDidGrantWorkspaceTrust(fire));
  }

  /** Returns what applies of a setting, by who decides about it. */
  get<Key extends PlainSetting>(key: Key): SettingValue<Key> {
    return this.read(key);
  }

  /** The names of all agents in the user's and the workspace's settings, whether they apply or not. */
  get agentNames(): ReadonlySet<string> {
    const { globalValue, workspaceValue, workspaceFolderValue } = inspect('agents');
    return new Set([globalValue, workspaceValue, workspaceFolderValue].flatMap(namesOf));
  }

  /**
   * Adds agents to the user's settings, but none whose name exists. Resolves to what was added, as the settings define
   * it from now on.
   */
  async addAgents(
    agents: readonly Pick<AgentSpec, 'name' | 'command' | 'args' | 'env'>[],
  ): Promise<readonly AgentSpec[]> {
    const { globalValue } = inspect('agents');
    const present = isRecord(globalValue) ? globalValue : {};
    const names = this.agentNames;
    const fresh = Object.fromEntries(
      agents
        .filter(({ name }) => !names.has(name))
        .map(({ name, command, args, env }) => [
          name,
          {
            command,
            ...(args.length > 0 && { args }),
            ...(Object.keys(env).length > 0 && { env }),
          },
        ]),
    );
    const value = { ...present, ...fresh };
    await vscode.workspace.getConfiguration('parley').update('agents', value, vscode.ConfigurationTarget.Global);
    return parseAgents(fresh).agents;
  }

  /** Returns an agent of the user's settings as it would be with these variables; undefined if there is none of this name. */
  agentWithEnv(name: string, env: Readonly<Record<string, string>>): AgentSpec | undefined {
    return parseAgents(agentsWithEnv(name, env)).agents.find((spec) => spec.name === name);
  }

  /** Sets variables of an agent in the user's settings. */
  async setAgentEnv(name: string, env: Readonly<Record<string, string>>): Promise<void> {
    const value = agentsWithEnv(name, env);
    await vscode.workspace.getConfiguration('parley').update('agents', value, vscode.ConfigurationTarget.Global);
  }

  /** The names of agents that the workspace defines or changes. */
  get agentsOfWorkspace(): ReadonlySet<string> {
    const { workspaceValue, workspaceFolderValue } = inspect('agents');
    const names = [workspaceValue, workspaceFolderValue].flatMap(namesOf);
    return new Set(this.countsWorkspace ? names : []);
  }

  /** The values of `parley.permissions` by scope. All of them count together; the workspace's only if the user agrees. */
  get permissionsByScope(): ByScope {
    return this.byScope('permissions');
  }

  /** The values of `parley.presets` by scope. All of them count together; the workspace's only if the user agrees. */
  get presetsByScope(): ByScope {
    return this.byScope('presets');
  }

  /** The presets in the user's settings, as they are written there. */
  get presetsOfUser(): unknown {
    return inspect('presets').globalValue;
  }

  /** Replaces the presets in the user's settings. */
  async setUserPresets(presets: readonly unknown[]): Promise<void> {
    const value = presets.length === 0 ? undefined : presets;
    await vscode.workspace.getConfiguration('parley').update('presets', value, vscode.ConfigurationTarget.Global);
  }

  /** Sets the agent of new sessions in the user's settings, by its name or id. */
  async setDefaultAgent(name: string): Promise<void> {
    await vscode.workspace.getConfiguration('parley').update('defaultAgent', name, vscode.ConfigurationTarget.Global);
  }

  /** Replaces the rules in the user's settings. */
  async setUserPermissions(rules: readonly unknown[]): Promise<void> {
    const value = rules.length === 0 ? undefined : rules;
    await vscode.workspace.getConfiguration('parley').update('permissions', value, vscode.ConfigurationTarget.Global);
  }

  /** Whether an agent is offered the editor's tools. Undefined if the user hasn't decided that. */
  editorToolsOf(agentName: string): boolean | undefined {
    const all = this.get('editorTools.agents');
    return Object.hasOwn(all, agentName) ? all[agentName] : undefined;
  }

  /** Decides whether an agent is offered the editor's tools. */
  async setEditorToolsOf(agentName: string, isOn: boolean): Promise<void> {
    const { globalValue } = inspect('editorTools.agents');
    const others = isRecord(globalValue) ? Object.entries(globalValue).filter(([name]) => name !== agentName) : [];
    await updateOfUser('editorTools.agents', Object.fromEntries([...others, [agentName, isOn]]));
  }

  /** Offers the editor's tools again, after they were turned off for all agents. */
  async allowEditorTools(): Promise<void> {
    await updateOfUser('editorTools.enabled', undefined);
  }

  /** Offers one of the editor's tools to agents, or not. `isDefault`: agents get it unless the user decides otherwise. */
  async setEditorTool(name: string, isDefault: boolean, isOn: boolean): Promise<void> {
    const setting = isDefault ? 'editorTools.disabled' : 'editorTools.more';
    const others = namesIn(inspect(setting).globalValue).filter((one) => one !== name);
    const names = isOn === isDefault ? others : [...others, name];
    await updateOfUser(setting, names.length > 0 ? names : undefined);
  }

  /** Sets the tool detail where it is set already: in the workspace's settings, or else in the user's. */
  async setToolDetail(detail: ToolDetail): Promise<void> {
    const { ConfigurationTarget } = vscode;
    const settings = vscode.workspace.getConfiguration('parley');
    const isOfWorkspace = settings.inspect('toolDetail')?.workspaceValue !== undefined;
    const target = isOfWorkspace ? ConfigurationTarget.Workspace : ConfigurationTarget.Global;
    await settings.update('toolDetail', detail, target);
  }

  /** What agents are held to: by the user, or the workspace if that is stricter. */
  get sandbox(): SandboxMode {
    const { workspaceValue, workspaceFolderValue } = inspect('sandbox');
    return strictestMode(this.read('sandbox'), toSandboxMode(workspaceValue), toSandboxMode(workspaceFolderValue));
  }

  /** Sets what agents are held to in new sessions of the user. */
  async setSandbox(mode: SandboxMode): Promise<void> {
    await vscode.workspace.getConfiguration('parley').update('sandbox', mode, vscode.ConfigurationTarget.Global);
  }

  /** What the workspace requires at least. */
  get sandboxOfWorkspace(): SandboxMode {
    const { workspaceValue, workspaceFolderValue } = inspect('sandbox');
    return strictestMode(toSandboxMode(workspaceValue), toSandboxMode(workspaceFolderValue));
  }

  async setSandboxFolders(paths: readonly string[]): Promise<void> {
    await updateOfUser('sandboxFolders', paths);
  }

  async setSandboxEnvironment(variables: readonly string[]): Promise<void> {
    await updateOfUser('sandboxEnvironment', variables);
  }

  /** The values of `parley.budget` of the user and the workspace. `decodeBudgets` reads them; the lowest of all count. */
  get budgets(): readonly unknown[] {
    const values = inspect('budget');
    return [userValue(values), values.workspaceValue, values.workspaceFolderValue];
  }

  /** The value of `parley.mcpServers` for a folder. `parseServers` parses it. */
  mcpServers(folder: vscode.Uri): unknown {
    return this.read('mcpServers', folder);
  }

  /** What the user's own settings have of `parley.mcpServers`, without the workspace's. */
  get mcpServersOfUser(): unknown {
    return inspect('mcpServers').globalValue;
  }

  /** All of Parley's settings as they are in this window, for a support bundle, which hides what is secret in them. */
  get forSupport(): Readonly<Record<string, unknown>> {
    return { parley: vscode.workspace.getConfiguration(undefined, null).get('parley') };
  }

  /** The workspace's values of deciding settings. Undefined if there are none, or if the workspace isn't trusted. */
  get ofWorkspace(): WorkspaceSettings | undefined {
    if (!vscode.workspace.isTrusted) return undefined;
    const folders = vscode.workspace.workspaceFolders ?? [];
    // Most workspaces set nothing of Parley's. One look per folder shows that, and each setting would take two.
    if (![undefined, ...folders.map(({ uri }) => uri)].some(setsAnything)) return undefined;
    const parts = decidingSettings.flatMap((setting) => [
      ...workspaceParts(setting, inspect(setting)),
      ...folders.flatMap(({ uri }) => workspaceParts(setting, inspect(setting, uri), uri.fsPath)),
    ]);
    const print = printOfParts(parts);
    if (print === '') return undefined;
    const describe = (detail: Detail) => describeParts(parts, detail);
    return { print, answer: this.consent.known(print), describe };
  }

  /** Stores the user's answer about the settings that were shown. */
  answer({ print }: Pick<WorkspaceSettings, 'print'>, answer: Answer): Promise<void> {
    return this.consent.note([print], answer);
  }

  /** Asks about the settings that were shown. See `ContentConsent.ask`. */
  ask(
    { print }: Pick<WorkspaceSettings, 'print'>,
    put: (signal: AbortSignal) => Promise<Answer | undefined>,
    signal: AbortSignal,
  ): Promise<void> {
    return this.consent.ask([print], put, signal);
  }

  private byScope(setting: DecidingSetting): ByScope {
    const values = inspect(setting);
    const { workspaceValue, workspaceFolderValue } = values;
    const ofWorkspace = workspaceFolderValue ?? workspaceValue;
    return {
      user: userValue(values),
      workspace: ofWorkspace !== undefined && this.countsWorkspace ? ofWorkspace : undefined,
    };
  }

  private get countsWorkspace(): boolean {
    return this.ofWorkspace?.answer === 'yes';
  }

  private read<Key extends SettingKey>(key: Key, folder?: vscode.Uri): SettingValue<Key> {
    const { decides, decode, default: otherwise }: Setting<Decider, unknown> = settingTable[key];
    return decode(this.deciding(decides, inspect(key, folder))) ?? otherwise;
  }

  private deciding(decides: Decider, values: ScopedValues): unknown {
    const ofWorkspace = [values.workspaceValue, values.workspaceFolderValue];
    switch (decides) {
      case 'user':
      case 'lowest':
        return userValue(values);
      case 'consent':
        // Most workspaces have none, and reading what they have takes time.
        return ofWorkspace.every((value) => value === undefined) || !this.countsWorkspace
          ? userValue(values)
          : wholeValue(values);
      case 'workspaceCanTurnOff':
        return ofWorkspace.includes(false) ? false : userValue(values);
      case 'trustedWorkspace':
      case 'workspace':
        return wholeValue(values);
    }
  }
}

function namesIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((name) => typeof name === 'string') : [];
}

function namesOf(value: unknown): readonly string[] {
  return isRecord(value) ? Object.keys(value) : [];
}

async function updateOfUser(setting: UserSetting, value: unknown): Promise<void> {
  await vscode.workspace.getConfiguration('parley').update(setting, value, vscode.ConfigurationTarget.Global);
}

/** Returns the agents of the user's settings, one of them with other variables. */
function agentsWithEnv(name: string, env: Readonly<Record<string, string>>): Readonly<Record<string, unknown>> {
  const { globalValue } = inspect('agents');
  const present = isRecord(globalValue) ? globalValue : {};
  const agent = present[name];
  if (!isRecord(agent)) return present;
  return { ...present, [name]: { ...agent, env: { ...(isRecord(agent['env']) ? agent['env'] : {}), ...env } } };
}

/** Whether the workspace, or a folder of it, has settings of Parley. */
function setsAnything(scope: vscode.Uri | undefined): boolean {
  const all: ScopedValues = vscode.workspace.getConfiguration(undefined, scope ?? null).inspect('parley') ?? {};
  return all.workspaceValue !== undefined || all.workspaceFolderValue !== undefined;
}

function inspect(setting: SettingKey, scope?: vscode.Uri): ScopedValues {
  return vscode.workspace.getConfiguration('parley', scope ?? null).inspect(setting) ?? {};
}
