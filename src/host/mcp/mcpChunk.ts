import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { McpServers, type McpServersOptions } from './mcpServers';

/** All there is about MCP servers: a bundle of its own, with its own copy of the translations. */
export function createMcpServers(options: McpServersOptions): McpServers {
  if (vscode.l10n.bundle) l10n.config({ contents: vscode.l10n.bundle });
  return new McpServers(options);
}
