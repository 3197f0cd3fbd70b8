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
      discard: async (document) => {
        await vscode.window.showTextDocument(document);
        await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
      },
      mayThrow: () => undefined,
    },
  );
});
