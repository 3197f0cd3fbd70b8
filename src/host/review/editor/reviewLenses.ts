import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { placeLines, positionAt } from '../../../review/shown/changePlaces';
import type { HunkId } from '../../../review/hunks/hunk';
import { removedLines } from '../../../review/shown/removedText';
import type { ReviewLog } from '../../../review/log/reviewLog';
import type { TrackedFile } from '../../../review/log/trackedFile';
import { Disposable } from '../../../shared/values/disposable';
import { whyNotUndone } from '../../../shared/changes/reviewWords';
import { authorNames, changedWords, positionWords, removedWords, traitWords, undoIcon } from '../shown/changeWords';
import { DecidedRows } from './decidedRows';
import { peekCommand } from '../shown/showChanges';
import { codeLens } from '../../ui/labels';

/**
 * One row above the file, with what changed, Keep, and Undo, and one above each pending change. Changes other than text
 * are in the row above the file: name, mode, and byte order mark. Rows stay while the file is in an editor, because the
 * code would move otherwise.
 */
export class ReviewLenses extends Disposable implements vscode.CodeLensProvider {
  private readonly log: ReviewLog;
  private readonly decided: DecidedRows;
  private readonly changed = this.register(new vscode.EventEmitter<void>());
  readonly onDidChangeCodeLenses = this.changed.event;

  constructor(log: ReviewLog) {
    super();
    this.log = log;
    this.decided = this.register(new DecidedRows(log));
    this.register(vscode.languages.registerCodeLensProvider({ scheme: 'file' }, this));
    this.register(log.onDidChange(() => this.changed.fire()));
  }

  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    const uri = document.uri.toString();
    const file = this.log.file(uri);
    const last = document.lineCount - 1;
    const decided = this.decided
      .rowsOf(uri)
      .filter(({ line }) => line > 0 && line <= last)
      .map(({ line, outcome }) => lensesOn(uri, line)(outcome === 'kept' ? l10n.t('Kept') : l10n.t('Undone'), '', ''));
    return [...(file?.status ? this.pending(uri, file, last) : this.reviewed(uri)), ...decided];
  }

  private pending(uri: string, file: TrackedFile, last: number): vscode.CodeLens[] {
    if (file.base.kind === 'unread') return this.unread(uri, whyNotUndone(file.base.reason));
    const { hunks, traitChanges } = file;
    const lines = placeLines(file);
    // Keep and Undo of the file would be the same as those of its only change, in the same row.
    const isWhole = lines.length === 1 && lines[0] === 0;
    const isInFirstRow = ({ range }: vscode.CodeLens) => range.start.line === 0;
    const first = positionAt(this.log, uri, 0) ?? { at: 1, count: 1 };
    const ofText = hunks.flatMap((hunk, index) => {
      const line = Math.min(hunk.start, last);
      const lens = lensesOn(uri, line, hunk.id);
      const by = authorNames(hunk.authors);
      const removed = file.snapshot.isWhole ? 0 : removedLines(file.snapshot.text, hunk).length;
      const at = first.at + index + lines.length - hunks.length;
      return [
        ...keepAndUndo(lens, by),
        lens(l10n.t('Comment'), 'parley.review.comment', l10n.t('Ask {0} for a different change', by)),
        ...(removed > 0 ? [lens(removedWords(removed), peekCommand, l10n.t('Show the removed lines here'))] : []),
        lens(positionWords({ at, count: first.count }), 'parley.review.open', l10n.t('Review all changes')),
      ];
    });
    const ofTraits = traitChanges.flatMap((change) => {
      const lens = lensesOn(uri, 0, change.id);
      return [lens(traitWords(change), '', ''), ...keepAndUndo(lens, authorNames(change.authors))];
    });
    // The row above the file may be longer than the editor is wide, so what decides a change in it comes before what is about the file.
    const own = [...ofText.filter(isInFirstRow), ...ofTraits];
    const ofFile = this.ofFile(uri, file, lines.length, isWhole);
    const next = first.count > 1 ? [nextLens(lensesOn(uri, 0))] : [];
    const row = own.length === 0 ? [ofFile.words, ...ofFile.actions] : [...own, ...ofFile.actions, ofFile.words];
    return [...row, ...next, ...ofText.filter((lens) => !isInFirstRow(lens))];
  }

  /** The row above a file whose earlier content isn't known. */
  private unread(uri: string, why: string): vscode.CodeLens[] {
    const lens = lensesOn(uri, 0);
    const by = authorNames(this.log.counts(uri).authors);
    return [
      lens(l10n.t('{0} changed this file', by), '', ''),
      lens(l10n.t('Keep file'), 'parley.review.keepFile', l10n.t('Keep all changes in this file'), 'check-all'),
      lens(l10n.t('Can’t be undone'), 'parley.review.open', why),
      ...(this.log.pending.length > 1 ? [nextLens(lens)] : []),
    ];
  }

  private ofFile(
    uri: string,
    { status }: TrackedFile,
    count: number,
    isWhole: boolean,
  ): { readonly words: vscode.CodeLens; readonly actions: readonly vscode.CodeLens[] } {
    const lens = lensesOn(uri, 0);
    return {
      words: lens(changedWords(this.log.counts(uri).authors, count, status?.kind === 'created'), '', ''),
      actions: isWhole
        ? []
        : [
            lens(l10n.t('Keep file'), 'parley.review.keepFile', l10n.t('Keep all changes in this file'), 'check-all'),
            lens(l10n.t('Undo file'), 'parley.review.undoFile', l10n.t('Undo all changes in this file'), undoIcon),
          ],
    };
  }

  /** The row above a file whose changes are decided. */
  private reviewed(uri: string): vscode.CodeLens[] {
    if (!this.decided.has(uri)) return [];
    const lens = lensesOn(uri, 0);
    const hasNext = this.log.pending.length > 0;
    return [lens(l10n.t('No changes left in this file'), '', ''), ...(hasNext ? [nextLens(lens)] : [])];
  }
}

type MakeLens = (text: string, command: string, tooltip: string, icon?: string) => vscode.CodeLens;

function lensesOn(uri: string, line: number, id?: HunkId): MakeLens {
  const range = new vscode.Range(line, 0, line, 0);
  const args = id === undefined ? [uri] : [uri, id];
  return (text, command, tooltip, icon) =>
    codeLens(range, { text, tooltip, ...(icon === undefined ? {} : { icon }) }, command, args);
}

function nextLens(lens: MakeLens): vscode.CodeLens {
  return lens(l10n.t('Next'), 'parley.review.nextChange', l10n.t('Go to the next change'));
}

function keepAndUndo(lens: MakeLens, by: string): vscode.CodeLens[] {
  return [
    lens(l10n.t('Keep'), 'parley.review.keepChange', l10n.t('Keep this change by {0}', by), 'check'),
    lens(l10n.t('Undo'), 'parley.review.undoChange', l10n.t('Undo this change by {0}', by), undoIcon),
  ];
}
