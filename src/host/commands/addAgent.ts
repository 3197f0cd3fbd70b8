import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { warnUntrusted } from '../agents/trust';
import type { Command, CommandServices } from './command';

/** Lists the registry's agents, and adds, updates, and removes them. */
export function addAgent({ registry }: Pick<CommandServices, 'registry'>): Command {
  return {
    id: 'parley.addAgent',
    async execute() {
      if (vscode.workspace.isTrusted) return (await registry.get()).show();
      await warnUntrusted(l10n.t('This folder isn’t trusted yet, so you can’t add or start agents here.'));
    },
  };
}
