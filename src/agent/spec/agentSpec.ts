import { compact } from '../../shared/values/decodeValue';
import type { OfferedCapabilities } from '../../acp/dialect/dialect';
import * as l10n from '@vscode/l10n';
import type { AgentId } from '../../shared/values/ids';
import { isRecord } from '../../shared/values/isRecord';
import { toOffered } from './offeredCapabilities';
import { toProxyChain, type ProxyChain } from './proxyChain';
import { toEnvironment, toStrings } from '../base/settingValues';
import { toSandboxMode, type SandboxMode } from '../../shared/limits/sandboxMode';

/**
 * An agent that the user can start: a program that speaks the Agent Client Protocol over its standard streams, or a server
 * that speaks it over HTTP or WebSocket.
 */
export interface AgentSpec {
  readonly id: AgentId;
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** The proxies in front of the agent, and the program that connects them. */
  readonly chain?: ProxyChain;
  /** The MCP servers offered to the agent: none, or those with these names; all if absent. */
  readonly mcp?: false | readonly string[];
  readonly systemPrompt?: SystemPromptSpec;
  /** The editor services offered to the agent; all of them if absent. */
  readonly clientCapabilities?: OfferedCapabilities;
  /** `auto`: version 2 of the protocol is offered, too. Only version 1 if absent. */
  readonly protocolVersion?: ProtocolVersion;
  /** For an agent on another machine: its URL. `command` is empty then. */
  readonly url?: string;
  /** For an agent on another machine: headers for every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** For an agent on another machine: the same paths mean the same files there as here. */
  readonly sharesFiles?: boolean;
  /** What the agent is held to. If absent, what the settings say for all agents. */
  readonly sandbox?: SandboxMode;
  /** The folders of the session that its sandbox is for, absolute. If absent, all of the workspace. */
  readonly sandboxFolders?: readonly string[];
  /** For an agent from the registry: the added version. */
  readonly version?: string;
  readonly source: 'settings' | 'builtin' | 'registry';
  /** The workspace defines or changes the agent, and the user agreed to that. */
  readonly isOfWorkspace?: boolean;
}

/** The protocol versions that an agent is offered: the first alone, or the second with a way back to the first. */
export type ProtocolVersion = 1 | 'auto';

/** A text that extends the agent's instructions or replaces them. */
export interface SystemPromptSpec {
  readonly mode: 'append' | 'override';
  readonly text: string;
}

/** The result of `parseAgents`: the valid agents in the order of the setting, and one sentence per skipped entry. */
export interface ParsedAgents {
  readonly agents: AgentSpec[];
  readonly problems: string[];
}

/** Returns the id of the agent called `name` in the setting `parley.agents`. */
export function settingsAgentId(name: string): AgentId {
  return `settings:${name}` as AgentId;
}

/**
 * Reads the value of `parley.agents`: agent name → `{ command, args?, env?, cwd? }` or `{ url, headers?, cwd? }`. Accepts the `agent_servers` block
 * of other editors unchanged. Reports invalid entries and keeps the others. Doesn't expand variables.
 */
export function parseAgents(value: unknown): ParsedAgents {
  const agents: AgentSpec[] = [];
  const problems: string[] = [];
  if (value === undefined || value === null) return { agents, problems };
  if (!isRecord(value)) {
    problems.push(l10n.t('parley.agents must be an object with one entry per agent: a name and a command.'));
    return { agents, problems };
  }
  for (const [key, entry] of Object.entries(value)) {
    const name = key.trim();
    const parsed = name === '' ? l10n.t('missing name') : parseEntry(name, entry);
    if (typeof parsed === 'string') {
      problems.push(l10n.t('Skipped agent “{0}” in parley.agents: {1}.', key, parsed));
    } else {
      agents.push(parsed);
    }
  }
  return { agents, problems };
}

/** Returns the agent, or the reason why the entry is invalid, worded to follow a colon. */
function parseEntry(name: string, entry: unknown): AgentSpec | string {
  if (!isRecord(entry)) return l10n.t('must be an object with a command');
  const remote = toRemote(entry);
  if (typeof remote === 'string') return remote;
  if (!remote && entry['command'] === undefined) return whyNoCommand(entry);
  const command = remote ? '' : entry['command'];
  if (typeof command !== 'string' || (!remote && command.trim() === '')) {
    return l10n.t('“command” must be a program name or path');
  }
  const args = toStrings(entry['args']);
  if (args === undefined) return l10n.t('“args” must be an array of strings');
  const env = toEnvironment(entry['env']);
  if (env === undefined) return l10n.t('“env” must be an object with string values');
  const cwd = entry['cwd'] ?? undefined;
  if (cwd !== undefined && typeof cwd !== 'string') return l10n.t('“cwd” must be a path');
  const chain = toProxyChain(entry, env);
  if (typeof chain === 'string') return chain;
  // A conductor starts programs, so a server can't be the last of its chain.
  if (chain && remote) return l10n.t('“proxies” only work with “command”, not with “url”');
  const mcp = toMcp(entry['mcp']);
  if (mcp === 'wrong') return l10n.t('“mcp” must be true, false, or an array of names');
  const systemPrompt = toSystemPrompt(entry['systemPrompt']);
  if (systemPrompt === 'wrong') return l10n.t('“systemPrompt” must be text, or an object with “mode” and “text”');
  const clientCapabilities = toOffered(entry['clientCapabilities']);
  if (clientCapabilities === 'wrong') {
    return l10n.t('“clientCapabilities” must be an object with “fs” and “terminal”, each true or false');
  }
  const protocolVersion = toProtocolVersion(entry['protocolVersion']);
  if (protocolVersion === 'wrong') return l10n.t('“protocolVersion” must be 1 or "auto"');
  const sandbox = toSandboxMode(entry['sandbox']);
  if (sandbox === undefined && entry['sandbox'] !== undefined) {
    return l10n.t('“sandbox” must be "off", "files", "filesAndNetwork", or "ownCopy"');
  }
  return {
    id: settingsAgentId(name),
    name,
    command: command.trim(),
    args,
    env,
    ...(cwd === undefined || cwd === '' ? {} : { cwd }),
    ...compact({ chain, mcp, systemPrompt, clientCapabilities, protocolVersion, sandbox }),
    ...remote,
    source: 'settings',
  };
}

function toMcp(value: unknown): AgentSpec['mcp'] | 'wrong' {
  if (value === undefined || value === null || value === true) return undefined;
  if (value === false) return false;
  // Without a list, an agent gets all servers, which must not follow from a wrong list.
  return Array.isArray(value) ? (toStrings(value) ?? 'wrong') : 'wrong';
}

function toProtocolVersion(value: unknown): ProtocolVersion | undefined | 'wrong' {
  if (value === undefined || value === null) return undefined;
  if (value === 1 || value === '1') return 1;
  return value === 'auto' ? 'auto' : 'wrong';
}

function toSystemPrompt(value: unknown): SystemPromptSpec | undefined | 'wrong' {
  if (value === undefined || value === null) return undefined;
  const { mode = 'append', text } = isRecord(value) ? value : { text: value };
  if (typeof text !== 'string' || (mode !== 'append' && mode !== 'override')) return 'wrong';
  return text.trim() === '' ? undefined : { mode, text };
}

type RemoteFields = Pick<AgentSpec, 'url' | 'headers' | 'sharesFiles'>;

/** Reads what an entry says about an agent on another machine; undefined if it has no URL. */
function toRemote(entry: Readonly<Record<string, unknown>>): RemoteFields | string | undefined {
  const url = entry['url'] ?? undefined;
  if (url === undefined) return undefined;
  if (entry['command'] !== undefined) return l10n.t('set either “command” or “url”, not both');
  // Variables are expanded later.
  if (
    typeof url !== 'string' ||
    !/^(https?|wss?):\/\/./i.test(url.trim().replace(/^\$\{(env|input):[^{}]*\}$/, 'http://x'))
  ) {
    return l10n.t('“url” must start with http://, https://, ws://, or wss://');
  }
  const headers = toEnvironment(entry['headers']);
  if (headers === undefined || !Object.entries(headers).every(isHeader)) {
    return l10n.t('“headers” must be an object with valid header names and string values');
  }
  const sharesFiles = entry['sharesFiles'] ?? false;
  if (typeof sharesFiles !== 'boolean') return l10n.t('“sharesFiles” must be true or false');
  return { url: url.trim(), headers, ...(sharesFiles ? { sharesFiles } : {}) };
}

function isHeader([name, value]: readonly [string, string]): boolean {
  return /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name) && !/[\r\n\0]/.test(value);
}

function whyNoCommand(entry: Readonly<Record<string, unknown>>): string {
  if (entry['type'] === 'registry') {
    return l10n.t('this points to another editor’s agent registry; set “command” instead');
  }
  return l10n.t('missing command');
}
