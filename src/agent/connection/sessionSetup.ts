import * as l10n from '@vscode/l10n';
import type { AgentCapabilities } from '../../acp/decode/decodeAgent';
import type { McpServer, OpeningSetup, SystemPrompt } from '../../acp/shape/openingSetup';
import type { KeptSetup, NoticeText, Session } from '../../session/session';
import type { AgentSpec } from '../spec/agentSpec';
import type { SkippedServer } from '../mcp/serverSpec';

/** The setup for opening a session. */
export interface SessionSetup extends OpeningSetup {
  readonly kept?: KeptSetup;
}

/** The additions of the user's settings and folders to a session. */
export interface Preparation {
  readonly additionalDirectories: readonly string[];
  readonly mcpServers: readonly McpServer[];
  /** MCP servers that this agent isn't offered. */
  readonly skipped: readonly SkippedServer[];
  /** Values that must not appear in a log. */
  readonly secrets: readonly string[];
  /** The setup to repeat when the session is reopened. */
  readonly kept?: KeptSetup;
  /** Notices for the user about the setup. */
  readonly notices?: readonly NoticeText[];
}

/** A notice in a session about its setup. */
export interface SetupNotice extends NoticeText {
  /** The agent refused something because it requires a login, and no session has asked for one yet. */
  wantsLogin?: boolean;
}

/**
 * Prepares the setup for opening a session; may ask the user, and stops when `signal` aborts. `isNew`: the session has
 * never been open.
 */
export type PrepareSession = (
  session: Session,
  spec: AgentSpec,
  can: AgentCapabilities | undefined,
  signal: AbortSignal,
  isNew: boolean,
) => Promise<Preparation>;

/**
 * Returns the system prompt in a form that this agent supports; undefined if there is none, or the agent doesn't
 * support it.
 */
export function systemPromptFor(
  { systemPrompt }: AgentSpec,
  can: AgentCapabilities | undefined,
): SystemPrompt | undefined {
  if (!systemPrompt || !can?.systemPrompt) return undefined;
  if (systemPrompt.mode === 'override' && !can.systemPromptOverride) return undefined;
  return { mode: systemPrompt.mode, content: [{ type: 'text', text: systemPrompt.text }] };
}

/** Returns notices about the user's settings that the agent did not receive. */
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
    // Each on its own line.
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
