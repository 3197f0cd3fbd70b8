import { randomUUID } from 'node:crypto';
import type { FileState } from '../../review/files/fileState';
import { Emitter } from '../../shared/values/event';
import type { TrackedFileData } from '../../review/log/trackedFileData';

/** Maximum number of undos that can be taken back, as with keeps. */
const maxUndos = 50;

/** A file whose changes were undone. */
export interface UndoneFile {
  readonly uri: string;
  /** Its URI since then. Differs if the undo renamed it. */
  readonly now: string;
  /** Its review before the undo, with its content. */
  readonly before: TrackedFileData;
  readonly after: FileState;
}

/** Files that were undone together. */
export interface Undo {
  readonly id: string;
  /** When it was undone, in milliseconds since the epoch. */
  readonly at: number;
  /** The number of the next keep at that time, which orders keeps and undos. */
  readonly nextKeep: number;
  readonly files: readonly UndoneFile[];
}

/** Files that were undone, or of which that was taken back. */
export interface UndoneChange {
  readonly files: readonly UndoneFile[];
  readonly isBack: boolean;
}

/** What was undone, so that the changes can wait for review again. */
export class UndoneFiles {
  private undos: readonly Undo[] = [];
  private readonly changed = new Emitter<UndoneChange>();
  /** Fires after changes were undone, or wait for review again. */
  readonly onDidChange = this.changed.event;

  /** The last undo. */
  get last(): Undo | undefined {
    return this.undos.at(-1);
  }

  get all(): readonly Undo[] {
    return this.undos;
  }

  add(undo: Pick<Undo, 'nextKeep' | 'files'>): void {
    this.undos = [...this.undos, { ...undo, id: randomUUID(), at: Date.now() }].slice(-maxUndos);
    this.changed.fire({ files: undo.files, isBack: false });
  }

  /** Adds what was undone in earlier windows. Nobody is told of it again. */
  restore(undos: readonly Undo[]): void {
    this.undos = [...undos, ...this.undos].slice(-maxUndos);
  }

  /** Returns the last undo of a file. */
  find(uri: string): UndoneFile | undefined {
    return this.undos.flatMap(({ files }) => files).findLast((file) => file.uri === uri);
  }

  /** Forgets what was taken back. */
  remove(files: readonly UndoneFile[]): void {
    this.undos = this.undos
      .map((undo) => {
        const left = undo.files.filter((file) => !files.includes(file));
        return left.length === undo.files.length ? undo : { ...undo, files: left };
      })
      .filter((undo) => undo.files.length > 0);
    this.changed.fire({ files, isBack: true });
  }
}
