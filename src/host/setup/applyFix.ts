import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Fix } from '../../agent/setup/check';
import type { AgentId } from '../../shared/values/ids';
import { manageTrust } from '../agents/trust';
import type { Act } from '../base/actions';
import { logInTo, type LoginServices } from '../login/logInTo';
import { tellInStatusBar } from '../ui/labels';

/** What fixing a problem of the setup needs. */
export interface FixServices extends LoginServices {
  readonly act: Act<'addAgent' | 'showProtocolLog'>;
}

/** Does the one thing that fixes a finding, which may be about an agent. */
export async function applyFix(services: FixServices, fix: Fix, agent: AgentId | undefined): Promise<void> {
  switch (fix.kind) {
    case 'link':
      await vscode.env.openExternal(vscode.Uri.parse(fix.url, true));
      return;
    case 'copy':
      await vscode.env.clipboard.writeText(fix.line);
      tellInStatusBar(l10n.t('Copied: {0}', fix.line), 6000);
      return;
    case 'manageTrust':
      return manageTrust();
    case 'openSettings':
      await vscode.commands.executeCommand('workbench.action.openSettings', 'parley.agents');
      return;
    case 'addAgent':
      await services.act('addAgent');
      return;
    case 'showLog':
      await services.act('showProtocolLog');
      return;
    case 'logIn': {
      const spec = agent && services.catalog.find(agent);
      if (spec) await logInTo(services, spec);
    }
  }
}
