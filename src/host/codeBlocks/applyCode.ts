import { basename } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { splitLines } from '../../review/lines/lines';
import type { FileTarget } from '../base/filePaths';
import { fileRoots, workspacePath } from '../base/folders';
import { editorUri, findDocument, findNotebook } from '../files/documents';
import { writeTarget } from '../files/documentWriter';
import { compareFile } from '../review/shown/showChanges';
import { askModal, showInformation, showWarning } from '../ui/notifications';
import { pickOne } from '../ui/quickInput';
import { allowedTarget, existing, foldersOf, meanings } from './codePlaces';
import type { CodeReview, UsedCode } from './usedCode';
import { createFile } from './createFromCode';
import { languageOf, namedCode } from './namedFile';
import { applyPieces, patchesIn, type FilePatch } from './patches';
import { fitCode } from './placement';
import { isAccepted } from './proposedText';

/** Applies a code block to the file that it belongs to, as a change that waits for review. */
export async function applyCode(review: CodeReview, code: UsedCode): Promise<void> {
  const named = namedCode(code);
  const patches = patchesIn(splitLines(named.text), languageOf(code.info));
  if (patches) {
    await applyPatches(review, code, named.path, patches);
    return;
  }
  const path = await fileFor(code, named.path);
  if (path === undefined) return;
  if (path.isNew) {
    await offerNewFile(review, code, path.path, named.text);
    return;
  }
  const opened = await openTarget(code, path.path);
  if (!opened) return;
  const { document } = opened;
  const file = splitLines(document.getText());
  const fitted = fitCode(file, splitLines(named.text));
  if (fitted.kind === 'same') {
    void showInformation(l10n.t('{0} already has this code.', nameOf(document)));
    return;
  }
  if (fitted.kind === 'changed') {
    await write(review, code, opened, fitted.lines.join('\n'));
    return;
  }
  const other = await otherPlace(opened, asFile(named.text, document), fitted.isPartial);
  if (other) await write(review, code, { ...opened, before: other.before }, other.text);
}

/** A file that code is applied to. */
interface Opened {
  readonly target: FileTarget;
  readonly uri: vscode.Uri;
  readonly document: vscode.TextDocument;
  /** The text as it was when the change was planned. The user may type until it is written. */
  readonly before: string;
}

async function applyPatches(
  review: CodeReview,
  code: UsedCode,
  named: string | undefined,
  patches: readonly FilePatch[],
): Promise<void> {
  for (const patch of patches) {
    const name = patch.path ?? named;
    if (patch.kind === 'delete' || patch.kind === 'rename') {
      void showWarning(l10n.t('This diff deletes or renames {0}, which can’t be applied here.', name ?? ''));
      continue;
    }
    const path = await fileFor(code, name);
    if (path === undefined) return;
    if (path.isNew) {
      if (patch.kind !== 'create') {
        void showWarning(l10n.t('{0} wasn’t found, so the diff wasn’t applied.', path.path));
        continue;
      }
      const text = patch.pieces.flatMap(({ fresh }) => fresh).join('\n');
      await offerNewFile(review, code, path.path, text);
      continue;
    }
    const opened = await openTarget(code, path.path);
    if (!opened) return;
    const lines = applyPieces(splitLines(opened.before), patch.pieces);
    if (lines) {
      await write(review, code, opened, lines.join('\n'));
      continue;
    }
    void showWarning(
      l10n.t(
        'The diff doesn’t match {0}, so nothing was changed. Ask the agent to apply it, or change the file yourself.',
        nameOf(opened.document),
      ),
    );
  }
}

/**
 * Resolves to the file that code belongs to: the one that it names, one named in the text before it, the one in the active editor, or one
 * that the user selects.
 */
async function fileFor(
  code: UsedCode,
  named: string | undefined,
): Promise<{ readonly path: string; readonly isNew: boolean } | undefined> {
  const { session, hints } = code;
  if (named !== undefined) {
    const found = await existing(session, [named]);
    if (found !== undefined) return { path: found, isNew: false };
    const [first] = meanings(session, named);
    if (first !== undefined) return { path: first, isNew: true };
  }
  const hinted = await existing(session, hints);
  if (hinted !== undefined) return { path: hinted, isNew: false };
  const editor = vscode.window.activeTextEditor ?? vscode.window.visibleTextEditors[0];
  if (editor?.document.uri.scheme === 'file') return { path: editor.document.uri.fsPath, isNew: false };
  const [folder] = foldersOf(session);
  const chosen = await vscode.window.showOpenDialog({
    title: l10n.t('Apply to file'),
    openLabel: l10n.t('Apply'),
    ...(folder === undefined ? {} : { defaultUri: vscode.Uri.file(folder) }),
  });
  const [uri] = chosen ?? [];
  return uri && { path: uri.fsPath, isNew: false };
}

async function offerNewFile(review: CodeReview, { session }: UsedCode, path: string, text: string): Promise<void> {
  const create = l10n.t('Create File');
  const question = l10n.t('{0} doesn’t exist. Create it?', basename(path));
  if ((await askModal(question, { detail: path, items: [create] })) !== create) return;
  await createFile(review, session, path, text);
}

async function openTarget({ session }: UsedCode, path: string): Promise<Opened | undefined> {
  const target = await allowedTarget(session, path);
  if (!target) return undefined;
  if (findNotebook(target) !== undefined || /\.ipynb$/i.test(target.path)) {
    void showWarning(l10n.t('Code can’t be applied to notebooks. Copy it to a cell.'));
    return undefined;
  }
  const uri = await editorUri(target);
  const document = (await findDocument(target)) ?? (await vscode.workspace.openTextDocument(uri));
  return { target, uri: document.uri, document, before: document.getText() };
}

/** Writes the new text as a change of the agent's and shows it beside the text before. */
async function write(review: CodeReview, { session }: UsedCode, opened: Opened, text: string): Promise<void> {
  const { target, uri, before } = opened;
  if (text === before) return;
  // What the user has typed since is kept: the change counts from the text that it was made for.
  const known = { text: before, isReadHere: true };
  await review.applying(session, uri, () => writeTarget(target, text, known));
  await compareFile(review.log, uri.toString());
}

/** Lets the user say where code belongs whose place wasn't found. Resolves to the file's new text, and the text that it was made from. */
async function otherPlace(
  { document, before }: Opened,
  code: string,
  isPartial: boolean,
): Promise<{ readonly text: string; readonly before: string } | undefined> {
  if (isPartial) {
    // Its comments about code that it leaves out must not get into the file.
    void showWarning(
      l10n.t(
        'Couldn’t find where this code belongs in {0}. It leaves out parts of the file, so ask the agent for the whole change, or make it yourself.',
        nameOf(document),
      ),
    );
    return undefined;
  }
  const editor = vscode.window.visibleTextEditors.find((one) => one.document === document);
  const selection = editor?.selection;
  const replace = { label: l10n.t('Replace the selection'), id: 'selection' } as const;
  const insert = { label: l10n.t('Insert at the cursor'), id: 'cursor' } as const;
  const whole = { label: l10n.t('Replace the whole file…'), id: 'whole' } as const;
  const items = [
    ...(selection && !selection.isEmpty ? [replace] : []),
    ...(selection?.isEmpty === true ? [insert] : []),
    whole,
  ];
  const title = l10n.t('Couldn’t find where this code belongs in {0}', nameOf(document));
  const picked = await pickOne(items, { title, placeHolder: l10n.t('Select what to do with the code') });
  if (!picked) return undefined;
  if (picked.id === 'whole') {
    const question = l10n.t('Replace all of {0} with this code?', nameOf(document));
    return (await isAccepted(document, code, question)) ? { text: code, before } : undefined;
  }
  if (!editor) return undefined;
  // The user may have typed or selected something else while the list was open.
  const text = document.getText();
  const { selection: now } = editor;
  const [start, end] = [document.offsetAt(now.start), document.offsetAt(now.end)];
  const inner = code.replace(/\n$/, '');
  const changed = text.slice(0, start) + inner + text.slice(end);
  const question = l10n.t('Replace the selection in {0} with this code?', nameOf(document));
  if (picked.id === 'selection' && !(await isAccepted(document, changed, question))) return undefined;
  return { text: changed, before: text };
}

/** Returns code as the text of a whole file, with a line break at its end if the file has one. */
function asFile(text: string, document: vscode.TextDocument): string {
  const end = document.lineAt(document.lineCount - 1).text === '' || document.lineCount === 1;
  return end && !text.endsWith('\n') ? `${text}\n` : text;
}

function nameOf(document: vscode.TextDocument): string {
  const isInWorkspace = fileRoots().length > 0;
  return isInWorkspace ? workspacePath(document.uri) : basename(document.uri.path);
}
