import {
  excessUndos,
  fromUndoJson,
  toUndoJson,
  type RestoreUndo,
  type UndoLimits,
} from '../../review/checkpoints/restoreUndo';
import type { EntryId, SessionKey } from '../../shared/values/ids';
import { fromLaterVersion, isOfLaterVersion, type JsonFiles } from '../storage/jsonFiles';
import { undoName, undoPrefix } from './undoNames';

/** Stores the data for undoing restores on disk. Each restore's file exists before the restore changes anything. */
export class UndoRecords {
  private readonly files: JsonFiles;

  constructor(files: JsonFiles) {
    this.files = files;
  }

  /** Rejects if the write fails. */
  async save(undo: RestoreUndo): Promise<void> {
    await this.files.write(undoName(undo.session, undo.notice), JSON.stringify(toUndoJson(undo)));
  }

  /** Resolves to undefined if the undo is missing, damaged, or from another version. */
  get(session: SessionKey, notice: EntryId): Promise<RestoreUndo | undefined> {
    return this.read(undoName(session, notice));
  }

  async remove({ session, notice }: RestoreUndo): Promise<void> {
    await this.files.remove(undoName(session, notice));
  }

  /** Removes all undos of a session. */
  async forget(session: SessionKey): Promise<void> {
    for (const name of await this.names(undoPrefix(session))) await this.files.remove(name);
  }

  /** Resolves to a session's undos, the oldest first. */
  async of(session: SessionKey): Promise<readonly RestoreUndo[]> {
    return this.all(undoPrefix(session));
  }

  /** Resolves to the undos of all sessions whose file names start with `prefix`, the oldest first. */
  async all(prefix = ''): Promise<readonly RestoreUndo[]> {
    const undos = await Promise.all((await this.names(prefix)).map((name) => this.read(name)));
    return undos.filter((undo) => undo !== undefined).sort((a, b) => a.madeAt - b.madeAt);
  }

  /**
   * Removes the oldest undos until the rest is within the limits, and resolves to the removed ones. Sets aside
   * unreadable files.
   */
  async trim(limits: UndoLimits): Promise<readonly RestoreUndo[]> {
    const excess = excessUndos(await this.all(), limits);
    for (const undo of excess) await this.remove(undo);
    return excess;
  }

  private async names(prefix = ''): Promise<readonly string[]> {
    return (await this.files.names()).filter((name) => name.startsWith(prefix) && name.endsWith('.json'));
  }

  private read(name: string): Promise<RestoreUndo | undefined> {
    return this.files.load(name, (json) => {
      if (isOfLaterVersion(json, 1)) return fromLaterVersion;
      const undo = fromUndoJson(json);
      // A copied or renamed file would belong to another notice.
      return undo && undoName(undo.session, undo.notice) === name ? undo : undefined;
    });
  }
}
