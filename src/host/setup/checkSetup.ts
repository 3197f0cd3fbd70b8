import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { reportText } from '../../agent/setup/setupReport';
import { manageTrust } from '../agents/trust';
import type { Act } from '../base/actions';
import { logInTo, type LoginServices } from '../login/logInTo';
import { openReadOnly } from '../ui/readOnlyText';
import { tellInStatusBar } from '../ui/labels';
import type { SetupCheck } from './setupCheck';
import { pickFix, type SetupChoice } from './setupPicker';
import type { SupportBundle } from './supportBundle';

/** What fixing a problem of the setup needs. */
export interface SetupServices extends LoginServices {
  readonly setup: SetupCheck;
  readonly supportBundle: SupportBundle;
  readonly act: Act<'addAgent' | 'showProtocolLog'>;
}

/** Checks the programs, the environment, and the agents, and lists what is wrong with one fix each. */
export async function checkSetup(services: SetupServices): Promise<void> {
  for (;;) {
    const choice = await pickFix((...how) => services.setup.run(...how));
    if (choice?.does !== 'again') return choice && act(services, choice);
  }
}

async function act(services: SetupServices, choice: SetupChoice): Promise<void> {
  if (choice.does === 'saveBundle') return services.supportBundle.show();
  if (choice.does === 'showText') return openReadOnly(l10n.t('Setup'), reportText(services.setup.findings));
  if (choice.does !== 'fix') return;
  const { fix, agent } = choice;
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
