// The editor's text documents in plain Node: they follow their files while nothing is unsaved, and report changes in the order in which
// the editor does.
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { EndOfLine, editor, Position, Range, Uri, workspace, type TextEdit, type WorkspaceEdit } from './vscode';

export class FakeDocument {
  readonly uri: Uri;
  readonly encoding = 'utf8';
  readonly languageId = 'plaintext';
  isDirty = false;
  isClosed = false;
  version = 1;
  eol = EndOfLine.LF;
  /** With line feeds only. */
  text = '';
  /** The file's modification time and size when it was last read or saved here. */
  private seen: { readonly at: number; readonly size: number } | undefined;

  constructor(uri: Uri) {
    this.uri = uri;
    this.read();
  }

  getText(range?: Range): string {
    const text =
      range === undefined ? this.text : this.text.slice(this.offsetOf(range.start), this.offsetOf(range.end));
    return this.eol === EndOfLine.CRLF ? text.replaceAll('\n', '\r\n') : text;
  }

  /** Where a position is in the text with line feeds only. */
  offsetOf({ line, character }: Position): number {
    const before = this.text.split('\n').slice(0, line);
    return Math.min(this.text.length, before.reduce((sum, one) => sum + one.length + 1, 0) + character);
  }

  get fileName(): string {
    return this.uri.fsPath;
  }

  lineAt(at: number | Position) {
    const line = typeof at === 'number' ? at : at.line;
    const text = this.text.split('\n')[line];
    if (text === undefined) throw new Error('Illegal value for `line`');
    const range = new Range(new Position(line, 0), new Position(line, text.length));
    return { lineNumber: line, text, range, isEmptyOrWhitespace: text.trim() === '' };
  }

  get lineCount(): number {
    return this.text.split('\n').length;
  }

  validateRange(range: Range): Range {
    return range;
  }

  /** Types, as the user does: replaces the whole text. The editor reports it as unsaved only after the change. */
  type(text: string): void {
    this.change(text, undefined);
    if (this.isDirty) return;
    this.isDirty = true;
    editor.fire('workspace.onDidChangeTextDocument', { document: this, contentChanges: [], reason: undefined });
  }

  /** Saves, unless the file is newer and has another size, as the editor does. */
  async save(): Promise<boolean> {
    if (!this.isDirty) return true;
    editor.fire('workspace.onWillSaveTextDocument', { document: this, reason: 1, waitUntil: () => undefined });
    const now = attemptStat(this.uri.fsPath);
    const { seen } = this;
    if (now && (!seen || (now.at > seen.at && now.size !== seen.size))) return Promise.resolve(false);
    writeFileSync(this.uri.fsPath, this.getText());
    this.seen = attemptStat(this.uri.fsPath);
    this.isDirty = false;
    editor.fire('workspace.onDidChangeTextDocument', { document: this, contentChanges: [], reason: undefined });
    editor.fire('workspace.onDidSaveTextDocument', this);
    return Promise.resolve(true);
  }

  /** Discards what is unsaved. */
  revert(): void {
    const text = this.onDisk();
    this.isDirty = false;
    if (text !== this.getText()) this.change(text, undefined);
    this.read();
    editor.fire('workspace.onDidChangeTextDocument', { document: this, contentChanges: [], reason: undefined });
  }

  /** Follows the file, as the editor does if nothing is unsaved. */
  follow(): void {
    if (this.isDirty) return;
    const text = this.onDisk();
    if (text !== this.getText()) this.change(text, undefined);
    this.read();
  }

  close(): void {
    this.isClosed = true;
    editor.fire('workspace.onDidCloseTextDocument', this);
  }

  change(text: string, reason: 1 | 2 | undefined): void {
    const old = this.getText();
    const { eol } = this;
    this.text = text.replaceAll('\r\n', '\n');
    this.version++;
    const range = new Range(new Position(0, 0), new Position(old.split('\n').length, 0));
    const contentChanges = [{ range, rangeOffset: 0, rangeLength: old.length, text }];
    this.eol = eol;
    editor.fire('workspace.onDidChangeTextDocument', { document: this, contentChanges, reason });
  }

  private onDisk(): string {
    try {
      return readFileSync(this.uri.fsPath, 'utf8');
    } catch {
      return '';
    }
  }

  private read(): void {
    const text = this.onDisk();
    this.eol = text.includes('\r\n') ? EndOfLine.CRLF : EndOfLine.LF;
    this.text = text.replaceAll('\r\n', '\n');
    this.seen = attemptStat(this.uri.fsPath);
  }
}

/** Lets the fake editor open documents and carry out edits until its next reset. */
export class FakeDocuments {
  readonly all: FakeDocument[] = [];

  constructor() {
    const api = workspace as unknown as Record<string, unknown>;
    api['textDocuments'] = this.all;
    api['openTextDocument'] = (uri: Uri) => Promise.resolve(this.open(uri.fsPath));
    api['applyEdit'] = (edit: WorkspaceEdit) => Promise.resolve(this.apply(edit));
  }

  open(path: string): FakeDocument {
    return this.of(Uri.file(path));
  }

  private of(uri: Uri): FakeDocument {
    const known = this.all.find((one) => one.uri.toString() === uri.toString() && !one.isClosed);
    if (known) return known;
    const document = new FakeDocument(uri);
    this.all.push(document);
    editor.fire('workspace.onDidOpenTextDocument', document);
    return document;
  }

  /** Closes everything. */
  dispose(): void {
    this.all.length = 0;
  }

  private apply({ steps }: WorkspaceEdit): boolean {
    // All edits of a document that follow one another are of the text before them.
    const edits = new Map<string, { readonly uri: Uri; readonly all: TextEdit[] }>();
    const editAll = () => {
      for (const { uri, all } of edits.values()) edit(this.of(uri), all);
      edits.clear();
    };
    for (const { what, uri, to } of steps) {
      if (what === 'set') {
        const known = edits.get(uri.toString()) ?? { uri, all: [] };
        known.all.push(...(to as readonly TextEdit[]));
        edits.set(uri.toString(), known);
        continue;
      }
      editAll();
      if (what === 'rename') {
        mkdirSync(dirname((to as Uri).fsPath), { recursive: true });
        renameSync(uri.fsPath, (to as Uri).fsPath);
      } else {
        rmSync(uri.fsPath, { force: true });
        this.all.filter((one) => one.uri.toString() === uri.toString()).forEach((one) => one.close());
      }
    }
    editAll();
    return true;
  }
}

function edit(document: FakeDocument, edits: readonly TextEdit[]): void {
  const offset = (position: Position) => document.offsetOf(position);
  const sorted = [...edits].sort((a, b) => offset(b.range.start) - offset(a.range.start));
  const text = sorted.reduce(
    (all, { range, newText }) =>
      all.slice(0, offset(range.start)) + newText.replaceAll('\r\n', '\n') + all.slice(offset(range.end)),
    document.text,
  );
  document.type(text);
}

function attemptStat(path: string): { at: number; size: number } | undefined {
  const info = statSync(path, { throwIfNoEntry: false });
  return info && { at: info.mtimeMs, size: info.size };
}
