import { homedir } from 'node:os';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { compact } from '../../shared/values/decodeValue';
import { toSandboxMode, type SandboxMode } from '../../shared/limits/sandboxMode';
import { sandboxWords } from '../../shared/limits/sandboxWords';
import type { Session } from '../../session/session';
import type { AgentSpec } from '../../agent/spec/agentSpec';
import type { Preset } from '../../agent/spec/preset';
import { resolveFolder } from '../../agent/launch/resolveFolder';
import type { AgentId } from '../../shared/values/ids';
import { messageOf } from '../../shared/values/messageOf';
import { presetWords, type AgentCatalog } from '../agents/agentCatalog';
import { warnUntrusted } from '../agents/trust';
import type { Act, NewSessionArgument } from '../base/actions';
import type { ChatPages } from '../pages/chatPages';
import { createSession, type CreateServices } from '../sessions/start/createSession';
import { folderToAsk } from '../base/folders';
import { pickFolder } from './pickFolder';
import { showError, showWarning } from '../ui/notifications';
import { pickOne } from '../ui/quickInput';

/** What the sandbox of a new session is chosen from. */
export interface SandboxChoices {
  /** Returns what agents are held to by default. */
  readonly mode: () => SandboxMode;
  /** Lets the user choose, within what is required. Resolves to undefined if the user cancels. */
  readonly pick: (current: SandboxMode) => Promise<SandboxMode | undefined>;
}

/** What opening a session and showing it needs. */
export interface NewSessionServices extends CreateServices {
  readonly sandbox: SandboxChoices;
  readonly pages: Pick<ChatPages, 'withPage'>;
  readonly act: Act<'addAgent' | 'managePresets' | 'newSessionInWorktree'>;
}

/** Opens a session with a preset or an agent that the user selects. The default ones come first in the list. */
export async function newSession(services: NewSessionServices, given: NewSessionArgument | undefined): Promise<void> {
  if (!vscode.workspace.isTrusted) return warnUntrusted();
  const choice = await chooseStart(services, given);
  if (!choice) return;
  if (choice.kind === 'preset' && choice.preset.usesWorktree) {
    const { sandbox } = choice;
    const argument = { ...given, preset: choice.preset.name, ...compact({ sandbox }) };
    await services.act('newSessionInWorktree', argument);
    return;
  }
  const cwd =
    given?.cwd === undefined
      ? await (given ? undefined : pickFolder(() => services.scratch.path))
      : await folderOf(given.cwd);
  if (cwd === undefined && (!given || given.cwd !== undefined)) return;
  const start = choice.kind === 'preset' ? { preset: choice.preset } : { agent: choice.agent.id };
  await openNewSession(services, { ...start, ...compact({ cwd, sandbox: choice.sandbox }) }, given?.prompt);
}

/** Resolves to the agent or the preset that is given, or else to the one that the user selects. */
export async function chooseStart(
  { catalog, sandbox, act }: Pick<NewSessionServices, 'catalog' | 'sandbox' | 'act'>,
  given: NewSessionArgument | undefined,
): Promise<Start | undefined> {
  const found = given && findChoice(catalog, given);
  const choice = found
    ? { ...found, ...compact({ sandbox: given.sandbox }) }
    : await (given ? undefined : pickChoice(catalog, sandbox));
  if (choice?.kind === 'action') await act(choice.action);
  if (!choice || choice.kind === 'action') return undefined;
  if (choice.kind === 'agent' || catalog.findByName(choice.preset.agent)) return choice;
  await warnMissingAgent(choice.preset, act);
  return undefined;
}

/** Opens a session with the default preset or agent without asking. This is the plus button. */
export async function newSessionWithDefaultAgent(services: NewSessionServices): Promise<void> {
  if (vscode.workspace.isTrusted) await openNewSession(services, {});
  else await warnUntrusted();
}

/** How a session is opened. Without an agent or a preset, with the default one. */
export interface OpenOptions {
  readonly agent?: AgentId;
  readonly preset?: Preset;
  readonly cwd?: string;
  readonly sandbox?: SandboxMode;
}

/** Opens a session and shows it. `begin` is called with the session before anything is sent. */
export async function openNewSession(
  services: NewSessionServices,
  options: OpenOptions,
  prompt?: string,
  begin?: (session: Session) => void,
): Promise<void> {
  const session = createSession(services, options);
  if (session) begin?.(session);
  await services.pages.withPage((page) => {
    if (session) page.show(session.key);
    page.post({ type: 'focusComposer' });
  });
  if (prompt !== undefined && prompt.trim() !== '') session?.sendPrompt(prompt);
}

/** Reads what a command is given. */
export function readArgument(argument: unknown): NewSessionArgument | undefined {
  // Menus pass their own context as the argument, so accept only a plain object with known keys.
  if (typeof argument !== 'object' || argument === null) return undefined;
  const { agent, preset, cwd, prompt, sandbox } = argument as Record<string, unknown>;
  if ([agent, preset, cwd, prompt, sandbox].every((value) => value === undefined)) return undefined;
  const text = (value: unknown) => (typeof value === 'string' ? value : undefined);
  return compact({
    agent: text(agent),
    preset: text(preset),
    cwd: text(cwd),
    prompt: text(prompt),
    sandbox: toSandboxMode(sandbox),
  });
}

/** Resolves a path to a folder. If there is none, shows a message and resolves to undefined. */
export async function folderOf(path: string): Promise<string | undefined> {
  try {
    return await resolveFolder(path, folderToAsk(), homedir());
  } catch (error) {
    void showError(messageOf(error));
    return undefined;
  }
}

/** Returns what an argument asks for. If there's nothing of that name, shows a message and returns undefined. */
function findChoice(
  catalog: AgentCatalog,
  { agent: name, preset: presetName }: NewSessionArgument,
): Choice | undefined {
  if (presetName !== undefined) {
    const preset = catalog.findPreset(presetName);
    if (preset) return { kind: 'preset', preset };
    void showError(l10n.t('There’s no preset named “{0}”. Your presets are listed in parley.presets.', presetName));
    return undefined;
  }
  if (name === undefined) {
    const preset = catalog.defaultPreset;
    return preset ? { kind: 'preset', preset } : { kind: 'agent', agent: catalog.default };
  }
  const agent = catalog.findByName(name);
  if (agent) return { kind: 'agent', agent };
  void showError(l10n.t('There’s no agent named “{0}”. Your agents are listed in parley.agents.', name));
  return undefined;
}

/** Shows that a preset's agent isn't one of the user's, and offers to add one. Never adds or starts it by itself. */
async function warnMissingAgent({ name, agent }: Preset, act: Act<'addAgent'>): Promise<void> {
  const add = l10n.t('Add Agent…');
  const words = l10n.t('The preset “{0}” uses “{1}”, which isn’t one of your agents.', name, agent);
  if ((await showWarning(words, add)) === add) await act('addAgent');
}

/** An agent or a preset, and the sandbox that the user chose for it. */
export type Start = (
  { readonly kind: 'agent'; readonly agent: AgentSpec } | { readonly kind: 'preset'; readonly preset: Preset }
) & {
  readonly sandbox?: SandboxMode;
};

type Choice = Start | { readonly kind: 'action'; readonly action: 'addAgent' | 'managePresets' };

type ChoiceItem = vscode.QuickPickItem & { readonly choice?: Choice | { readonly kind: 'sandbox' } };

/** Lets the user select a preset or an agent, the default ones first, and before that the sandbox. */
async function pickChoice(catalog: AgentCatalog, { mode, pick }: SandboxChoices): Promise<Choice | undefined> {
  const hasPresets = catalog.presets.length > 0;
  const placeHolder = hasPresets ? l10n.t('Select a preset or an agent') : l10n.t('Select an agent');
  let sandbox: SandboxMode | undefined;
  for (;;) {
    const items = [...presetItems(catalog), ...agentItems(catalog), ...sandboxItems(sandbox, mode())];
    const choice = (await pickOne(items, { placeHolder, matchOnDetail: hasPresets }))?.choice;
    if (choice?.kind !== 'sandbox') return choice && { ...choice, ...compact({ sandbox }) };
    sandbox = (await pick(sandbox ?? mode())) ?? sandbox;
  }
}

function sandboxItems(chosen: SandboxMode | undefined, byDefault: SandboxMode): readonly ChoiceItem[] {
  const description = chosen === undefined ? '' : l10n.t('for this session');
  return [
    separator(l10n.t('Sandbox')),
    {
      label: l10n.t('{0}…', sandboxWords(chosen ?? byDefault)),
      description,
      iconPath: new vscode.ThemeIcon('shield'),
      alwaysShow: true,
      choice: { kind: 'sandbox' },
    },
  ];
}

function presetItems(catalog: AgentCatalog): readonly ChoiceItem[] {
  const first = catalog.defaultPreset;
  const presets = [...(first ? [first] : []), ...catalog.presets.filter((preset) => preset !== first)];
  if (presets.length === 0) return [];
  const items = presets.map((preset): ChoiceItem => {
    const agent = catalog.findByName(preset.agent);
    const detail = agent ? presetWords(preset, agent.name) : l10n.t('“{0}” isn’t one of your agents', preset.agent);
    const description = preset === first ? l10n.t('default') : '';
    return { label: preset.name, description, detail, choice: { kind: 'preset', preset } };
  });
  return [separator(l10n.t('Presets')), ...items];
}

function agentItems(catalog: AgentCatalog): readonly ChoiceItem[] {
  const first = catalog.default;
  const agents = [first, ...catalog.all.filter((agent) => agent.id !== first.id)];
  const details = new Map(catalog.listings().map((listing) => [listing.agentId, listing.detail]));
  const hasPresets = catalog.presets.length > 0;
  const items = agents.map((agent): ChoiceItem => ({
    label: agent.name,
    description: agent.id === first.id && !catalog.defaultPreset ? l10n.t('default') : '',
    detail: details.get(agent.id) ?? '',
    choice: { kind: 'agent', agent },
  }));
  const leadTo = (
    action: (Choice & { readonly kind: 'action' })['action'],
    label: string,
    icon: string,
  ): ChoiceItem => ({
    label,
    iconPath: new vscode.ThemeIcon(icon),
    alwaysShow: true,
    choice: { kind: 'action', action },
  });
  return [
    ...(hasPresets ? [separator(l10n.t('Agents'))] : []),
    ...items,
    leadTo('addAgent', l10n.t('Add agent…'), 'add'),
    ...(hasPresets ? [leadTo('managePresets', l10n.t('Manage presets…'), 'settings-gear')] : []),
  ];
}

function separator(label: string): ChoiceItem {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}
