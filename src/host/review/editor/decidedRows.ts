import * as vscode from 'vscode';
import type { Hunk } from '../../../review/hunks/hunk';
import { movedLine } from '../../../review/lines/movedLine';
import type { ReviewLog } from '../../../review/log/reviewLog';
import { Disposable } from '../../../shared/values/disposable';
import { isOwnEditor } from '../shown/ownEditor';

/** A change that was decided while its file is in an editor. */
export interface DecidedRow {
  readonly line: number;
  readonly outcome: 'kept' | 'undone';
}

interface Place {
  readonly hunk: Hunk;
  readonly line: number;
  readonly outcome?: DecidedRow['outcome'];
}

/** The changes of a file in an editor, and the version of its text that their lines count in. */
interface Seen {
  readonly version: number;
  readonly pending: readonly Place[];
  readonly decided: readonly Place[];
}

/**
 * Remembers where changes were decided while their file is in an editor. A row there keeps the code below from moving up
 * under the reader's eyes. It goes when no editor shows the file any more.
 */
export class DecidedRows extends Disposable {
  private readonly log: ReviewLog;
  private readonly seen = new Map<string, Seen>();

  constructor(log: ReviewLog) {
    super();
    this.log = log;
    this.register(log.onDidChange((uris) => uris.forEach((uri) => this.update(uri))));
    this.register(vscode.window.onDidChangeVisibleTextEditors(() => this.look()));
    this.register(vscode.workspace.onDidChangeTextDocument((event) => this.follow(event)));
    this.look();
  }

  /** Returns whether the file had changes since it is in an editor. */
  has(uri: string): boolean {
    return this.seen.has(uri);
  }

  /** Returns the decided changes of a file, one per line, without those where other changes wait now. */
  rowsOf(uri: string): readonly DecidedRow[] {
    const hunks = this.log.file(uri)?.hunks ?? [];
    const rows = new Map<number, DecidedRow>();
    for (const { line, outcome } of this.seen.get(uri)?.decided ?? []) {
      const isWaiting = hunks.some(({ start, end }) => line >= start && line < Math.max(end, start + 1));
      if (outcome !== undefined && !isWaiting) rows.set(line, { line, outcome });
    }
    return [...rows.values()];
  }

  /** Forgets files that no editor shows, and remembers those that one shows now. */
  private look(): void {
    const shown = new Set(
      vscode.window.visibleTextEditors.filter(isOwnEditor).map(({ document }) => String(document.uri)),
    );
    for (const uri of this.seen.keys()) if (!shown.has(uri)) this.seen.delete(uri);
    for (const uri of shown) if (!this.seen.has(uri)) this.update(uri);
  }

  private update(uri: string): void {
    const before = this.seen.get(uri);
    const editor = vscode.window.visibleTextEditors.find(
      (one) => isOwnEditor(one) && one.document.uri.toString() === uri,
    );
    const file = this.log.file(uri);
    if (!editor || (!before && (file?.hunks ?? []).length === 0)) return;
    const pending = (file?.hunks ?? []).map((hunk): Place => ({ hunk, line: hunk.start }));
    const ids = new Set(pending.map(({ hunk }) => hunk.id));
    const kept = new Set(file?.snapshot.kept.map(({ id }) => id));
    const gone = (before?.pending ?? []).filter(({ hunk }) => !ids.has(hunk.id));
    const decided = [...(before?.decided ?? []).filter(({ hunk }) => !ids.has(hunk.id)), ...gone].map(
      (place): Place => ({ ...place, outcome: kept.has(place.hunk.id) ? 'kept' : 'undone' }),
    );
    this.seen.set(uri, { version: versionOf(editor.document, file?.snapshot.text.current.length), pending, decided });
  }

  private follow({ document, contentChanges }: vscode.TextDocumentChangeEvent): void {
    const uri = document.uri.toString();
    const seen = this.seen.get(uri);
    if (!seen || contentChanges.length === 0 || seen.version >= document.version) return;
    const edits = contentChanges.map(({ range, text }) => ({
      start: range.start.line,
      end: range.end.line,
      breaks: text.split('\n').length - 1,
    }));
    const move = (place: Place): Place => ({ ...place, line: movedLine(place.line, edits) });
    this.seen.set(uri, {
      version: document.version,
      pending: seen.pending.map(move),
      decided: seen.decided.map(move),
    });
  }
}

/** Returns the version of the document that has the log's lines. The log may be ahead of the document by one edit. */
function versionOf({ version, lineCount }: vscode.TextDocument, lines: number | undefined): number {
  return lines === undefined || lines === lineCount ? version : version + 1;
}
