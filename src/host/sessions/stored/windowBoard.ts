import { join } from 'node:path';
import { Disposable, toDisposable, type IDisposable } from '../../../shared/values/disposable';
import { Emitter } from '../../../shared/values/event';
import type { SessionKey } from '../../../shared/values/ids';
import { isRecord } from '../../../shared/values/isRecord';
import { JsonFiles } from '../../storage/jsonFiles';
import { StorageWindows, type WindowId } from '../../storage/storageWindows';
import { readNote, writeNote, type WindowNote } from './windowNote';

/** Another running window. */
export interface OtherWindow extends WindowNote {
  readonly id: WindowId;
}

/**
 * Where the user's windows see each other's open sessions, whatever folders they have. Each window has a file there while
 * it runs, which only it writes. Nothing else depends on these files: a lost one is written again with the next change.
 */
export class WindowBoard extends Disposable {
  private readonly windows: StorageWindows;
  private readonly notes: JsonFiles;
  private readonly asks: JsonFiles;
  /** The text of this window's file. */
  private posted = '';
  private writing: Promise<void> = Promise.resolve();
  private read: readonly OtherWindow[] = [];
  private isListening = false;
  private readonly asked = this.register(new Emitter<SessionKey>());
  /** Fires when another window asks this one to show one of its sessions. */
  readonly onDidAsk = this.asked.event;

  constructor(folder: string, windows = new StorageWindows(folder)) {
    super();
    this.windows = this.register(windows);
    this.notes = new JsonFiles(join(folder, 'notes'));
    this.asks = new JsonFiles(join(folder, 'asks'));
  }

  /** The other windows with open sessions, as of the last look. */
  get others(): readonly OtherWindow[] {
    return this.read;
  }

  /** Writes what the other windows read about this one. A window that never had sessions has no file. */
  async post(note: WindowNote): Promise<void> {
    const text = writeNote(note);
    if (text === this.posted || this.isDisposed || (this.posted === '' && note.rows.length === 0)) return;
    this.posted = text;
    this.writing = this.writing
      .then(() => this.write(text))
      .catch(() => {
        // The next change tries again.
        this.posted = '';
      });
    await this.writing;
  }

  /** Reads what the other windows have written. */
  async look(): Promise<void> {
    const living = await this.windows.others();
    const found: OtherWindow[] = [];
    for (const name of await this.notes.names()) {
      const id = name.slice(0, -'.json'.length);
      if (!living.has(id)) {
        if (id !== this.windows.id) await this.forget(name);
        continue;
      }
      const note = readNote(await this.notes.read(name));
      if (note) found.push({ id, ...note });
    }
    this.read = found;
  }

  /** Calls `changed` when another window has changed its sessions, or has closed, until the result is disposed. */
  watch(changed: () => void): IDisposable {
    const watcher = this.notes.watch((name) => {
      if (name !== `${this.windows.id}.json`) changed();
    });
    const leaving = this.windows.onDidLeave(changed);
    return toDisposable(() => {
      watcher.dispose();
      leaving.dispose();
    });
  }

  /** Asks another window to show one of its sessions. */
  async ask(id: WindowId, session: SessionKey): Promise<void> {
    await this.asks.write(`${id}.json`, JSON.stringify({ version: 1, session }));
  }

  /** Removes this window's file at once, because the window closes. */
  leave(): void {
    this.dispose();
    this.notes.removeNow(`${this.windows.id}.json`);
    this.windows.leave();
  }

  private async write(text: string): Promise<void> {
    if (this.isDisposed) return;
    this.windows.enter();
    this.listen();
    await this.notes.write(`${this.windows.id}.json`, text);
  }

  private listen(): void {
    if (this.isListening) return;
    this.isListening = true;
    const own = `${this.windows.id}.json`;
    this.register(
      this.asks.watch((name) => {
        if (name === own || name === null) void this.hear(own);
      }),
    );
  }

  private async hear(name: string): Promise<void> {
    const ask = await this.asks.read(name);
    const session = isRecord(ask) ? ask['session'] : undefined;
    if (typeof session !== 'string' || this.isDisposed) return;
    await this.asks.remove(name).catch(() => undefined);
    this.asked.fire(session as SessionKey);
  }

  private async forget(name: string): Promise<void> {
    await Promise.all([this.notes.remove(name), this.asks.remove(name)]).catch(() => undefined);
  }
}
