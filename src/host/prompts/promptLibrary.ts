import { join } from 'node:path';
import * as vscode from 'vscode';
import { Disposable, DisposableStore } from '../../shared/values/disposable';
import { Emitter } from '../../shared/values/event';
import type { PromptListing } from '../../shared/pages/prompts';
import { Coalesced } from '../base/coalesce';
import { readPrompt, readPromptFolder, type PromptFolder, type PromptPlace } from './promptFolder';

/** A folder with prompts, and what was found in it. */
export type ReadPlace = PromptPlace & PromptFolder;

/**
 * The prompts of the user and of the workspace, kept up to date. Those of a workspace that isn't trusted don't count.
 * Nothing is read before something needs it.
 */
export class PromptLibrary extends Disposable {
  /** The folder of the user's own prompts. */
  readonly own: string;
  private readonly report: (error: unknown) => void;
  private readonly changed = this.register(new Emitter<void>());
  private readonly soon = this.register(new Coalesced(() => this.reload(), 100));
  private reading: Promise<readonly ReadPlace[]> | undefined;
  private watchers: DisposableStore | undefined;
  /** Fires after prompts were read again. */
  readonly onDidChange = this.changed.event;

  constructor(own: string, report: (error: unknown) => void) {
    super();
    this.own = own;
    this.report = report;
    this.register({ dispose: () => this.watchers?.dispose() });
    this.register(vscode.workspace.onDidGrantWorkspaceTrust(() => this.startOver()));
    this.register(vscode.workspace.onDidChangeWorkspaceFolders(() => this.startOver()));
  }

  /** All folders that prompts can be in, the user's first. */
  get places(): readonly PromptPlace[] {
    const folders = vscode.workspace.isTrusted ? (vscode.workspace.workspaceFolders ?? []) : [];
    return [
      { path: this.own, folder: '' },
      ...folders
        .filter(({ uri }) => uri.scheme === 'file')
        .map(({ uri, name }) => ({ path: join(uri.fsPath, '.parley', 'prompts'), folder: name })),
    ];
  }

  /** Resolves to the prompts by their folders. */
  read(): Promise<readonly ReadPlace[]> {
    this.reading ??= this.readAll();
    return this.reading;
  }

  async listings(): Promise<readonly PromptListing[]> {
    return (await this.read()).flatMap(({ folder, prompts }) =>
      prompts.map(({ path, ...listed }) => ({ id: path, ...listed, folder })),
    );
  }

  /** Resolves to a listed prompt as it is on disk now, or undefined if it can no longer be used. */
  async take(id: string): Promise<{ readonly listing: PromptListing; readonly text: string } | undefined> {
    const known = (await this.listings()).find((listing) => listing.id === id);
    const read = known && (await readPrompt(id));
    if (!known || !read || typeof read === 'string') return undefined;
    const { path, ...file } = read.file;
    return { listing: { id: path, ...file, folder: known.folder }, text: read.text };
  }

  /** Reads everything again, such as after a file was created. */
  refresh(): void {
    this.soon.request();
  }

  private readAll(): Promise<readonly ReadPlace[]> {
    const { places } = this;
    this.watch(places);
    return Promise.all(
      places.map(async (place) => {
        const found = await readPromptFolder(place).catch((error: unknown) => {
          this.report(error);
          return { prompts: [], problems: [], skipped: 0 };
        });
        return { ...place, ...found };
      }),
    );
  }

  private startOver(): void {
    this.watchers?.dispose();
    this.watchers = undefined;
    this.reload();
  }

  private reload(): void {
    const before = this.reading;
    if (this.isDisposed || !before) return;
    const now = this.readAll();
    this.reading = now;
    void Promise.all([before, now]).then((found) => {
      const [was, is] = found.map((places) => JSON.stringify(places));
      if (was !== is) this.changed.fire();
    });
  }

  /** Watches the folders and those above them in a workspace, because these may be removed as a whole. */
  private watch(places: readonly PromptPlace[]): void {
    if (this.watchers) return;
    const watchers = new DisposableStore();
    this.watchers = watchers;
    for (const { path, folder } of places) {
      const [base, pattern] =
        folder === '' ? [path, '*.md'] : [join(path, '..', '..'), '{.parley,.parley/prompts,.parley/prompts/*.md}'];
      const watcher = vscode.workspace.createFileSystemWatcher(
        new vscode.RelativePattern(vscode.Uri.file(base), pattern),
      );
      watchers.add(watcher);
      for (const event of [watcher.onDidCreate, watcher.onDidChange, watcher.onDidDelete])
        watchers.add(event(() => this.soon.request()));
    }
  }
}
