import { basename } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { isOnDisk, workspaceRoots } from '../base/folders';
import { changeFolderChoice, folderChoiceKey, readFolderChoice } from '../sessions/start/folderChoice';
import { createPicker } from '../ui/quickInput';

interface FolderItem extends vscode.QuickPickItem {
  readonly folder?: string;
}

/** The user's action in the list: accept the checked folders, or add another first. */
interface Answer {
  readonly ticked: ReadonlySet<string>;
  readonly wantsMore: boolean;
}

/** Lets the user select additional folders for new sessions, also from outside this workspace. */
export async function chooseFolders(memory: vscode.Memento): Promise<void> {
  const roots = workspaceRoots();
  const { without, more, known } = readFolderChoice(memory.get(folderChoiceKey));
  const others = known.filter((folder) => !roots.includes(folder));
  let ticked: ReadonlySet<string> = new Set([...roots.filter((folder) => !without.includes(folder)), ...more]);
  for (;;) {
    const answer = await pickFolders(roots, others, ticked);
    if (!answer) return;
    ticked = answer.ticked;
    if (!answer.wantsMore) break;
    const added = await addFolders();
    others.push(...added.filter((folder) => !roots.includes(folder) && !others.includes(folder)));
    ticked = new Set([...ticked, ...added]);
  }
  await memory.update(folderChoiceKey, changeFolderChoice({ known: others }, roots, ticked));
}

/** Resolves to undefined if the user cancels. */
async function pickFolders(
  roots: readonly string[],
  others: readonly string[],
  ticked: ReadonlySet<string>,
): Promise<Answer | undefined> {
  const picker = createPicker<FolderItem>();
  const add = { iconPath: new vscode.ThemeIcon('add'), tooltip: l10n.t('Add Folder…') };
  picker.title = l10n.t('Folders for new sessions');
  picker.placeholder = l10n.t('Select additional folders for new sessions');
  picker.canSelectMany = true;
  picker.matchOnDescription = true;
  // Keep the checked folders when the focus moves elsewhere, such as to the dialog that adds a folder.
  picker.ignoreFocusOut = true;
  picker.buttons = [add];
  picker.items = [
    ...section(l10n.t('Workspace'), roots),
    ...section(l10n.t('Other folders'), others),
    // An empty list has nothing to check, and its button is easily missed.
    ...(roots.length + others.length > 0 ? [] : [{ label: l10n.t('Add Folder…'), alwaysShow: true }]),
  ];
  picker.selectedItems = picker.items.filter(({ folder }) => folder !== undefined && ticked.has(folder));
  try {
    return await new Promise<Answer | undefined>((resolve) => {
      const answer = (wantsMore: boolean) => {
        const folders = picker.selectedItems.flatMap(({ folder }) => folder ?? []);
        // If there are no folders, the only entry is the one that adds some.
        const isAdding = picker.selectedItems.some(({ folder }) => folder === undefined);
        resolve({ ticked: new Set(folders), wantsMore: wantsMore || isAdding });
      };
      picker.onDidTriggerButton(() => answer(true));
      picker.onDidAccept(() => answer(false));
      picker.onDidHide(() => resolve(undefined));
      picker.show();
    });
  } finally {
    picker.dispose();
  }
}

function section(label: string, folders: readonly string[]): FolderItem[] {
  if (folders.length === 0) return [];
  const items = folders.map((folder) => ({ label: basename(folder) || folder, description: folder, folder }));
  return [{ label, kind: vscode.QuickPickItemKind.Separator }, ...items];
}

async function addFolders(): Promise<readonly string[]> {
  const options = { canSelectFiles: false, canSelectFolders: true, canSelectMany: true };
  const title = l10n.t('Add folders to new sessions');
  const uris = await vscode.window.showOpenDialog({ ...options, title, openLabel: l10n.t('Add') });
  return (uris ?? []).filter((uri) => isOnDisk({ uri })).map(({ fsPath }) => fsPath);
}
