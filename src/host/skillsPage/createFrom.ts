import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { showHidden } from '../../shared/text/visibleText';
import { fileKey, isInside } from '../base/filePaths';
import { showError } from '../ui/notifications';
import { pickOne } from '../ui/quickInput';
import { targetColumn } from '../ui/targetColumn';
import { diskFiles } from '../workspaceFiles/diskFile';
import { createTextFile } from '../workspaceFiles/newFile';
import { sourceFiles, type KnownAgent } from './agentFiles';

const mostBytes = 1024 * 1024;

type Choice = vscode.QuickPickItem & { readonly text: string };

/** Creates an agent's missing file: with a line that imports another agent's file, as a copy of it, or empty. */
export async function createFrom(root: string, agent: KnownAgent): Promise<void> {
  const { main, name, takesImports } = agent;
  const choices: Choice[] = [];
  for (const source of sourceFiles) {
    const text = source === main ? undefined : await textOf(root, source);
    if (text === undefined) continue;
    const imports: Choice = {
      label: l10n.t('Import {0}', source),
      description: l10n.t('one line; {0} reads the other file, also after it has changed', name),
      text: `@${source}\n`,
    };
    const copy: Choice = {
      label: l10n.t('Copy {0}', source),
      description: l10n.t('later changes to {0} aren’t copied', source),
      text,
    };
    choices.push(...(takesImports ? [imports] : []), copy);
  }
  const empty: Choice = { label: l10n.t('Start empty'), text: '' };
  const picked = await pickOne([...choices, empty], {
    title: l10n.t('Create {0}', main),
    placeHolder: l10n.t('Select what the file starts with'),
  });
  if (!picked) return;
  const path = join(root, main);
  if (!(await createTextFile(path, picked.text, root))) {
    void showError(l10n.t('{0} already exists, so it wasn’t written.', showHidden(path)));
    return;
  }
  await vscode.window.showTextDocument(vscode.Uri.file(path), { viewColumn: targetColumn(), preview: false });
}

/** Resolves to the text of a file of the folder, also through a link that stays in it. */
async function textOf(root: string, name: string): Promise<string | undefined> {
  try {
    const [folder, real] = [await realpath(root), await realpath(join(root, name))];
    if (!isInside(fileKey(folder), fileKey(real))) return undefined;
    const bytes = (await diskFiles.read(real, mostBytes))?.bytes;
    return bytes && new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
