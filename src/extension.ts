import type * as vscode from 'vscode';
import { Parley } from './host/parley';

let parley: Parley | undefined;

/**
 * Registers everything but starts no process before the user acts. Reads only what an earlier window of this workspace
 * stored: pending changes and open sessions.
 */
export function activate(context: vscode.ExtensionContext): void {
  parley = new Parley(context);
  context.subscriptions.push(parley);
}

/** Resolves when all agent and terminal processes have exited. */
export async function deactivate(): Promise<void> {
  await parley?.stop();
  parley = undefined;
}
