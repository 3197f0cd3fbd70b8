// A random history of agents and a user in one workspace. Each line of text begins with its name, so that a lost line can be named.
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { clockSlackMs } from '../../src/host/review/moves/noticed';
import { undoWithQuestion, type FileChanges } from '../../src/host/review/deciding/undoWithQuestion';
import { isSameButLineBreaks } from '../../src/review/lines/lines';
import type { Session } from '../../src/session/session';
import type { EntryId, SessionKey } from '../../src/shared/values/ids';
import { below, pick, seeded, type Random } from '../fuzz/random';
import { removeFolder } from '../unit-support/tempFolder';
import { editor, Range, TextEdit, Uri, WorkspaceEdit } from '../unit-support/vscode';
import { FakeDesk, filesIn, type FakeDocument } from './fakeDesk';
import { ReviewWindow } from './reviewWindow';

export const kinds = ['folder', 'git', 'filter', 'worktree', 'folder', 'crlf', 'filter'] as const;
export type Kind = (typeof kinds)[number];

/** How many operations a history has before everything is undone. */
const operations = 17;

type When = 'turn' | 'idle' | 'any';

/** A step of a history. Does nothing if it isn't possible now. */
interface Operation {
  readonly name: string;
  readonly by: 'agent' | 'user' | 'review';
  readonly when: When;
  readonly act: () => Promise<string | undefined> | string | undefined;
}

export class LostLine extends Error {}

export class History {
  readonly done: string[] = [];
  private readonly random: Random;
  private readonly root: string;
  private readonly desk: FakeDesk;
  private readonly storage: string;
  private readonly kind: Kind;
  private readonly alive = new Set<number>();
  private window: ReviewWindow;
  private session: Session;
  private lineCount = 0;
  private fileCount = 0;
  private callCount = 0;
  /** The user's lines that must be in the workspace, or come back with an undo. */
  private safe = new Set<string>();
  /** The user's lines that the user took out of their files, and that are left only in unsaved text. */
  private readonly onlyTyped = new Set<string>();
  /** The user's lines on disk that unsaved text hides, by path. */
  private readonly hidden = new Map<string, ReadonlySet<string>>();
  private isAsked = false;
  private readonly findsFolders: boolean;
  private lastRename: readonly [from: string, to: string] | undefined;
  /** The agent's lines that it wrote and that the user hasn't decided on: they're listed for as long as they're in a file. */
  private readonly owed = new Set<string>();
  /** The folders that the agent made and that the user has nothing in. */
  private readonly madeFolders = new Set<string>();
  /** The folders when the turn began. */
  private foldersBefore: ReadonlySet<string> = new Set();
  /** The restores that can be undone, with the lines that came with each. */
  private restores: (readonly [notice: EntryId, came: ReadonlySet<string>])[] = [];
  private readonly operations: readonly Operation[];

  /** `findsFolders`: an empty folder that an agent made and an undo left is a failure. */
  constructor(seed: number, kind: Kind, root: string, findsFolders = false) {
    this.findsFolders = findsFolders;
    this.random = seeded(seed);
    this.kind = kind;
    this.root = realpathSync(mkdtempSync(join(root, 'history-')));
    const folder = join(this.root, 'project');
    editor.reset();
    editor.folders = [folder];
    this.prepare(folder);
    this.desk = new FakeDesk(folder, this.random);
    this.storage = join(this.root, 'storage');
    mkdirSync(this.storage);
    editor.show = (kind: string, message: string, items: readonly unknown[]) => this.answer(kind, message, items);
    this.window = new ReviewWindow(this.storage, folder, this.alive);
    this.session = this.window.addSession('session:1' as SessionKey);
    this.operations = [...this.agentOperations(), ...this.userOperations(), ...this.reviewOperations()];
    this.safe = this.present('u');
  }

  async run(): Promise<void> {
    try {
      await this.play();
      assertNone(this.window.problems.map(String), 'problems');
    } finally {
      this.window.leave(this.alive, false);
      await removeFolder(this.root);
    }
  }

  private async play(): Promise<void> {
    for (let left = operations; left > 0; left--) {
      const isTurn = this.window.isRunning(this.session);
      const chance = this.random();
      if (!isTurn && chance < 0.35) await this.beginTurn();
      else if (isTurn && chance < 0.12) await this.endTurn();
      else await this.operate(isTurn);
    }
    await this.endTurn();
    await this.undoEverything();
  }

  private async operate(isTurn: boolean): Promise<void> {
    const by = pick(
      this.random,
      isTurn ? (['agent', 'agent', 'agent', 'user', 'review'] as const) : (['user', 'user', 'review'] as const),
    );
    const possible = this.operations.filter(
      (one) => one.by === by && (one.when === 'any' || (one.when === 'turn') === isTurn),
    );
    const { name, act } = pick(this.random, possible);
    // The watcher is faster than a user, except one who opens a file and types at once.
    if (by === 'user' && !(name.startsWith('opens and types') && this.random() < 0.7)) await this.look();
    if (!isTurn && by === 'user') this.timePasses();
    this.noteHidden();
    const before = this.present('u');
    const onDisk = this.onDisk();
    const counts = this.counts();
    const inEditors = this.linesInEditors();
    const removed = this.removedLines();
    const written = this.agentLines();
    const folders = this.allFolders();
    const files = new Set(this.desk.files);
    this.isAsked = false;
    const at = this.done.push(`${by}: ${name}`) - 1;
    const words = await act();
    if (words === undefined) {
      this.done.splice(at, 1);
      return;
    }
    this.done[at] = `${by}: ${name} ${words}`;
    if (this.random() < 0.6) this.desk.report(0.7);
    if (by === 'review' || !isTurn) await this.settle();
    const after = this.present('u');
    // What an agent finds in git's history isn't what the user had.
    const there = this.onDisk();
    if (by !== 'agent') {
      for (const line of after) if (!before.has(line)) this.safe.add(line);
      for (const line of there) if (!onDisk.has(line)) this.onlyTyped.delete(line);
    }
    // What the user takes away is gone, even if an agent has a copy.
    if (by === 'user') {
      const left = this.counts();
      for (const [line, count] of counts) if ((left.get(line) ?? 0) < count) this.safe.delete(line);
      for (const line of onDisk) if (!there.has(line)) this.onlyTyped.add(line);
    }
    // What the user lets an agent remove is given up, even if it's in a new file that isn't listed yet.
    if (name.startsWith('keeps')) {
      const left = this.removedLines();
      for (const line of removed) if (!left.has(line)) this.safe.delete(line);
    }
    if (by === 'agent') this.noteAgent(written, folders);
    else this.noteOther(written, files, name);
    if (by === 'review') this.afterReview(before, after, name === 'restores' ? before : inEditors);
    if (by === 'user' && name.startsWith('deletes')) await this.look();
    if (by === 'user' && (!isTurn || name.startsWith('deletes'))) this.forgetUnsafe();
  }

  /** What Parley did never takes a line of the user unasked. A line that the user gave up is in a copy, or can be brought `back`. */
  private afterReview(before: ReadonlySet<string>, after: ReadonlySet<string>, back: ReadonlySet<string>): void {
    const held = this.held();
    const gone = [...before].filter((line) => this.safe.has(line) && !after.has(line) && !held.has(line));
    if (this.isAsked) this.assertCopied(gone, back);
    else this.assertKept(gone);
    this.forgetUnsafe();
  }

  /** An undo that the user agreed to leaves a copy, unless an editor can bring the lines back. */
  private assertCopied(gone: readonly string[], inEditors: ReadonlySet<string>): void {
    if (gone.length === 0) return;
    const copies = filesIn(join(this.storage, 'removed')).map((path) => readFileSync(path, 'utf8'));
    const copied = new Set(copies.flatMap((text) => namesIn(text, 'u')));
    this.assertKept(gone.filter((line) => !copied.has(line) && !inEditors.has(line)));
  }

  private assertKept(gone: readonly string[]): void {
    if (gone.length > 0) throw new LostLine(`lost: ${gone.join(', ')}`);
  }

  /** After a decision of the user, only what is in the workspace or can be undone counts. */
  private forgetUnsafe(): void {
    const held = this.held();
    for (const line of this.safe) if (!held.has(line)) this.safe.delete(line);
  }

  /** The user's lines that are in the workspace after an undo of everything: also those that it brings back, but not those it takes away. */
  private held(): Set<string> {
    const held = new Set<string>();
    const { log } = this.window.review;
    const texts = new Map(
      this.files().map((name) => [Uri.file(this.desk.path(name)).toString(), [this.desk.read(name)]]),
    );
    for (const document of this.desk.documents) {
      const uri = document.uri.toString();
      if (document.isDirty) texts.set(uri, [...(texts.get(uri) ?? []), document.getText()]);
    }
    for (const [uri, all] of texts) {
      const file = log.file(uri);
      const taken = new Set(
        (file?.hunks ?? []).flatMap(({ start, end, lineAuthors }) =>
          (file?.snapshot.text.current.slice(start, end) ?? [])
            .filter((_, at) => lineAuthors[at]?.kind !== 'user')
            .flatMap((line) => namesIn(line, 'u')),
        ),
      );
      for (const line of all.flatMap((text) => namesIn(text, 'u'))) if (!taken.has(line)) held.add(line);
    }
    for (const uri of log.pending) {
      const { base } = log.file(uri) ?? {};
      if (base?.kind === 'text') for (const line of namesIn(base.text, 'u')) held.add(line);
    }
    return held;
  }

  /** What the agent writes into a file is listed there, and what it makes is gone with an undo. */
  private noteAgent(written: ReadonlySet<string>, folders: ReadonlySet<string>): void {
    const known = new Set([...written].map(lineOf));
    for (const line of this.agentLines()) if (!known.has(lineOf(line))) this.owed.add(lineOf(line));
    for (const folder of this.allFolders()) {
      if (!folders.has(folder) && !this.foldersBefore.has(folder)) this.madeFolders.add(folder);
    }
  }

  /** What the user keeps, takes away, or brings in isn't owed to them any more. A folder that they had a hand in is theirs. */
  private noteOther(written: ReadonlySet<string>, files: ReadonlySet<string>, name: string): void {
    const isKeep = name.startsWith('keeps');
    const now = this.agentLines();
    for (const line of now) if (!written.has(line)) this.owed.delete(lineOf(line));
    for (const line of written) if (!now.has(line)) this.owed.delete(lineOf(line));
    // Nobody looks at what an agent wrote in the last moments before a crash.
    if (isKeep || name === 'crashes') {
      for (const line of this.unlistedLines()) this.owed.delete(lineOf(line));
      for (const folder of this.madeFolders) {
        const file = this.window.review.log.file(Uri.file(this.desk.path(folder)).toString());
        if (this.isEmptyFolder(folder) && file?.status === undefined) this.madeFolders.delete(folder);
      }
    }
    const left = new Set(this.desk.files);
    const changed = [...files, ...left].filter((name) => !files.has(name) || !left.has(name));
    for (const name of isKeep ? [...changed, ...left] : changed) {
      for (const folder of foldersAbove(name)) this.madeFolders.delete(folder);
    }
  }

  /** The agent's lines on disk, each with its file. */
  private agentLines(): Set<string> {
    return new Set(this.files().flatMap((name) => namesIn(this.desk.read(name), 'a').map((line) => `${line} ${name}`)));
  }

  /** The agent's lines on disk that no pending change has. */
  private unlistedLines(): string[] {
    const { log } = this.window.review;
    return this.files().flatMap((name) => {
      if (this.isInPendingFolder(name)) return [];
      const file = log.file(Uri.file(this.desk.path(name)).toString());
      const isText = file?.current.kind === 'text' && file.base.kind !== 'unread';
      if (!isText && file?.status !== undefined) return [];
      const listed = new Set(
        (file?.hunks ?? []).flatMap(({ start, end }) =>
          (file?.snapshot.text.current.slice(start, end) ?? []).flatMap((line) => namesIn(line, 'a')),
        ),
      );
      return namesIn(this.desk.read(name), 'a').flatMap((line) => (listed.has(line) ? [] : [`${line} ${name}`]));
    });
  }

  /** A folder that isn't recorded is listed as a whole. */
  private isInPendingFolder(name: string): boolean {
    const { log } = this.window.review;
    return foldersAbove(name).some(
      (folder) => log.file(Uri.file(this.desk.path(folder)).toString())?.status !== undefined,
    );
  }

  private isEmptyFolder(folder: string): boolean {
    return existsSync(this.desk.path(folder)) && filesIn(this.desk.path(folder)).length === 0;
  }

  /** All folders, also empty ones. */
  private allFolders(): Set<string> {
    return new Set(
      readdirSync(this.desk.folder, { withFileTypes: true, recursive: true }).flatMap((entry) => {
        const path = join(entry.parentPath, entry.name).slice(this.desk.folder.length + 1);
        return entry.isDirectory() && !/^\.git(\/|$)/.test(path) ? [path] : [];
      }),
    );
  }

  private assertListed(): void {
    const lines = this.unlistedLines().filter((line) => this.owed.has(lineOf(line)));
    if (lines.length > 0) throw new LostLine(`unlisted: ${lines.join(', ')}`);
  }

  private async beginTurn(): Promise<void> {
    this.done.push('turn begins');
    this.foldersBefore = this.allFolders();
    await this.desk.meanwhile(this.window.begin(this.session));
  }

  private async endTurn(): Promise<void> {
    if (!this.window.isRunning(this.session)) return;
    this.done.push('turn ends');
    await this.window.end(this.session);
    // A queued message follows at once.
    if (this.random() < 0.3) {
      await this.beginTurn();
      return;
    }
    await this.settle();
    if (this.random() < 0.7) await this.saveAll();
    if (!this.desk.documents.some(({ isDirty }) => isDirty)) this.check();
  }

  /** Nothing is lost, and nothing that an agent wrote is hidden. */
  private check(): void {
    const held = this.held();
    this.assertKept([...this.safe].filter((line) => !held.has(line)));
    this.assertListed();
  }

  private async settle(): Promise<void> {
    this.desk.report(1);
    await this.desk.meanwhile(this.window.settled());
    this.desk.report(1);
    await this.desk.meanwhile(this.window.settled());
  }

  /** Undoes all changes, and finds every line of the user. */
  private async undoEverything(): Promise<void> {
    while (this.window.isRunning(this.session)) await this.endTurn();
    await this.settle();
    await this.saveAll();
    this.check();
    this.done.push('end: undo all');
    editor.shown.length = 0;
    const { log, disk } = this.window.review;
    const all = log.pending.map((uri): FileChanges => ({ uri, ids: 'all' }));
    const inEditors = this.linesInEditors();
    await this.desk.meanwhile(
      undoWithQuestion(log, disk, all, (_question, ...answers) => Promise.resolve(answers.at(-1))),
    );
    await this.settle();
    const after = this.present('u');
    const held = this.held();
    const gone = [...this.safe].filter((line) => !after.has(line) && !held.has(line));
    this.assertCopied(gone, inEditors);
    assertNone(
      editor.shown.flatMap(({ kind, message }) => (kind === 'error' ? [message] : [])),
      'errors',
    );
    const empty = [...this.madeFolders].filter((folder) => this.isEmptyFolder(folder));
    if (empty.length > 0 && this.findsFolders) throw new LostLine(`left over: ${empty.join(', ')}`);
    // After a reload, the bytes of plain text aren't known, and an editor has one kind of line break.
    const isPending = (uri: string) => {
      const { base, current } = log.file(uri) ?? {};
      // A folder isn't removed if there's a file in it.
      if (current?.kind === 'folder') return false;
      return !(base?.kind === 'text' && current?.kind === 'text' && isSameButLineBreaks(base.text, current.text));
    };
    assertNone(
      log.pending.filter(isPending).map((uri) => `${uri} ${JSON.stringify(log.file(uri)?.status)}`),
      `still pending after ${editor.shown.map(({ message }) => message).join('; ')}`,
    );
  }

  /** Saves all documents, or gives up the unsaved text of those that the editor can't save. */
  private async saveAll(): Promise<void> {
    for (const document of [...this.desk.documents]) {
      if (!document.isDirty) continue;
      const name = this.nameOf(document);
      this.noteHidden();
      const before = this.present('u');
      const isSaved = await this.save(document);
      this.done.push(`user: ${isSaved ? 'saves' : 'reverts'} ${name}`);
      if (!isSaved) this.revert(document);
      await this.settle();
      const after = this.present('u');
      for (const line of before) if (!after.has(line)) this.safe.delete(line);
    }
  }

  /** Saves a document. What it had on disk before is given up, even if an agent has moved that away. */
  private async save(document: FakeDocument): Promise<boolean> {
    const isSaved = await document.save();
    if (!isSaved) return false;
    const lines = new Set(namesIn(document.getText(), 'u'));
    for (const line of lines) this.onlyTyped.delete(line);
    for (const line of this.hidden.get(document.fileName) ?? []) if (!lines.has(line)) this.safe.delete(line);
    this.hidden.delete(document.fileName);
    return true;
  }

  private noteHidden(): void {
    for (const { fileName, isDirty } of this.desk.documents) {
      if (!isDirty) this.hidden.delete(fileName);
      else if (existsSync(fileName)) this.hidden.set(fileName, new Set(namesIn(readFileSync(fileName, 'utf8'), 'u')));
    }
  }

  /** Gives up unsaved text. A line that the user took out of the file before is gone with it, even if an agent has since found a copy. */
  private revert(document: FakeDocument): void {
    const lines = namesIn(document.getText(), 'u');
    document.revert();
    for (const line of lines) if (this.onlyTyped.has(line)) this.safe.delete(line);
  }

  /** Everything up to now is reported and read. */
  private async look(): Promise<void> {
    this.desk.report(1);
    await this.desk.meanwhile(this.window.looked());
  }

  /** The user's lines that pending changes remove from their files. */
  private removedLines(): Set<string> {
    const { log } = this.window.review;
    return new Set(
      log.pending.flatMap((uri) => {
        const { base = [], current = [] } = log.file(uri)?.snapshot.text ?? {};
        const there = new Set(namesIn(current.join(''), 'u'));
        return namesIn(base.join(''), 'u').filter((line) => !there.has(line));
      }),
    );
  }

  /** The user's lines in open documents, which an editor's own undo brings back. */
  private linesInEditors(): Set<string> {
    return new Set(this.desk.documents.flatMap((document) => namesIn(document.getText(), 'u')));
  }

  // The workspace

  private prepare(folder: string): void {
    const repository = this.kind === 'worktree' ? join(this.root, 'repository') : folder;
    mkdirSync(repository, { recursive: true });
    const eol = this.kind === 'crlf' ? '\r\n' : '\n';
    for (const name of ['a.txt', 'b.txt', 'src/c.txt', 'src/d.txt', 'docs/e.txt']) {
      mkdirSync(dirname(join(repository, name)), { recursive: true });
      const lines = Array.from({ length: 3 + below(this.random, 8) }, () => this.line('u'));
      writeFileSync(join(repository, name), lines.map((line) => line + eol).join(''));
    }
    if (this.kind === 'folder') return;
    const git = (...args: string[]) => execFileSync('git', args, { cwd: repository, stdio: 'pipe' });
    git('init', '-q', '-b', 'main');
    const config = ['user.email=a@b.c', 'user.name=A', 'gc.auto=0', 'core.fsync=none'];
    if (this.kind === 'crlf') config.push('core.autocrlf=true');
    const filters = this.kind === 'filter' ? prepareFilters(repository) : [];
    configure(repository, [...config, ...filters]);
    writeFileSync(join(repository, '.gitignore'), 'ignored/\n');
    git('add', '.');
    git('commit', '-q', '-m', 'start');
    // The program of a filter isn't installed any more.
    const lost = ['filter.mark.clean=no-such-filter', 'filter.mark.smudge=no-such-filter'];
    if (this.random() < 0.5) lost.push('filter.mark.required=true');
    if (this.kind === 'filter') configure(repository, [...config, ...filters, ...lost]);
    if (this.kind === 'worktree') git('worktree', 'add', '-q', '-b', 'other', folder);
    // A file that isn't clean when the first turn begins.
    writeFileSync(join(folder, 'b.txt'), [this.line('u'), this.line('u')].map((line) => line + eol).join(''));
    writeFileSync(join(folder, 'new.txt'), [this.line('u'), this.line('u')].map((line) => line + eol).join(''));
  }

  private line(by: 'u' | 'a'): string {
    // A filter drops some lines of the working tree.
    const words = this.kind === 'filter' && this.random() < 0.3 ? 'drop' : 'stays';
    return `${by}${(this.lineCount += 1)} ${words} ${below(this.random, 1000)}`;
  }

  private newName(): string {
    return pick(this.random, ['', 'src/', 'docs/', 'new/', 'new/deep/']) + `n${(this.fileCount += 1)}.txt`;
  }

  private files(): string[] {
    return this.desk.files.filter((name) => name.endsWith('.txt'));
  }

  private folders(): string[] {
    return [...new Set(this.files().map((name) => name.split('/').slice(0, -1).join('/')))].filter(
      (name) => name !== '',
    );
  }

  private onDisk(): Set<string> {
    return new Set(this.files().flatMap((name) => namesIn(this.desk.read(name), 'u')));
  }

  private present(by: 'u' | 'a'): Set<string> {
    const texts = this.files().map((name) => this.desk.read(name));
    for (const document of this.desk.documents) if (document.isDirty) texts.push(document.getText());
    return new Set(texts.flatMap((text) => namesIn(text, by)));
  }

  /** How often the user sees each line of theirs. */
  private counts(): ReadonlyMap<string, number> {
    const texts = new Map(this.files().map((name) => [this.desk.path(name), this.desk.read(name)]));
    for (const document of this.desk.documents) if (document.isDirty) texts.set(document.fileName, document.getText());
    const counts = new Map<string, number>();
    for (const line of [...texts.values()].flatMap((text) => namesIn(text, 'u'))) {
      counts.set(line, (counts.get(line) ?? 0) + 1);
    }
    return counts;
  }

  private nameOf(document: FakeDocument): string {
    return document.uri.fsPath.slice(this.desk.folder.length + 1);
  }

  /** A user takes a while, so that what happens next can't belong to a turn that has ended. */
  private timePasses(): void {
    for (const turn of this.window.review.turns.current)
      if (turn.endedAt !== undefined) turn.endedAt -= 2 * clockSlackMs;
  }

  private answer(kind: string, message: string, items: readonly unknown[]): Promise<unknown> {
    editor.shown.push({ kind, message, items });
    if (kind !== 'warning') return Promise.resolve(undefined);
    this.isAsked = true;
    const answers = items.filter((item) => typeof item === 'string');
    return Promise.resolve(this.random() < 0.3 ? undefined : answers[below(this.random, answers.length)]);
  }

  // Texts

  private linesOf(name: string): string[] {
    return splitText(this.desk.read(name));
  }

  private changed(lines: readonly string[], by: 'u' | 'a'): string[] {
    const at = below(this.random, lines.length + 1);
    const gone = pick(this.random, [0, 0, 1, 2, 3]);
    const come = Array.from({ length: pick(this.random, [0, 1, 1, 2]) + (gone === 0 ? 1 : 0) }, () => this.line(by));
    return [...lines.slice(0, at), ...come, ...lines.slice(at + gone)];
  }

  private textOf(name: string, lines: readonly string[]): string {
    const isCrlf = existsSync(this.desk.path(name)) ? this.desk.read(name).includes('\r\n') : this.kind === 'crlf';
    return lines.map((line) => line + (isCrlf ? '\r\n' : '\n')).join('');
  }

  private put(name: string, lines: readonly string[]): void {
    const text = this.textOf(name, lines);
    if (this.random() < 0.3) this.desk.replace(name, text);
    else this.desk.write(name, text);
  }

  private git(...args: string[]): boolean {
    try {
      execFileSync('git', ['-c', 'core.hooksPath=/dev/null', ...args], { cwd: this.desk.folder, stdio: 'pipe' });
      return true;
    } catch {
      return false;
    }
  }

  // Operations

  private agentOperations(): Operation[] {
    const inFile = (act: (name: string) => unknown) => async () => {
      const name = this.desk.some(this.files());
      const words = name === undefined ? undefined : await act(name);
      return typeof words === 'string' ? words : name;
    };
    const call = (path: string, status: string, more: object = {}) => {
      if (status === 'pending') this.callCount++;
      const sessionUpdate = status === 'pending' ? 'tool_call' : 'tool_call_update';
      this.session.agentSide.handleUpdate({
        sessionUpdate,
        toolCallId: `call-${this.callCount}`,
        title: 'Edit',
        kind: 'edit',
        status,
        locations: [{ path }],
        ...more,
      });
    };
    const bridged = async (name: string, text: string) => {
      const path = this.desk.path(name);
      const { signal } = new AbortController();
      await this.desk.meanwhile(
        this.window.bridge.writeTextFile(this.session.context, { path, content: text }, signal),
      );
      return name;
    };
    const operation = (name: string, act: Operation['act']): Operation => ({ name, by: 'agent', when: 'turn', act });
    return [
      operation(
        'edits',
        inFile((name) => this.put(name, this.changed(this.linesOf(name), 'a'))),
      ),
      operation(
        'edits twice',
        inFile((name) => {
          this.put(name, this.changed(this.linesOf(name), 'a'));
          this.put(name, this.changed(this.linesOf(name), 'a'));
        }),
      ),
      operation(
        'rewrites',
        inFile((name) =>
          this.put(
            name,
            this.linesOf(name).flatMap((line) => (this.random() < 0.4 ? [this.line('a')] : [line])),
          ),
        ),
      ),
      operation(
        'appends',
        inFile((name) => this.put(name, [...this.linesOf(name), this.line('a')])),
      ),
      operation(
        'empties',
        inFile((name) => this.put(name, [])),
      ),
      operation(
        'writes the same',
        inFile((name) => this.put(name, this.linesOf(name))),
      ),
      operation('creates', () => this.create()),
      operation('creates', () => this.create()),
      operation(
        'deletes',
        inFile((name) => this.desk.remove(this.desk.path(name))),
      ),
      operation(
        'deletes and writes again',
        inFile((name) => {
          const lines = this.changed(this.linesOf(name), 'a');
          this.desk.remove(this.desk.path(name));
          this.put(name, lines);
        }),
      ),
      operation(
        'renames',
        inFile((name) => this.rename(name, this.newName())),
      ),
      operation(
        'renames',
        inFile((name) => this.rename(name, this.newName())),
      ),
      operation(
        'renames and edits',
        inFile((name) => {
          const to = this.newName();
          this.rename(name, to);
          this.put(to, this.changed(this.linesOf(to), 'a'));
          return `${name} to ${to}`;
        }),
      ),
      operation(
        'renames and writes the old name',
        inFile((name) => {
          const to = this.newName();
          this.rename(name, to);
          this.put(name, [this.line('a'), this.line('a')]);
          return `${name} to ${to}`;
        }),
      ),
      operation(
        'renames there and back',
        inFile((name) => {
          const to = this.newName();
          this.rename(name, to);
          if (this.random() < 0.5) this.desk.report(0.5);
          this.rename(to, name);
          return `${name} to ${to}`;
        }),
      ),
      operation(
        'renames over',
        inFile((name) => {
          const to = this.desk.some(this.files().filter((one) => one !== name));
          if (to === undefined) return '';
          this.desk.changed(this.desk.path(to));
          return this.rename(name, to);
        }),
      ),
      operation(
        'swaps',
        inFile((name) => {
          const other = this.desk.some(this.files());
          if (other === undefined || other === name) return '';
          // The user may have a file of any other name.
          const between = `swap${(this.fileCount += 1)}.txt`;
          this.rename(name, between);
          this.rename(other, name);
          this.rename(between, other);
          return `${name} and ${other}`;
        }),
      ),
      operation(
        'copies',
        inFile((name) => {
          const to = this.newName();
          this.desk.write(to, this.desk.read(name));
          return `${name} to ${to}`;
        }),
      ),
      operation('renames a folder', () => {
        const folder = this.desk.some(this.folders());
        if (folder === undefined) return undefined;
        const to = `moved${(this.fileCount += 1)}`;
        return this.rename(folder, to);
      }),
      operation('swaps folders', () => {
        const [one, other] = [this.desk.some(this.folders()), this.desk.some(this.folders())];
        if (
          one === undefined ||
          other === undefined ||
          `${one}/`.startsWith(`${other}/`) ||
          `${other}/`.startsWith(`${one}/`)
        )
          return undefined;
        const between = `swap${(this.fileCount += 1)}`;
        this.rename(one, between);
        this.rename(other, one);
        this.rename(between, other);
        return `${one} and ${other}`;
      }),
      operation('moves a folder away and back', () => {
        const folder = this.desk.some(this.folders());
        if (folder === undefined) return undefined;
        const away = `away${(this.fileCount += 1)}`;
        this.rename(folder, away);
        if (this.random() < 0.5) this.desk.report(0.5);
        const file = this.desk.some(this.files().filter((name) => name.startsWith(`${away}/`)));
        if (file !== undefined && this.random() < 0.5) this.put(file, this.changed(this.linesOf(file), 'a'));
        this.rename(away, folder);
        return `${folder} ${away}`;
      }),
      operation('creates an ignored file', () => {
        const name = `ignored/n${(this.fileCount += 1)}.txt`;
        this.put(name, [this.line('a')]);
        return name;
      }),
      operation('deletes a folder', () => {
        const folder = this.desk.some(this.folders());
        if (folder === undefined) return undefined;
        this.desk.remove(this.desk.path(folder));
        return folder;
      }),
      operation('makes an empty folder', () => {
        const name = `empty${(this.fileCount += 1)}`;
        mkdirSync(this.desk.path(name));
        return name;
      }),
      operation(
        'makes executable',
        inFile((name) => chmodSync(this.desk.path(name), statSync(this.desk.path(name)).mode ^ 0o111)),
      ),
      operation(
        'changes line breaks',
        inFile((name) => {
          const text = this.desk.read(name);
          this.desk.write(name, text.includes('\r\n') ? text.replaceAll('\r\n', '\n') : text.replaceAll('\n', '\r\n'));
          return undefined;
        }),
      ),
      operation(
        'announces and edits',
        inFile((name) => {
          const path = this.desk.path(name);
          const [oldText, lines] = [this.desk.read(name), this.changed(this.linesOf(name), 'a')];
          call(path, 'pending');
          this.put(name, lines);
          call(path, 'completed', { content: [{ type: 'diff', path, oldText, newText: this.desk.read(name) }] });
          return undefined;
        }),
      ),
      operation(
        'writes through the editor',
        inFile(async (name) => {
          const path = this.desk.path(name);
          const { signal } = new AbortController();
          const read = await this.window.bridge.readTextFile(this.session.context, { path }, signal);
          const lines = this.changed(splitText(read), 'a');
          const known = new Set(namesIn(read, 'u'));
          const before = this.present('u');
          await bridged(name, lines.map((line) => `${line}\n`).join('')).catch((error: unknown) =>
            this.done.push(String(error)),
          );
          const after = this.present('u');
          // The write may replace what the disk had under unsaved text, such as lines that the agent moved there from another file. An undo
          // of that file brings them back.
          const held = this.held();
          this.assertKept([...before].filter((line) => !after.has(line) && !known.has(line) && !held.has(line)));
          return name;
        }),
      ),
      operation('creates through the editor', () => bridged(this.newName(), `${this.line('a')}\n${this.line('a')}\n`)),
      operation('commits', () =>
        this.kind !== 'folder' && this.git('add', '-A') && this.git('commit', '-qm', 'x') ? '' : undefined,
      ),
      operation('checks out', () => {
        if (this.kind === 'folder') return undefined;
        // Without a filter's program, some files are checked out, and others aren't.
        this.git('checkout', '-q', '--', '.');
        for (const name of this.files()) this.desk.changed(this.desk.path(name));
        return '';
      }),
    ];
  }

  private userOperations(): Operation[] {
    const operation = (when: When, name: string, act: Operation['act']): Operation => ({ name, by: 'user', when, act });
    const document = () => {
      const name = this.desk.some(this.files());
      return name === undefined ? undefined : this.desk.open(Uri.file(this.desk.path(name)));
    };
    const dirty = () => this.desk.some(this.desk.documents.filter(({ isDirty }) => isDirty));
    const edited = async (from: string, to?: string) => {
      const edit = new WorkspaceEdit();
      if (to === undefined) edit.deleteFile(Uri.file(this.desk.path(from)));
      else edit.renameFile(Uri.file(this.desk.path(from)), Uri.file(this.desk.path(to)));
      if (!this.desk.apply(edit)) return undefined;
      return to === undefined ? from : `${from} to ${to}`;
    };
    const type = (one: FakeDocument, gone = 0) => {
      const at = below(this.random, one.lineCount);
      const range = new Range(at, 0, Math.min(at + gone, one.lineCount - 1), 0);
      const line = this.line('u');
      one.edit([TextEdit.replace(range, `${line}${one.eol === 2 ? '\r\n' : '\n'}`)]);
      return `${this.nameOf(one)} ${line}`;
    };
    const save = async (one: FakeDocument) => {
      if (await this.save(one)) return this.nameOf(one);
      this.revert(one);
      return `${this.nameOf(one)} fails, reverts`;
    };
    return [
      operation('any', 'types', () => {
        const one = document();
        return one && type(one);
      }),
      operation('any', 'opens and types', () => {
        const one = document();
        return one && type(one);
      }),
      operation('any', 'opens and types and saves', () => {
        const one = document();
        if (!one) return undefined;
        type(one);
        return save(one);
      }),
      operation('any', 'types and saves', () => {
        const one = document();
        if (!one) return undefined;
        type(one);
        return save(one);
      }),
      operation('any', 'replaces and saves', () => {
        const one = document();
        if (!one) return undefined;
        type(one, 1);
        return save(one);
      }),
      operation('any', 'saves', () => {
        const one = dirty();
        return one && save(one);
      }),
      operation('any', 'reverts', () => {
        const one = dirty();
        if (one) this.revert(one);
        return one && this.nameOf(one);
      }),
      operation('any', 'opens', () => {
        const one = document();
        return one && this.nameOf(one);
      }),
      operation('any', 'closes', () => {
        const one = this.desk.some(this.desk.documents.filter(({ isDirty }) => !isDirty));
        if (one) this.desk.close(one);
        return one && this.nameOf(one);
      }),
      operation('any', 'renames', async () => {
        const name = this.desk.some(this.files());
        if (name === undefined) return undefined;
        const to = this.newName();
        this.lastRename = [name, to];
        return edited(name, to);
      }),
      operation('any', 'renames back', async () => {
        const [from, to] = this.lastRename ?? [];
        if (
          from === undefined ||
          to === undefined ||
          !existsSync(this.desk.path(to)) ||
          existsSync(this.desk.path(from))
        )
          return undefined;
        return edited(to, from);
      }),
      operation('any', 'renames a folder', async () => {
        const folder = this.desk.some(this.folders());
        if (folder === undefined) return undefined;
        const to = `folder${(this.fileCount += 1)}`;
        this.lastRename = [folder, to];
        return edited(folder, to);
      }),
      operation('any', 'deletes', async () => {
        const name = this.desk.some(this.files());
        return name === undefined ? undefined : edited(name);
      }),
      operation('any', 'creates', () => {
        const name = this.newName();
        this.desk.write(name, '');
        const one = this.desk.open(Uri.file(this.desk.path(name)));
        type(one);
        return save(one);
      }),
      operation('idle', 'edits on disk', () => {
        const name = this.desk.some(this.files());
        if (name !== undefined) this.put(name, this.changed(this.linesOf(name), 'u'));
        return name;
      }),
      operation('idle', 'renames on disk', () => {
        const name = this.desk.some(this.files());
        return name === undefined ? undefined : this.rename(name, this.newName());
      }),
      operation('idle', 'renames back on disk', () => this.renameBack()),
      operation('idle', 'moves to another folder on disk', () => {
        const name = this.desk.some(this.files());
        const folder = this.desk.some(this.folders());
        if (name === undefined || folder === undefined) return undefined;
        const to = `${folder}/n${(this.fileCount += 1)}.txt`;
        return this.rename(name, to);
      }),
      operation('idle', 'stashes', () => {
        if (this.kind === 'folder') return undefined;
        const before = this.desk.files;
        const isDone = this.git('stash', ...(this.random() < 0.5 ? ['-u'] : []));
        for (const name of new Set([...before, ...this.desk.files])) this.desk.changed(this.desk.path(name));
        // Without a filter's program, some files are put away, and others aren't.
        return isDone ? '' : 'fails';
      }),
      operation('idle', 'deletes on disk', () => {
        const name = this.desk.some(this.files());
        if (name !== undefined) this.desk.remove(this.desk.path(name));
        return name;
      }),
      operation('idle', 'renames a folder on disk', () => {
        const folder = this.desk.some(this.folders());
        return folder === undefined ? undefined : this.rename(folder, `disk${(this.fileCount += 1)}`);
      }),
    ];
  }

  private reviewOperations(): Operation[] {
    const operation = (when: When, name: string, act: Operation['act']): Operation => ({
      name,
      by: 'review',
      when,
      act,
    });
    const log = () => this.window.review.log;
    const some = () => this.desk.some(log().pending);
    const hunk = (uri: string) =>
      this.desk.some([...(log().file(uri)?.hunks ?? []), ...(log().file(uri)?.traitChanges ?? [])]);
    const undo = async (changes: readonly FileChanges[]) => {
      if (changes.length === 0) return undefined;
      await this.desk.meanwhile(undoWithQuestion(log(), this.window.review.disk, changes));
      return changes.map(({ uri }) => uri.slice(uri.indexOf('/project/') + 9)).join(', ');
    };
    const turn = () => this.window.review.turns.of(this.session.key)?.turn;
    return [
      operation('any', 'keeps a change', () => {
        const uri = some();
        const one = uri === undefined ? undefined : hunk(uri);
        if (uri === undefined || !one) return undefined;
        log().keep(uri, [one.id]);
        return uri;
      }),
      operation('any', 'keeps a file', () => {
        const uri = some();
        if (uri !== undefined) log().keep(uri);
        return uri;
      }),
      operation('any', 'keeps all', () => {
        if (log().pending.length === 0) return undefined;
        log().keepAll();
        return '';
      }),
      operation('any', 'undoes a keep', () => (log().undoLastKeep().length > 0 ? '' : undefined)),
      operation('any', 'undoes a change', async () => {
        const uri = some();
        const one = uri === undefined ? undefined : hunk(uri);
        return uri === undefined || !one ? undefined : undo([{ uri, ids: [one.id] }]);
      }),
      operation('any', 'undoes a file', async () => {
        const uri = some();
        return uri === undefined ? undefined : undo([{ uri, ids: 'all' }]);
      }),
      operation('any', 'undoes all', () => undo(log().pending.map((uri) => ({ uri, ids: 'all' })))),
      operation('any', 'undoes a turn', () => {
        const number = turn();
        if (number === undefined) return undefined;
        return undo(
          log()
            .undoTurn(this.session.key, number)
            .map(({ uri, plan }) => ({ uri, ids: plan.hunks })),
        );
      }),
      operation('any', 'restores', () => this.restore()),
      operation('idle', 'restores', () => this.restore()),
      operation('idle', 'undoes a restore', async () => {
        const [notice, came] = this.restores.pop() ?? [];
        if (notice === undefined || came === undefined) return undefined;
        // What the user had kept or taken away before the restore is gone again.
        for (const line of came) this.safe.delete(line);
        return (await this.desk.meanwhile(this.window.restorer.undo(this.session, notice))) ?? undefined;
      }),
      operation('idle', 'reloads', () => this.reload(false)),
      operation('any', 'crashes', async () => {
        await this.settle();
        await this.window.flush();
        return this.reload(true);
      }),
    ];
  }

  private create(): string {
    const name = this.newName();
    this.put(
      name,
      Array.from({ length: 1 + below(this.random, 4) }, () => this.line('a')),
    );
    return name;
  }

  private rename(from: string, to: string): string {
    this.lastRename = [from, to];
    this.desk.move(from, to);
    return `${from} to ${to}`;
  }

  private renameBack(): string | undefined {
    const [from, to] = this.lastRename ?? [];
    if (from === undefined || to === undefined || !existsSync(this.desk.path(to)) || existsSync(this.desk.path(from)))
      return undefined;
    return this.rename(to, from);
  }

  private async restore(): Promise<string | undefined> {
    await this.settle();
    const message = this.desk.some(this.window.messages(this.session));
    if (!message) return undefined;
    const { restorer } = this.window;
    const preview = await this.desk.meanwhile(restorer.preview(this.session, message));
    const conflicts = preview.files.filter(({ conflict }) => conflict !== undefined).map(({ uri }) => uri);
    const overwrite = new Set(conflicts.filter(() => this.random() < 0.5));
    this.isAsked = conflicts.length > 0;
    const before = this.present('u');
    const answer = await this.desk.meanwhile(restorer.restore(this.session, message, overwrite));
    if (answer.kind === 'look') return 'looks again';
    const notice = this.session.transcript.order.findLast(
      (id) => this.session.transcript.entries.get(id)?.kind === 'notice',
    );
    const after = this.present('u');
    if (notice !== undefined) this.restores.push([notice, new Set([...after].filter((line) => !before.has(line)))]);
    return `to turn ${message.turn}${overwrite.size > 0 ? ` over ${overwrite.size}` : ''}: ${answer.sentence}`;
  }

  private async reload(isCrash: boolean): Promise<string> {
    const stored = this.window.leave(this.alive, isCrash);
    editor.forgetListeners();
    this.window = new ReviewWindow(this.storage, this.desk.folder, this.alive, stored);
    const [session] = this.window.sessions;
    if (!session) throw new Error('The session is gone.');
    this.session = session;
    await this.desk.meanwhile(this.window.loaded());
    return isCrash ? 'in a turn or not' : '';
  }
}

/** Of a line with its file, the line. */
function lineOf(place: string): string {
  return place.split(' ')[0] ?? '';
}

function foldersAbove(name: string): string[] {
  const names = name.split('/');
  return names.slice(0, -1).map((_, at) => names.slice(0, at + 1).join('/'));
}

function namesIn(text: string, by: 'u' | 'a'): string[] {
  return text.split(/\r?\n/).flatMap((line) => new RegExp(`^${by}\\d+`).exec(line)?.[0] ?? []);
}

function splitText(text: string): string[] {
  const lines = text.split(/\r?\n/);
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

function configure(repository: string, config: readonly string[]): void {
  const core = '[core]\n\trepositoryformatversion = 0\n\tbare = false\n';
  writeFileSync(join(repository, '.git/config'), core + config.map((one) => configLine(one)).join(''));
}

/** Gives each folder a filter of another kind: one drops lines, one changes all lines, and one stores pointers, as LFS does. */
function prepareFilters(repository: string): string[] {
  const attributes = ['*.txt filter=drop', 'src/*.txt filter=mark', 'docs/*.txt filter=lfs'];
  writeFileSync(join(repository, '.gitattributes'), attributes.map((one) => `${one}\n`).join(''));
  const objects = join(repository, '.git/lfs/objects');
  const [clean, smudge] = [join(repository, '.git/clean.sh'), join(repository, '.git/smudge.sh')];
  writeFileSync(clean, cleanScript(objects));
  writeFileSync(smudge, smudgeScript(objects));
  return [
    'filter.drop.clean=sed -e /drop/d',
    'filter.drop.smudge=cat',
    'filter.mark.clean=sed -e s/stays/goes/',
    'filter.mark.smudge=sed -e s/goes/stays/',
    `filter.lfs.clean=sh ${clean}`,
    `filter.lfs.smudge=sh ${smudge}`,
    'filter.lfs.required=true',
  ];
}

function cleanScript(objects: string): string {
  return `text=$(mktemp)
cat >"$text"
oid=$(sha256sum <"$text" | cut -c 1-64)
size=$(wc -c <"$text")
folder=${objects}/$(echo "$oid" | cut -c 1-2)/$(echo "$oid" | cut -c 3-4)
mkdir -p "$folder"
mv "$text" "$folder/$oid"
printf 'version https://git-lfs.github.com/spec/v1\noid sha256:%s\nsize %s\n' "$oid" "$size"
`;
}

function smudgeScript(objects: string): string {
  return `oid=$(sed -n 's/^oid sha256://p')
cat "${objects}/$(echo "$oid" | cut -c 1-2)/$(echo "$oid" | cut -c 3-4)/$oid"
`;
}

function configLine(setting: string): string {
  const [name = '', value = ''] = setting.split(/=(.*)/s);
  const [section = '', ...rest] = name.split('.');
  const key = rest.pop() ?? '';
  return `[${section}${rest.length > 0 ? ` "${rest.join('.')}"` : ''}]\n\t${key} = ${value}\n`;
}

function assertNone(list: readonly string[], what: string): void {
  if (list.length > 0) throw new Error(`${what}: ${list.join(', ')}`);
}
