import { join } from 'node:path';
import type { FileState } from '../../../review/files/fileState';
import { fromFileJson, toFileJson, type TrackedFileJson } from '../../../review/log/trackedFileData';
import { Disposable } from '../../../shared/values/disposable';
import type { Event } from '../../../shared/values/event';
import type { SessionKey } from '../../../shared/values/ids';
import { fields, list, number, oneOf, text } from '../../../shared/values/shape';
import type { Undo, UndoneFile, UndoneFiles } from '../../fileChanges/undoneFiles';
import { fromLaterVersion, isOfLaterVersion, JsonFiles } from '../../storage/jsonFiles';
import { Records } from '../../storage/records';
import type { StoragePlace } from '../../storage/storageTroubles';
import type { StorageWindows } from '../../storage/storageWindows';

/** How many characters of undos are stored. What doesn't fit can be taken back only in its window. */
const mostCharacters = 64_000_000;

/** What sessions are offered to redo. */
interface RedoOffers {
  readonly onDidChange: Event<void>;
  offeredOf(files: readonly UndoneFile[]): readonly SessionKey[];
  restore(session: SessionKey, files: readonly UndoneFile[]): void;
}

interface UndoneFileJson {
  readonly uri: string;
  readonly now: string;
  readonly before: TrackedFileJson;
  readonly after: FileState;
}

interface UndoJson extends Omit<Undo, 'files'> {
  readonly version: 1;
  readonly files: readonly UndoneFileJson[];
  /** The sessions that are offered to redo it. */
  readonly offered: readonly SessionKey[];
}

const recordShape = fields({
  version: oneOf(1),
  id: text,
  at: number,
  nextKeep: number,
  files: list(fields({ uri: text, now: text, before: fields({}), after: fields({ kind: text }) })),
  offered: list(text),
});

/** The name of a record: the id of the undo, and of the window in which it can be taken back. */
const recordName = /^([\da-f-]{36})\.([\da-z-]+)\.json$/;

/** Stores what was undone, one record each, so that it can be redone after a reload or a crash. */
export class UndoneStore extends Disposable {
  private readonly undone: UndoneFiles;
  private readonly redo: RedoOffers;
  private readonly windows: StorageWindows;
  private readonly records: Records;
  /** What the records say, by the id of the undo. */
  private readonly known = new Map<string, { readonly undo: Undo; readonly offered: string; size: number }>();
  private isLoaded = false;

  constructor(undone: UndoneFiles, redo: RedoOffers, { storage, windows, troubles }: StoragePlace) {
    super();
    this.undone = undone;
    this.redo = redo;
    this.windows = windows;
    const files = new JsonFiles(join(storage, 'undone'), (path) => troubles.setAside('changes', path));
    this.records = this.register(new Records(files, 'changes', troubles, () => windows.enter()));
  }

  /**
   * Adds what was undone in closed windows, and stores what is undone here from then on. `hasSameKeeps`: the keeps of the closed window have
   * the numbers that they had there. Otherwise, what is loaded counts as older than all of them.
   */
  async load(hasSameKeeps: boolean): Promise<void> {
    const loaded: UndoJson[] = [];
    const others = await this.windows.others();
    for (const name of await this.records.files.names()) {
      const [, id = '', owner = ''] = recordName.exec(name) ?? [];
      if (id === '' || owner === this.windows.id || others.has(owner)) continue;
      const undo = await this.records.files.load(name, readUndo);
      // Another window may have been faster.
      if (!undo || (await this.records.files.rename(name, this.nameOf(id))) === 'gone') continue;
      loaded.push(hasSameKeeps ? undo : { ...undo, nextKeep: 0 });
    }
    if (this.isDisposed) return;
    this.adopt(loaded.sort((a, b) => a.at - b.at));
    if (this.isLoaded) {
      this.changed();
      return;
    }
    this.isLoaded = true;
    this.register(this.undone.onDidChange(() => this.changed()));
    this.register(this.redo.onDidChange(() => this.changed()));
    // Something may have been undone before this was loaded.
    this.changed();
  }

  async flush(): Promise<void> {
    await this.records.flush();
  }

  flushNow(): void {
    void this.records.flushNow();
  }

  private adopt(loaded: readonly UndoJson[]): void {
    const undos = loaded.map(fromJson);
    this.undone.restore(undos);
    for (const [at, { offered }] of loaded.entries()) {
      for (const session of offered) this.redo.restore(session, undos[at]?.files ?? []);
    }
  }

  private changed(): void {
    const { all } = this.undone;
    for (const undo of all) {
      const offered = this.redo.offeredOf(undo.files);
      const known = this.known.get(undo.id);
      if (known?.undo === undo && known.offered === offered.join()) continue;
      this.known.set(undo.id, { undo, offered: offered.join(), size: 0 });
      this.records.set(this.nameOf(undo.id), () => this.make(undo, offered));
    }
    for (const id of this.known.keys()) {
      if (all.some((undo) => undo.id === id)) continue;
      this.known.delete(id);
      this.records.remove(this.nameOf(id));
    }
    void this.records.flush();
  }

  private make({ files, ...undo }: Undo, offered: readonly SessionKey[]): string | undefined {
    const known = this.known.get(undo.id);
    if (!known) return undefined;
    const before = files.map((file) => ({ ...file, before: toFileJson(file.before) }));
    const json = JSON.stringify({ version: 1, ...undo, files: before, offered } satisfies UndoJson);
    const others = [...this.known.values()].reduce((sum, one) => sum + (one === known ? 0 : one.size), 0);
    if (others + json.length > mostCharacters) return undefined;
    known.size = json.length;
    return json;
  }

  private nameOf(id: string): string {
    return `${id}.${this.windows.id}.json`;
  }
}

function fromJson({ id, at, nextKeep, files }: UndoJson): Undo {
  return {
    id,
    at,
    nextKeep,
    files: files.flatMap(({ uri, now, before, after }) => {
      const data = fromFileJson(before);
      return data ? [{ uri, now, before: data, after }] : [];
    }),
  };
}

function readUndo(json: unknown) {
  if (isOfLaterVersion(json, 1)) return fromLaterVersion;
  return recordShape(json) ? (json as unknown as UndoJson) : undefined;
}
