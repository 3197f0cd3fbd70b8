import * as l10n from '@vscode/l10n';
import { commandTable } from '../base/feature';
import { showInformation } from '../ui/notifications';
import { McpServers, type McpServersOptions } from './mcpServers';

/** The user's MCP servers, which sessions get. */
export function mcpFeature(needs: McpServersOptions) {
  const servers = new McpServers(needs);
  const commands = commandTable({
    'parley.mcp.forgetAnswers': async () => {
      await servers.forgetAnswers();
      void showInformation(l10n.t('MCP server choices and values were reset. New sessions will ask again.'));
    },
  });
  return { servers, commands };
}
