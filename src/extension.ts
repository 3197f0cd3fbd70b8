import type * as vscode from 'vscode';
import { Parley } from './host/parley';

let parley: Parley | undefined;

/**
 * Registers everything and starts nothing: no process runs before the user acts, and no file is read but what waits for
 * review since an earlier window.
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
