import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ReviewLog } from '../../review/reviewLog';
import { Disposable } from '../../shared/disposable';
import { changeAuthors } from './changeWords';

/** Keep, Undo and Compare above each change that waits for the user. */
export class ReviewLenses extends Disposable implements vscode.CodeLensProvider {
  private readonly log: ReviewLog;
  private readonly changed = this.register(new vscode.EventEmitter<void>());
  readonly onDidChangeCodeLenses = this.changed.event;

  constructor(log: ReviewLog) {
    super();
    this.log = log;
    this.register(vscode.languages.registerCodeLensProvider({ scheme: 'file' }, this));
    this.register(log.onDidChange(() => this.changed.fire()));
  }

  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    const uri = document.uri.toString();
    return (this.log.file(uri)?.hunks ?? []).flatMap((hunk) => {
      const line = Math.min(hunk.start, document.lineCount - 1);
      const range = new vscode.Range(line, 0, line, 0);
      const lens = (title: string, command: string, tooltip: string) =>
        new vscode.CodeLens(range, { title, command, tooltip, arguments: [uri, hunk.id] });
      const by = changeAuthors(hunk.authors);
      return [
        lens(`$(check) ${l10n.t('Keep')}`, 'parley.review.keepChange', l10n.t('Accept this change by {0}', by)),
        lens(`$(discard) ${l10n.t('Undo')}`, 'parley.review.undoChange', l10n.t('Take back this change by {0}', by)),
        lens(l10n.t('Comment'), 'parley.review.comment', l10n.t('Tell {0} what to do differently here', by)),
        lens(l10n.t('Compare'), 'parley.review.compare', l10n.t('Compare the file with what you last accepted')),
      ];
    });
  }
}
