import * as vscode from 'vscode';
import { lateWorkOf } from '../../shared/lateWork';
import type { Command, CommandServices } from './command';

/**
 * Stops the running turn of the session used last. If no turn is running, stops what earlier turns started. Escape also
 * hides notifications, which VS Code does with that key otherwise.
 */
export function cancelTurn({ pages }: CommandServices): Command {
  return {
    id: 'parley.cancelTurn',
    async execute(by) {
      const session = pages.activeSession;
      if (session) {
        const isIdle = session.transcript.view.activity.state === 'idle';
        // The page has the key, too, and may have stopped the turn already.
        if (isIdle && by !== 'escape' && lateWorkOf(session.transcript.view).length > 0) session.stopLateWork();
        else session.cancel();
      }
      if (by === 'escape') await vscode.commands.executeCommand('notifications.hideToasts');
    },
  };
}
