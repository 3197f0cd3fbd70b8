import * as vscode from 'vscode';
import type { Command, CommandServices } from './command';

/**
 * Stops the running turn of the session used last. Escape also hides notifications, which VS Code does with that key
 * otherwise.
 */
export function cancelTurn({ pages }: CommandServices): Command {
  return {
    id: 'parley.cancelTurn',
    async execute(by) {
      pages.activeSession?.cancel();
      if (by === 'escape') await vscode.commands.executeCommand('notifications.hideToasts');
    },
  };
}
