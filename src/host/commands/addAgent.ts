import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { warnUntrusted } from '../agents/trust';
import type { Command, CommandServices } from './command';

/** Lists the registry's agents, and adds, updates, and removes them. */
export function addAgent(services: Pick<CommandServices, 'registry'>): Command {
  return listAgents('parley.addAgent', services);
}

/** The same list, which has agents with updates at its top. A button offers it only while there are updates. */
export function updateAgents(services: Pick<CommandServices, 'registry'>): Command {
  return listAgents('parley.updateAgents', services);
}

function listAgents(id: string, { registry }: Pick<CommandServices, 'registry'>): Command {
  return {
    id,
    async execute() {
      if (vscode.workspace.isTrusted) return (await registry.get()).show();
      await warnUntrusted(l10n.t('This folder isn’t trusted yet, so you can’t add or start agents here.'));
    },
  };
}
