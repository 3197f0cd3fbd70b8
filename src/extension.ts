import type * as vscode from 'vscode';
import { Parley } from './host/parley';

let parley: Parley | undefined;

/**
 * Registers everything and starts nothing: no process runs before the user acts, and no file is read but what an earlier
 * window of this workspace left: changes that wait for review, and sessions that were open.
 */
export function activate(context: vscode.ExtensionContext): void {
  parley = new Parley(context);
  context.subscriptions.push(parley);
}

/** Resolves when no process of an agent or a terminal is left. */
export async function deactivate(): Promise<void> {
  await parley?.stop();
  parley = undefined;
}
