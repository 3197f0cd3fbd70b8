import * as l10n from '@vscode/l10n';
import type { Command, CommandServices } from './command';
import { showInformation } from '../ui/notifications';

/** Forgets the inputs for MCP servers of `mcp.json`, and the choice whether agents can use them. */
export function forgetMcpAnswers({ mcp }: CommandServices): Command {
  return {
    id: 'parley.mcp.forgetAnswers',
    async execute() {
      await mcp.forgetAnswers();
      void showInformation(l10n.t('MCP server choices and values were reset. New sessions will ask again.'));
    },
  };
}
