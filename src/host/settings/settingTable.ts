import type manifest from '../../../package.json';
import { isRecord } from '../../shared/values/isRecord';
import { toSandboxMode } from '../../shared/limits/sandboxMode';
import { toolDetails } from '../../shared/pages/messages';

/** The policy for an agent's access to files outside its session's folders. */
export type OutsidePolicy = 'ask' | 'allow' | 'deny';

/** When an event is told to a user who isn't looking at its session. */
export type NotifyWhen = 'never' | 'whenUnfocused' | 'always';

/**
 * Who decides about a setting.
 *
 * - `user`: only the user.
 * - `consent`: the user, and the workspace while the user agrees to exactly its values. For what controls programs,
 *   their sources, and permissions.
 * - `workspaceCanTurnOff`: the user, but a workspace can turn it off.
 * - `trustedWorkspace`: the workspace before the user, once it is trusted.
 * - `workspace`: the workspace before the user, always.
 * - `lowest`: the user and the workspace, whose values count side by side. A workspace can only lower what the user set.
 */
export type Decider = 'user' | 'consent' | 'workspaceCanTurnOff' | 'trustedWorkspace' | 'workspace' | 'lowest';

/** A row of the table. `decode` never throws. */
export interface Setting<Who extends Decider, Value> {
  readonly decides: Who;
  /** The value without any settings. The same as in package.json. */
  readonly default: Value;
  /** Reads an untrusted value. Returns undefined if the default has to be used instead. */
  readonly decode: (value: unknown) => Value | undefined;
}

function setting<Who extends Decider, Value>(
  decides: Who,
  otherwise: NoInfer<Value>,
  decode: (value: unknown) => Value | undefined,
): Setting<Who, Value> {
  return { decides, default: otherwise, decode };
}

const when = oneOf<NotifyWhen>(['never', 'whenUnfocused', 'always']);

/**
 * All settings of package.json. The order of those with consent is part of what the user has agreed to, so another order
 * asks again.
 */
export const settingTable = {
  agents: setting('consent', {}, anything),
  protocolVersion: setting('user', 1, oneOf([1, 'auto'])),
  defaultAgent: setting('trustedWorkspace', '', text),
  mcpServers: setting('consent', {}, anything),
  'editorTools.enabled': setting('user', true, onOrOff),
  'editorTools.agents': setting('user', {}, switches),
  'editorTools.more': setting('user', [], names),
  'editorTools.disabled': setting('user', [], names),
  sendNewProblems: setting('user', false, onOrOff),
  'mcp.useMcpJson': setting('consent', 'ask', oneOf(['ask', 'always', 'never'])),
  permissions: setting('consent', [], anything),
  'files.outsideWorkspace': setting('consent', 'ask', oneOf<OutsidePolicy>(['ask', 'allow', 'deny'])),
  // What can't be read must not lead to a server that the user hasn't chosen.
  'registry.url': setting('consent', 'https://cdn.agentclientprotocol.com/registry/v1/latest/registry.json', (value) =>
    typeof value === 'string' ? value.trim() : '',
  ),
  presets: setting('consent', [], anything),
  toolDetail: setting('workspace', 'normal', oneOf(toolDetails)),
  'context.activeEditor': setting('workspaceCanTurnOff', true, onOrOff),
  'context.longPasteLines': setting('workspace', 20, countUpTo(10_000)),
  suggestedMessages: setting('workspace', true, onOrOff),
  'nextEditSuggestions.enabled': setting('workspaceCanTurnOff', false, onOrOff),
  keepAwake: setting('user', 'onMains', oneOf(['never', 'onMains', 'always'])),
  'notifications.request': setting('user', 'always', when),
  'notifications.turnEnd': setting('user', 'whenUnfocused', when),
  'notifications.failure': setting('user', 'always', when),
  'notifications.sound': setting('user', false, onOrOff),
  'review.revealNextChange': setting('user', true, onOrOff),
  budget: setting('lowest', {}, anything),
  sandbox: setting('lowest', 'off', toSandboxMode),
  sandboxPackages: setting('user', false, onOrOff),
  sandboxFolders: setting('user', [], names),
  sandboxEnvironment: setting('user', [], names),
  'usage.prices': setting('user', {}, anything),
  'usage.limitNotices': setting('user', true, onOrOff),
  'worktrees.folder': setting('user', '', text),
  'worktrees.copyIgnored': setting('trustedWorkspace', ['.env*'], names),
  'worktrees.setup': setting('consent', '', text),
  afterTurn: setting('consent', {}, anything),
} satisfies { readonly [Key in ManifestKey]: Setting<Decider, unknown> };

/** The settings of package.json, without `parley.` before them. */
type ManifestKey = keyof typeof manifest.contributes.configuration.properties extends infer Key
  ? Key extends `parley.${infer Name}`
    ? Name
    : never
  : never;

type Table = typeof settingTable;
export type SettingKey = keyof Table;
export type SettingValue<Key extends SettingKey> = Table[Key]['default'];
type KeysOf<Who extends Decider> = { [Key in SettingKey]: Table[Key]['decides'] extends Who ? Key : never }[SettingKey];

/** Settings with one value for the whole window. Of the others, the values of several scopes count, or those for a folder. */
export type PlainSetting = Exclude<SettingKey, 'budget' | 'mcpServers' | 'presets' | 'sandbox'>;

/** What reads some settings by their keys. */
export interface ReadSettings<Keys extends PlainSetting = PlainSetting> {
  get<Key extends Keys>(key: Key): SettingValue<Key>;
}

/** Settings that only the user makes. */
export type UserSetting = KeysOf<'user'>;
/** Settings whose values of a workspace need the user's consent. */
export type DecidingSetting = KeysOf<'consent'>;

export const decidingSettings = (Object.keys(settingTable) as SettingKey[]).filter(
  (key): key is DecidingSetting => settingTable[key].decides === 'consent',
);

function oneOf<const Value extends string | number>(values: readonly Value[]) {
  return (value: unknown): Value | undefined => values.find((one) => one === value);
}

/** For values that have a parser of their own. */
function anything(value: unknown): unknown {
  return value;
}

function onOrOff(value: unknown): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined;
}

function countUpTo(most: number) {
  return (value: unknown): number | undefined =>
    typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= most ? value : undefined;
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function names(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) ? value.filter((name) => typeof name === 'string') : undefined;
}

/** Reads the names that are switched on or off. */
function switches(value: unknown): Readonly<Record<string, boolean>> | undefined {
  if (!isRecord(value)) return undefined;
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, boolean] => typeof entry[1] === 'boolean'),
  );
}
