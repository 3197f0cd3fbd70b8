import { editorContract } from '../../contract/all';
import * as vscode from 'vscode';
import { suite, test } from '../api';
import { scratchFolder } from '../filesSupport';
import { until } from '../poll';

suite('the real editor', () => {
  editorContract(
    { suite, test },
    {
      folder: scratchFolder,
      until,
      accept: () => quickly('workbench.action.acceptSelectedQuickOpenItem'),
      escape: () => quickly('workbench.action.closeQuickOpen'),
      discard: async (document) => {
        await vscode.window.showTextDocument(document);
        await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
      },
      mayThrow: () => undefined,
    },
  );
});

/** Lets what an extension has opened reach the window, which is another process, and runs a command there. */
async function quickly(command: string): Promise<void> {
  await vscode.commands.executeCommand('setContext', 'parley.test', true);
  await vscode.commands.executeCommand(command);
}
