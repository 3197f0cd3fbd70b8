import * as vscode from 'vscode';
import { Disposable } from '../../shared/disposable';
import { messageOf } from '../../shared/messageOf';
import type { ChatPage } from '../pages/chatPage';
import type { ChatPages } from '../pages/chatPages';
import type { Handlers } from '../pages/handlers';
import { tellFailure } from '../ui/reported';
import { Context, type ContextIntent } from './context';

/** Handlers for chat page messages about attachments and received content. */
export class ContextMessages extends Disposable {
  readonly handlers: Handlers<ContextIntent['type']>;

  constructor(pages: ChatPages, report: (error: unknown) => void) {
    super();
    const context = this.register(new Context());
    const serve = (page: ChatPage, message: ContextIntent) =>
      void context.handle(page, message).catch((error: unknown) => {
        report(error);
        // While the user is typing, the list of files just stays empty.
        if (message.type !== 'findFiles') tellFailure(messageOf(error));
      });
    this.handlers = { findFiles: serve, addContext: serve, attachUris: serve, saveContent: serve, openText: serve };
    this.register(
      vscode.commands.registerCommand('parley.addToChat', async (first: unknown, all: unknown) => {
        const found = await context.fromEditorOrExplorer(first, all);
        if (found.length > 0) await pages.withPage((page) => context.give(page, found));
      }),
    );
  }
}
