import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { describeEntry, shown, type Detail } from '../../agent/spec/describeEntry';
import type { McpServerSpec } from '../../agent/mcp/serverSpec';
import { askToUse, type AskInChat } from '../consent/chatQuestion';
import { ContentConsent, printOf, type Answer, type AnswerMemory } from '../consent/contentConsent';
import { openReadOnly } from '../ui/readOnlyText';

/**
 * Asks in the chat whether agents can use a server of `mcp.json`: once per workspace, and again when its definition
 * changes.
 */
export class McpConsent {
  private readonly consent: ContentConsent;

  constructor(memory: AnswerMemory) {
    this.consent = new ContentConsent(memory, 'parley.mcpServers.answers');
  }

  /**
   * Returns the user's answer for each server, or undefined for a server that the user was asked about but didn't
   * answer.
   */
  async get(
    servers: readonly McpServerSpec[],
    paths: readonly string[],
    ask: AskInChat,
    signal: AbortSignal,
  ): Promise<(server: McpServerSpec) => Answer | undefined> {
    const open = servers.filter((server) => this.consent.known(printOfServer(server)) === undefined);
    await this.consent.ask(
      open.map(printOfServer),
      (withdrawn) => askAboutServers(open, paths, ask, withdrawn),
      signal,
    );
    return (server) => this.consent.known(printOfServer(server));
  }

  /** Forgets all answers, so the next session asks again. */
  forget(): Promise<void> {
    return this.consent.forget();
  }
}

function askAboutServers(
  servers: readonly McpServerSpec[],
  paths: readonly string[],
  ask: AskInChat,
  signal: AbortSignal,
): Promise<Answer | undefined> {
  const [short, whole] = [describeServers(servers, 'short'), describeServers(servers, 'whole')];
  const isOne = servers.length === 1;
  const title = l10n.t('MCP servers from mcp.json');
  const show = async () => {
    for (const path of paths) await vscode.window.showTextDocument(vscode.Uri.file(path), { preview: false });
    if (short !== whole) await openReadOnly(title, whole);
  };
  return askToUse(
    ask,
    {
      title,
      question: isOne
        ? l10n.t('Let agents use this MCP server from mcp.json?')
        : l10n.t('Let agents use these MCP servers from mcp.json?'),
      text: short,
      use: l10n.t('Allow'),
      refuse: l10n.t('Don’t allow'),
      look: {
        name: paths.length === 1 ? l10n.t('Show file') : l10n.t('Show files'),
        // The question stays open even if its file was deleted in the meantime.
        show: () => void show().catch(() => undefined),
      },
    },
    signal,
  );
}

/** Describes servers one at a time, each with its source and everything that decides what runs. */
export function describeServers(servers: readonly McpServerSpec[], detail: Detail): string {
  return servers
    .map(({ name, origin, transport: { type, ...transport } }) =>
      [
        `${shown(name, detail)} (${shown(origin, detail)})`,
        ...describeEntry(type === 'stdio' ? transport : { ...transport, type }, detail),
      ].join('\n'),
    )
    .join('\n\n');
}

/** Includes the server's folder, because relative paths and inputs depend on it. */
export function printOfServer({ name, folder = '', transport }: McpServerSpec): string {
  return printOf([name, folder, transport]);
}
