import * as vscode from 'vscode';
import { inSession, type Handlers } from '../pages/handlers';
import { reported } from '../ui/reported';

/** Handles the buttons of the list of files that can't be undone. */
export function protectionMessages(
  protection: { dismiss(): Promise<void> },
  log: Parameters<typeof reported>[0],
): Handlers<'unprotectedAction'> {
  return {
    unprotectedAction: inSession((_session, { action }) => {
      reported(log, protection.dismiss());
      if (action === 'show') reported(log, vscode.commands.executeCommand('parley.checkSetup'));
    }),
  };
}
