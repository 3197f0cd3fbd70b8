import * as l10n from '@vscode/l10n';
import type { AgentCapabilities } from '../acp/decodeAgent';
import type { McpServer, OpeningSetup, SystemPrompt } from '../acp/openingSetup';
import type { NoticeText, Session } from '../session/session';
import type { KeptSetup } from '../session/sessionOptions';
import type { AgentSpec } from './agentSpec';
import type { SkippedServer } from './mcp/serverSpec';

/** What a session is opened with. */
export interface SessionSetup extends OpeningSetup {
  readonly kept?: KeptSetup;
}

/** What the user's settings and folders add to a session. */
export interface Preparation {
  readonly additionalDirectories: readonly string[];
  readonly mcpServers: readonly McpServer[];
  /** MCP servers that this agent is not offered. */
  readonly skipped: readonly SkippedServer[];
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
  skipped: readonly SkippedServer[],
): readonly NoticeText[] {
  const notices: NoticeText[] = [];
  if (skipped.length > 0) {
    const title =
      skipped.length === 1
        ? l10n.t('1 MCP server was skipped')
        : l10n.t('{0} MCP servers were skipped', skipped.length);
    // Each stands in a line of its own.
    const description = skipped.map((one) => `\n${one.name}: ${one.reason}.`).join('');
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
