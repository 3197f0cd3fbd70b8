import * as l10n from '@vscode/l10n';
import type { AgentCapabilities } from '../acp/decodeAgent';
import type { McpServer } from '../acp/schema';
import type { NoticeText, Session } from '../session/session';
import type { KeptSetup } from '../session/sessionOptions';
import type { AgentSpec, SystemPromptSpec } from './agentSpec';
import type { LeftOut } from './mcp/serverSpec';

/** A text that the agent's instructions are to hold; the published types do not have it yet. */
export interface SystemPrompt {
  readonly mode: SystemPromptSpec['mode'];
  readonly content: readonly { readonly type: 'text'; readonly text: string }[];
}

/** What the request that opens a session says besides which session it is. Agents remember none of it. */
export interface SessionSetup {
  /** Absolute path the session works in. */
  readonly cwd: string;
  /** Absolute; told to agents that understand it; the others work in `cwd` alone. */
  readonly additionalDirectories: readonly string[];
  readonly mcpServers: readonly McpServer[];
  readonly systemPrompt?: SystemPrompt;
  readonly kept?: KeptSetup;
}

/** What the user's settings and folders add to a session. */
export interface Preparation {
  readonly additionalDirectories: readonly string[];
  readonly mcpServers: readonly McpServer[];
  /** MCP servers that this agent is not offered. */
  readonly leftOut: readonly LeftOut[];
  /** Values that must not stand in a log. */
  readonly secrets: readonly string[];
  /** What is to be the same when the session is opened again. */
  readonly kept?: KeptSetup;
  /** What the user is to be told of it. */
  readonly notices?: readonly NoticeText[];
}

/** What a session tells of how it was set up. */
export interface SetupNotice extends NoticeText {
  /** The agent refused something for want of a login, and no session has asked for one. */
  wantsLogin?: boolean;
}

/** Looks up what a session is opened with; it may ask the user, and stops when `signal` aborts. `isNew`: it has never been open. */
export type PrepareSession = (
  session: Session,
  spec: AgentSpec,
  can: AgentCapabilities | undefined,
  signal: AbortSignal,
  isNew: boolean,
) => Promise<Preparation>;

/** The system prompt as this agent takes it; undefined when there is none, or the agent does not take it. */
export function systemPromptFor(
  { systemPrompt }: AgentSpec,
  can: AgentCapabilities | undefined,
): SystemPrompt | undefined {
  if (!systemPrompt || !can?.systemPrompt) return undefined;
  if (systemPrompt.mode === 'override' && !can.systemPromptOverride) return undefined;
  return { mode: systemPrompt.mode, content: [{ type: 'text', text: systemPrompt.text }] };
}

/** What the user is to be told about things of theirs that an agent was not given. */
export function setupNotices(
  { name, systemPrompt }: AgentSpec,
  can: AgentCapabilities | undefined,
  setup: SessionSetup,
  leftOut: readonly LeftOut[],
): readonly NoticeText[] {
  const notices: NoticeText[] = [];
  if (leftOut.length > 0) {
    const title =
      leftOut.length === 1
        ? l10n.t('1 MCP server was skipped')
        : l10n.t('{0} MCP servers were skipped', leftOut.length);
    // Each stands in a line of its own.
    const description = leftOut.map((one) => `\n${one.name}: ${one.reason}.`).join('');
    notices.push({ severity: 'warning', title, description });
  }
  if (systemPrompt && !setup.systemPrompt) {
    const description = can?.systemPrompt
      ? l10n.t('{0} can add to its own prompt but not replace it. Set “mode” to “append” in parley.agents.', name)
      : l10n.t(
          '{0} doesn’t support system prompts. Remove it from parley.agents, or check for a newer version of the agent.',
          name,
        );
    notices.push({ severity: 'warning', title: l10n.t('The system prompt wasn’t sent'), description });
  }
  return notices;
}
