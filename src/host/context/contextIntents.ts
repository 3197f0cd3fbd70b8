import * as vscode from 'vscode';
import { Disposable } from '../../shared/disposable';
import type { Attachment } from '../../shared/content';
import type { ChatPage } from '../chat/chatPage';
import type { ChatPages } from '../chat/chatPages';
import { attachmentOf, pickContext } from './attach';
import { WorkspaceFiles } from './workspaceFiles';

/** Serves what chat pages ask about files that go along with a message, and the command that adds them from elsewhere. */
export class ContextIntents extends Disposable {
  private readonly files = new WorkspaceFiles();

  constructor(pages: ChatPages, report: (error: unknown) => void) {
    super();
    this.register(
      pages.onDidReceive(({ page, message }) => {
        if (message.type === 'findFiles') void this.answer(page, message.query).catch(report);
        else if (message.type === 'addContext') void pickContext(this.files).then((all) => give(page, all), report);
        else if (message.type === 'attachUris') void this.attach(message.uris).then((all) => give(page, all), report);
      }),
    );
    this.register(
      vscode.commands.registerCommand('parley.addToChat', async (first: unknown, all: unknown) => {
        const found = await fromEditorOrExplorer(first, all);
        if (found.length > 0) await pages.withPage((page) => give(page, found));
      }),
    );
  }

  private async answer(page: ChatPage, query: string): Promise<void> {
    page.post({ type: 'foundFiles', query, files: await this.files.find(query) });
  }

  private attach(uris: readonly string[]): Promise<Attachment[]> {
    return Promise.all(uris.map((uri) => attachmentOf(vscode.Uri.parse(uri))));
  }
}

function give(page: ChatPage, attachments: readonly Attachment[]): void {
  if (attachments.length > 0) page.post({ type: 'attach', attachments });
  page.post({ type: 'focusComposer' });
}

/** The explorer calls with the file under the pointer and all that are selected, the editor with its own file. */
async function fromEditorOrExplorer(first: unknown, all: unknown): Promise<Attachment[]> {
  const editor = vscode.window.activeTextEditor;
  const listed: readonly unknown[] = Array.isArray(all) ? all : [];
  const uris = (listed.length > 0 ? listed : [first ?? editor?.document.uri]).filter(
    (uri): uri is vscode.Uri => uri instanceof vscode.Uri,
  );
  const isEditors = listed.length === 0 && editor?.document.uri.toString() === uris[0]?.toString();
  return Promise.all(uris.map((uri) => attachmentOf(uri, isEditors ? editor?.selection : undefined)));
}
