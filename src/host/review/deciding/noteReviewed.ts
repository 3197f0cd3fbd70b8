import * as vscode from 'vscode';

/** Ticks the walkthrough's step about reviews. Must be called whenever the user begins a review or decides a change. */
export function noteReviewed(): void {
  void vscode.commands.executeCommand('setContext', 'parley.hasReviewed', true);
}
