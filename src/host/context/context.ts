import * as vscode from 'vscode';
import { Disposable } from '../../shared/disposable';
import type { Attachment } from '../../shared/content';
import type { ChatPage } from '../pages/chatPage';
import type { IntentOf } from '../pages/intent';
import { attachmentOf, pickContext } from './attach';
import { saveContent } from './saveContent';
import { ShownTexts } from './shownTexts';
import { WorkspaceFiles } from './workspaceFiles';

/** A page's requests about attachments, or about content that an agent sent. */
export type ContextIntent = IntentOf<'findFiles' | 'addContext' | 'attachUris' | 'saveContent' | 'openText'>;

/** Finds, reads, and selects attachments for messages. Saves and opens content of messages. */
export class Context extends Disposable {
  private readonly files = new WorkspaceFiles();
  private readonly texts = this.register(new ShownTexts());

  /** Handles the page's request. Rejects with a sentence. */
  async handle(page: Pick<ChatPage, 'post'>, message: ContextIntent): Promise<void> {
    switch (message.type) {
      case 'findFiles':
        page.post({ type: 'foundFiles', query: message.query, files: await this.files.find(message.query) });
        return;
      case 'addContext':
        this.give(page, await pickContext(this.files));
        return;
      case 'attachUris':
        this.give(page, await Promise.all(message.uris.map((uri) => attachmentOf(vscode.Uri.parse(uri)))));
        return;
      case 'saveContent':
        await saveContent(message.block);
        return;
      case 'openText':
        await this.texts.open(message.uri, message.text);
    }
  }

  /**
   * Returns attachments from the editor or the Explorer. The Explorer passes the file under the pointer and all
   * selected files.
   */
  async fromEditorOrExplorer(first: unknown, all: unknown): Promise<Attachment[]> {
    const editor = vscode.window.activeTextEditor;
    const listed: readonly unknown[] = Array.isArray(all) ? all : [];
    const uris = (listed.length > 0 ? listed : [first ?? editor?.document.uri]).filter(
      (uri): uri is vscode.Uri => uri instanceof vscode.Uri,
    );
    const isEditors = listed.length === 0 && editor?.document.uri.toString() === uris[0]?.toString();
    return Promise.all(uris.map((uri) => attachmentOf(uri, isEditors ? editor?.selection : undefined)));
  }

  /** Adds attachments to the message being typed. */
  give(page: Pick<ChatPage, 'post'>, attachments: readonly Attachment[]): void {
    if (attachments.length > 0) page.post({ type: 'attach', attachments });
    page.post({ type: 'focusComposer' });
  }
}
