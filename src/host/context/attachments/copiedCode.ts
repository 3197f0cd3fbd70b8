import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { Attachment } from '../../../shared/transcript/content';
import { Disposable } from '../../../shared/values/disposable';
import { withLines } from '../../../shared/text/lineFragment';
import { linesOf } from './attach';
import { whyWithheld } from './withheld';

/** How many selections are remembered, the latest ones. */
const selectionsKept = 20;

interface Selected {
  readonly uri: vscode.Uri;
  readonly selection: vscode.Selection;
}

/**
 * Recognizes pasted text that was copied in an editor of this window: the user had selected it there, and the file still has it at these
 * lines. VS Code doesn't report what is copied, so the latest selections are remembered, without their text.
 */
export class CopiedCode extends Disposable {
  private selected: readonly Selected[] = [];

  constructor() {
    super();
    const active = vscode.window.activeTextEditor;
    if (active) this.note(active);
    this.register(vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => this.note(textEditor)));
    this.register(vscode.window.onDidChangeActiveTextEditor((editor) => editor && this.note(editor)));
  }

  /**
   * Returns a pasted text as a reference to its lines, with the text as it was pasted. Files that are withheld from agents unless the user
   * asks for them aren't recognized, so their text is pasted as text.
   */
  async find(text: string): Promise<Attachment | undefined> {
    for (const { uri, selection } of this.selected) {
      const document = await documentOf(uri);
      if (!document || unified(document.getText(selection)) !== unified(text)) continue;
      if ((await whyWithheld(uri)) !== undefined) return undefined;
      return { type: 'resource', uri: withLines(uri.toString(), linesOf(selection)), name: basename(uri.path), text };
    }
    return undefined;
  }

  private note({ document, selection }: vscode.TextEditor): void {
    if (document.uri.scheme !== 'file' || selection.isEmpty) return;
    // While a selection grows, only its end changes.
    const rest = this.selected.filter(
      (other) => other.uri.toString() !== document.uri.toString() || !other.selection.anchor.isEqual(selection.anchor),
    );
    this.selected = [{ uri: document.uri, selection }, ...rest].slice(0, selectionsKept);
  }
}

async function documentOf(uri: vscode.Uri): Promise<vscode.TextDocument | undefined> {
  try {
    return await vscode.workspace.openTextDocument(uri);
  } catch {
    return undefined; // The file no longer exists, so the text is no reference to it.
  }
}

function unified(text: string): string {
  return text.replace(/\r\n?/g, '\n');
}
