import { chmod } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { minimalEdits } from '../../review/minimalEdits';
import { splitLines } from '../../review/lines';
import { editorEdits, type UndoPlan } from '../../review/reviewedFile';
import type { ReviewLog } from '../../review/reviewLog';
import type { DiskChanges } from './diskChanges';
import { editorFollows, isSameText } from './editorFollows';

/**
 * Carries out an undo in the editor, as one step that the editor's own undo takes back. A file that had no unsaved changes is
 * saved, since agents read the disk. What cannot be done in a document (a file comes back, or goes) is done on disk.
 */
export async function carryOut(log: ReviewLog, disk: DiskChanges, uri: string, plan: UndoPlan): Promise<void> {
  const target = vscode.Uri.parse(uri);
  const { result, edits, moveTo } = plan;
  if (result.kind === 'absent') {
    await disk.during(uri, () => remove(target));
    log.userEdit(uri, result);
  } else if (result.kind === 'binary') {
    throw new Error(l10n.t('The earlier content of {0} was not kept.', target.path));
  } else if (edits === undefined) {
    await disk.during(uri, () => write(target, result.text));
    log.userEdit(uri, result);
  } else if (edits.length > 0) {
    const { current } = log.file(uri) ?? {};
    if (current?.kind === 'text' && !(await isAsTold(target, current.text))) {
      throw new Error(l10n.t('The editor shows another text than the one that was reviewed. Nothing was undone.'));
    }
    await edit(target, edits);
  } else {
    log.userEdit(uri, result);
  }
  if (result.kind !== 'absent' && result.mode !== undefined && process.platform !== 'win32') {
    await disk.during(uri, () => chmod(target.fsPath, result.mode ?? 0o644));
    log.userEdit(uri, result);
  }
  if (moveTo !== undefined) {
    const move = new vscode.WorkspaceEdit();
    move.renameFile(target, vscode.Uri.parse(moveTo), { overwrite: false });
    if (await vscode.workspace.applyEdit(move)) log.rename(uri, moveTo, { kind: 'user' });
  }
}

/** The edits fit only the text that they were made for. */
async function isAsTold(uri: vscode.Uri, text: string): Promise<boolean> {
  const document = await vscode.workspace.openTextDocument(uri);
  await editorFollows(uri, text);
  return isSameText(document.getText(), text);
}

async function edit(uri: vscode.Uri, edits: NonNullable<UndoPlan['edits']>): Promise<void> {
  const document = await vscode.workspace.openTextDocument(uri);
  const wasSaved = !document.isDirty;
  const change = new vscode.WorkspaceEdit();
  const lineBreak = document.eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n';
  const textEdits = minimalEdits(splitLines(document.getText()), editorEdits(edits)).map(
    ({ startLine, startCharacter, endLine, endCharacter, text }) =>
      vscode.TextEdit.replace(
        new vscode.Range(startLine, startCharacter, endLine, endCharacter),
        text.replaceAll('\n', lineBreak),
      ),
  );
  change.set(uri, textEdits);
  if (!(await vscode.workspace.applyEdit(change))) {
    throw new Error(l10n.t('The editor refused to change {0}. Nothing was undone.', uri.path));
  }
  if (wasSaved) await document.save();
}

async function remove(uri: vscode.Uri): Promise<void> {
  const change = new vscode.WorkspaceEdit();
  change.deleteFile(uri, { ignoreIfNotExists: true });
  if (!(await vscode.workspace.applyEdit(change))) {
    throw new Error(l10n.t('The editor refused to delete {0}. Nothing was undone.', uri.path));
  }
}

async function write(uri: vscode.Uri, text: string): Promise<void> {
  await vscode.workspace.fs.createDirectory(uri.with({ path: dirname(uri.path) }));
  await vscode.workspace.fs.writeFile(uri, await vscode.workspace.encode(text, { uri }));
}
