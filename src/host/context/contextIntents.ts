import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { Disposable } from '../../shared/disposable';
import type { FromWebview } from '../../shared/messages';
import type { ChatPages } from '../chat/chatPages';
import { Context, type ContextIntent } from './context';
import { showError } from '../ui/notifications';

/** Serves what chat pages ask about files that go along with a message, and about what came in one. */
export class ContextIntents extends Disposable {
  constructor(pages: ChatPages, report: (error: unknown) => void) {
    super();
    const context = this.register(new Context());
    const tell = (error: unknown) => {
      report(error);
      const reason = error instanceof Error ? error.message : String(error);
      void showError(l10n.t('Couldn’t do that: {0}', reason));
    };
    this.register(
      pages.onDidReceive(({ page, message }) => {
        if (!isContextIntent(message)) return;
        context
          .handle(page, message)
          // While somebody types, the list of files stays empty.
          .catch(message.type === 'findFiles' ? report : tell);
      }),
    );
    this.register(
      vscode.commands.registerCommand('parley.addToChat', async (first: unknown, all: unknown) => {
        const found = await context.fromEditorOrExplorer(first, all);
        if (found.length > 0) await pages.withPage((page) => context.give(page, found));
      }),
    );
  }
}

const types: ReadonlySet<string> = new Set<ContextIntent['type']>([
  'findFiles',
  'addContext',
  'attachUris',
  'saveContent',
  'openText',
]);

function isContextIntent(message: FromWebview): message is ContextIntent {
  return types.has(message.type);
}
