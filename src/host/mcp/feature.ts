import * as l10n from '@vscode/l10n';
import { once } from '../../shared/values/once';
import { commandTable } from '../base/feature';
import { showInformation } from '../ui/notifications';
import type { McpServers, McpServersOptions } from './mcpServers';

/** The servers of sessions. */
export type SessionServers = Pick<McpServers, 'get' | 'portsFor'>;

/** The user's MCP servers, which sessions get. */
export function mcpFeature(needs: McpServersOptions) {
  // Loaded with the first session.
  const late = once(async () => {
    const { McpServers } = await import('./mcpServers');
    return new McpServers(needs);
  });
  const servers: SessionServers = {
    get: async (...session) => (await late()).get(...session),
    portsFor: async (...agent) => (await late()).portsFor(...agent),
  };
  const commands = commandTable({
    'parley.mcp.forgetAnswers': async () => {
      await (await late()).forgetAnswers();
      void showInformation(l10n.t('MCP server choices and values were reset. New sessions will ask again.'));
    },
  });
  return { servers, commands };
}
