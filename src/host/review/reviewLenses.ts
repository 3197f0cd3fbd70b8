import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { HunkId } from '../../review/hunk';
import { removedLines } from '../../review/removedText';
import type { ReviewLog } from '../../review/reviewLog';
import { Disposable } from '../../shared/disposable';
import { authorNames, removedWords, traitWords, undoIcon } from './changeWords';
import { peekCommand } from './showChanges';
import { codeLens } from '../ui/labels';

/**
 * Keep, Undo, Comment, and Compare above each pending change, and the number of lines it removed. Changes other than
 * text are above the first line: name, mode, and byte order mark.
 */
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
    const file = this.log.file(uri);
    const { hunks, traitChanges } = file ?? { hunks: [], traitChanges: [] };
    const lensesOf = (line: number, id: HunkId) => {
      const range = new vscode.Range(line, 0, line, 0);
      return (text: string, command: string, tooltip: string, icon?: string) =>
        codeLens(range, { text, tooltip, ...(icon === undefined ? {} : { icon }) }, command, [uri, id]);
    };
    const ofTraits = traitChanges.flatMap((change) => {
      const lens = lensesOf(0, change.id);
      return [lens(traitWords(change), '', ''), ...keepAndUndo(lens, authorNames(change.authors))];
    });
    const ofText = hunks.flatMap((hunk) => {
      const lens = lensesOf(Math.min(hunk.start, document.lineCount - 1), hunk.id);
      const by = authorNames(hunk.authors);
      const removed = file && !file.snapshot.isWhole ? removedLines(file.snapshot.text, hunk).length : 0;
      return [
        ...keepAndUndo(lens, by),
        lens(l10n.t('Comment'), 'parley.review.comment', l10n.t('Ask {0} for a different change', by)),
        lens(l10n.t('Compare'), 'parley.review.compare', l10n.t('Compare with the version you last kept')),
        ...(removed > 0 ? [lens(removedWords(removed), peekCommand, l10n.t('Show the removed lines here'))] : []),
      ];
    });
    return [...ofTraits, ...ofText];
  }
}

type MakeLens = (text: string, command: string, tooltip: string, icon?: string) => vscode.CodeLens;

function keepAndUndo(lens: MakeLens, by: string): vscode.CodeLens[] {
  return [
    lens(l10n.t('Keep'), 'parley.review.keepChange', l10n.t('Keep this change by {0}', by), 'check'),
    lens(l10n.t('Undo'), 'parley.review.undoChange', l10n.t('Undo this change by {0}', by), undoIcon),
  ];
}
