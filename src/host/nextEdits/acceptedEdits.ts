import * as vscode from 'vscode';
import { Disposable } from '../../shared/values/disposable';
import type { Event } from '../../shared/values/event';

/** The command that the editor runs after it has inserted a suggestion. Not for users. */
export const acceptedCommand = '_parley.nextEdit.accepted';

/**
 * Tells the agent that the user accepted a suggestion, and asks for what follows from it: the editor itself asks only
 * after typing.
 */
export class AcceptedEdits extends Disposable {
  /** `accept` gets the key of the client and the id of a suggestion at the cursor; `onDidAcceptAway` reports those elsewhere. */
  constructor(accept: (key: string, id: string) => void, onDidAcceptAway: Event<void>) {
    super();
    this.register(
      vscode.commands.registerCommand(acceptedCommand, (key: unknown, id: unknown) => {
        accept(String(key), String(id));
        suggestAgain();
      }),
    );
    this.register(onDidAcceptAway(() => suggestAgain()));
  }
}

function suggestAgain(): void {
  void vscode.commands.executeCommand('editor.action.inlineSuggest.trigger');
}
