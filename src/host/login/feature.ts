import * as vscode from 'vscode';
import { commandTable } from '../base/feature';
import type { Handlers } from '../pages/handlers';
import { reported } from '../ui/reported';
import type { Log } from '../log/log';
import { logInTo } from './logInTo';
import { login, logout, type LogoutServices } from './loginCommands';

/** Logging in to agents, and out of them. */
export function loginFeature(needs: LogoutServices & { readonly log: Log }) {
  const commands = commandTable({
    'parley.login': () => login(needs),
    'parley.logout': () => logout(needs),
  });
  const messages: Handlers<'logInAgent'> = {
    logInAgent: (_page, { agent }) => {
      const spec = needs.catalog.find(agent);
      if (spec && vscode.workspace.isTrusted) reported(needs.log, logInTo(needs, spec));
    },
  };
  return { commands, messages };
}
