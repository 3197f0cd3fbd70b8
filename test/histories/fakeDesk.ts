// A window's documents, files, and file watcher, played for the product: documents follow their files, and the watcher reports late.
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type * as vscode from 'vscode';
import type { Random } from '../fuzz/random';
import { below } from '../fuzz/random';
import {
  editor,
  extensions,
  Range,
  TextEdit,
  Uri,
  workspace,
  type WorkspaceEdit,
  Position,
} from '../unit-support/vscode';

const { onDidChangeTextDocument } = workspace as unknown as typeof vscode.workspace;
const lineEnd = /\r\n|\n/;

/** A text document as the editor has it: one kind of line break, and unsaved text that doesn't follow the file. */
export class FakeDocument {
  readonly encoding = 'utf8';
  readonly isUntitled = false;
  uri: Uri;
  isDirty = false;
  isClosed = false;
  version = 1;
  eol: 1 | 2 = 1;
  private lines: string[] = [];
  /** The file's modification time and size when it was last read or saved. */
  private seen = '';
  private readonly desk: FakeDesk;

  constructor(desk: FakeDesk, uri: Uri) {
    this.desk = desk;
    this.uri = uri;
    this.read();
  }

  get fileName(): string {
    return this.uri.fsPath;
  }

  get lineCount(): number {
    return this.lines.length;
  }

  getText(): string {
    return this.lines.join(this.eol === 2 ? '\r\n' : '\n');
  }

  validateRange(range: Range): Range {
    return new Range(this.valid(range.start), this.valid(range.end));
  }

  /** Takes the file's text, if there is a file. Returns whether the text changed. */
  read(): boolean {
    const { fsPath } = this.uri;
    const stamp = stampOf(fsPath);
    if (stamp === undefined || stamp === this.seen) return false;
    this.seen = stamp;
    const text = readFileSync(fsPath, 'utf8');
    const crlf = text.split('\r\n').length - 1;
    const before = this.getText();
    this.lines = text.split(lineEnd);
    this.eol = crlf * 2 > this.lines.length - 1 ? 2 : 1;
    if (this.getText() === before) return false;
    this.version++;
    return true;
  }

  follow(): void {
    if (this.isDirty || this.isClosed) return;
    if (this.read()) editor.fire('workspace.onDidChangeTextDocument', { document: this, contentChanges: [{}] });
  }

  /** Changes the text, from the last edit to the first. */
  edit(edits: readonly TextEdit[]): void {
    const changes = [...edits]
      .sort((a, b) => b.range.start.line - a.range.start.line || b.range.start.character - a.range.start.character)
      .map(({ range, newText }) => {
        const { start, end } = this.validateRange(range);
        const [first = '', last = ''] = [this.lines[start.line], this.lines[end.line]];
        const text = first.slice(0, start.character) + newText + last.slice(end.character);
        this.lines.splice(start.line, end.line - start.line + 1, ...text.split(lineEnd));
        return { range: new Range(start, end), text: newText, rangeOffset: 0, rangeLength: 0 };
      });
    this.version++;
    this.isDirty = true;
    editor.fire('workspace.onDidChangeTextDocument', { document: this, contentChanges: changes, reason: undefined });
  }

  /** Fails if the file is newer, as the editor's save does. */
  save(): Promise<boolean> {
    const { fsPath } = this.uri;
    const stamp = stampOf(fsPath);
    // `saveOver` makes the file look old.
    const isOld = stamp !== undefined && lstatSync(fsPath).mtimeMs <= 1000;
    if (stamp !== undefined && stamp !== this.seen && !isOld && readFileSync(fsPath, 'utf8') !== this.getText()) {
      return Promise.resolve(false);
    }
    mkdirSync(dirname(fsPath), { recursive: true });
    writeFileSync(fsPath, this.getText());
    this.seen = stampOf(fsPath) ?? '';
    this.isDirty = false;
    this.desk.changed(fsPath);
    editor.fire('workspace.onDidChangeTextDocument', { document: this, contentChanges: [] });
    editor.fire('workspace.onDidSaveTextDocument', this);
    return Promise.resolve(true);
  }

  /** Gives up unsaved text. */
  revert(): void {
    this.isDirty = false;
    this.seen = '';
    if (this.read()) editor.fire('workspace.onDidChangeTextDocument', { document: this, contentChanges: [{}] });
    editor.fire('workspace.onDidChangeTextDocument', { document: this, contentChanges: [] });
  }

  private valid({ line, character }: Position): Position {
    const at = Math.min(line, this.lines.length - 1);
    const length = this.lines[at]?.length ?? 0;
    return new Position(at, line > at ? length : Math.min(character, length));
  }
}

/** Everything that the user and programs can do with the workspace's files. */
export class FakeDesk {
  readonly folder: string;
  documents: FakeDocument[] = [];
  private readonly random: Random;
  /** Changes that the watcher hasn't reported yet. */
  private unreported: string[] = [];
  private isFollowing = false;

  constructor(folder: string, random: Random) {
    this.folder = folder;
    this.random = random;
    Object.assign(workspace, {
      textDocuments: this.documents,
      // Whoever waits for a document to follow its file begins to listen.
      onDidChangeTextDocument: (listener: Parameters<typeof onDidChangeTextDocument>[0]) => {
        setImmediate(() => this.isFollowing && this.follow());
        return onDidChangeTextDocument(listener);
      },
      openTextDocument: async (uri: Uri) => this.open(uri),
      applyEdit: async (edit: WorkspaceEdit) => this.apply(edit),
    });
    // Git's own extension isn't there.
    Object.assign(extensions, { getExtension: () => undefined });
    Object.assign(workspace.fs, {
      delete: async (uri: Uri, { useTrash }: { useTrash?: boolean } = {}) => {
        if (useTrash === true) throw new Error('There is no trash.');
        this.remove(uri.fsPath);
        this.closeGone();
      },
    });
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  /** The files of the workspace by path, below the folder. */
  get files(): string[] {
    return filesIn(this.folder).map((path) => path.slice(this.folder.length + 1));
  }

  read(name: string): string {
    return readFileSync(this.path(name), 'utf8');
  }

  write(name: string, text: string): void {
    const path = this.path(name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    this.changed(path);
  }

  /** Replaces a file by another one, as careful programs do. */
  replace(name: string, text: string): void {
    const draft = `${this.path(name)}.draft`;
    mkdirSync(dirname(draft), { recursive: true });
    writeFileSync(draft, text);
    if (existsSync(this.path(name))) chmodSync(draft, lstatSync(this.path(name)).mode);
    renameSync(draft, this.path(name));
    this.changed(this.path(name));
  }

  move(from: string, to: string): void {
    const moved = existsSync(this.path(from)) ? this.below(this.path(from)) : [];
    mkdirSync(dirname(this.path(to)), { recursive: true });
    renameSync(this.path(from), this.path(to));
    for (const path of moved) {
      this.changed(path);
      this.changed(this.path(to) + path.slice(this.path(from).length));
    }
  }

  remove(path: string): void {
    const gone = this.below(path);
    rmSync(path, { recursive: true, force: true });
    for (const one of gone) this.changed(one);
  }

  open(uri: Uri): FakeDocument {
    const known = this.documentAt(uri.fsPath);
    if (known) return known;
    if (!existsSync(uri.fsPath)) throw new Error(`There is no file ${uri.fsPath}`);
    const document = new FakeDocument(this, uri);
    this.documents.push(document);
    editor.fire('workspace.onDidOpenTextDocument', document);
    return document;
  }

  close(document: FakeDocument): void {
    document.isClosed = true;
    this.documents.splice(this.documents.indexOf(document), 1);
    editor.fire('workspace.onDidCloseTextDocument', document);
  }

  documentAt(path: string): FakeDocument | undefined {
    return this.documents.find(({ uri }) => uri.fsPath === path);
  }

  /** Notes a change for the watcher. */
  changed(path: string): void {
    this.unreported.push(path);
  }

  /** Lets the watcher report some changes, in any order, and the documents follow. */
  report(share: number): void {
    const now = this.unreported.filter(() => this.random() < share);
    this.unreported = this.unreported.filter((path) => !now.includes(path));
    for (const path of new Set(now.sort(() => this.random() - 0.5))) {
      this.follow();
      const uri = Uri.file(path);
      editor.fire(
        existsSync(path) ? (this.random() < 0.5 ? 'watcher.change' : 'watcher.create') : 'watcher.delete',
        uri,
      );
    }
    this.follow();
    this.closeGone();
  }

  /** Does something while documents follow their files, at the latest when something waits for it. */
  async meanwhile<T>(act: Promise<T>): Promise<T> {
    this.follow();
    const { isFollowing } = this;
    this.isFollowing = true;
    try {
      return await act;
    } finally {
      this.isFollowing = isFollowing;
      this.follow();
    }
  }

  /** Follows what the editor does for a user: it announces the change, makes it, and reports it. */
  apply(edit: WorkspaceEdit): boolean {
    return edit.steps.every(({ what, uri, to }) => {
      if (what !== 'set') return this.change(uri, what === 'rename' ? (to as Uri) : undefined);
      this.open(uri).edit(to as readonly TextEdit[]);
      return true;
    });
  }

  private change(from: Uri, to: Uri | undefined): boolean {
    const path = from.fsPath;
    if (!existsSync(path) || (to && existsSync(to.fsPath))) return to === undefined;
    const files = to ? [{ oldUri: from, newUri: to }] : [from];
    editor.fire(to ? 'workspace.onWillRenameFiles' : 'workspace.onWillDeleteFiles', { files });
    const isInside = ({ uri }: FakeDocument) => uri.fsPath === path || uri.fsPath.startsWith(`${path}/`);
    const open = this.documents.filter(isInside);
    if (to) this.move(path.slice(this.folder.length + 1), to.fsPath.slice(this.folder.length + 1));
    else this.remove(path);
    for (const document of open) {
      this.close(document);
      if (!to || !existsSync(to.fsPath + document.uri.fsPath.slice(path.length))) continue;
      const moved = this.open(Uri.file(to.fsPath + document.uri.fsPath.slice(path.length)));
      if (!document.isDirty) continue;
      const all = new Range(0, 0, moved.lineCount, 0);
      moved.edit([TextEdit.replace(all, document.getText())]);
    }
    editor.fire(to ? 'workspace.onDidRenameFiles' : 'workspace.onDidDeleteFiles', { files });
    return true;
  }

  private follow(): void {
    for (const document of [...this.documents]) document.follow();
  }

  private closeGone(): void {
    for (const document of [...this.documents]) {
      if (!document.isDirty && !existsSync(document.uri.fsPath)) this.close(document);
    }
  }

  private below(path: string): string[] {
    return lstatSync(path).isDirectory() ? filesIn(path) : [path];
  }

  /** A random one of these, or undefined if there is none. */
  some<T>(list: readonly T[]): T | undefined {
    return list[below(this.random, Math.max(1, list.length))];
  }
}

/** The paths of all files in a folder, except git's. */
export function filesIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.name === '.git') return [];
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesIn(path) : [path];
  });
}

function stampOf(path: string): string | undefined {
  try {
    const info = lstatSync(path);
    const { ino, mtimeMs, size } = info;
    // A folder in the place of a file is no file to an editor.
    if (info.isDirectory()) return undefined;
    return `${ino} ${mtimeMs} ${size}`;
  } catch {
    return undefined;
  }
}
