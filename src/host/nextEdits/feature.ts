import * as vscode from 'vscode';
import { commandTable } from '../base/feature';
import { NextEdits, type NextEditsOptions } from './nextEdits';

/** Next edit suggestions of agents. */
export function nextEditsFeature(needs: NextEditsOptions) {
  const edits = new NextEdits(needs);
  const commands = commandTable({
    'parley.nextEdit.accept': () => edits.away?.accept(),
    'parley.nextEdit.dismiss': () => edits.away?.dismiss(),
    'parley.nextEdit.suggest': () => vscode.commands.executeCommand('editor.action.inlineSuggest.trigger'),
  });
  return { commands, dispose: () => edits.dispose() };
}
