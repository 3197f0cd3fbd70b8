import { excessUndos, fromUndoJson, toUndoJson, type RestoreUndo, type UndoLimits } from '../../review/restoreUndo';
import type { EntryId, SessionKey } from '../../shared/ids';
import { fromLaterVersion, type JsonFiles } from '../storage/jsonFiles';
import { undoName, undoPrefix } from './undoNames';

/** What undos of restores need, on disk: a file per restore, that is there before the restore touches anything. */
export class RestoreUndos {
  private readonly files: JsonFiles;

  constructor(files: JsonFiles) {
    this.files = files;
  }

  /** Rejects when the disk does not take it. */
  async put(undo: RestoreUndo): Promise<void> {
    await this.files.write(undoName(undo.session, undo.notice), JSON.stringify(toUndoJson(undo)));
  }

  /** Undefined when it is gone, damaged or of another version. */
  get(session: SessionKey, notice: EntryId): Promise<RestoreUndo | undefined> {
    return this.read(undoName(session, notice));
  }

  async remove({ session, notice }: RestoreUndo): Promise<void> {
    await this.files.remove(undoName(session, notice));
  }

  /** Removes all of a session. */
  async forget(session: SessionKey): Promise<void> {
    for (const name of await this.names(undoPrefix(session))) await this.files.remove(name);
  }

  /** Those of a session, the oldest first. */
  async of(session: SessionKey): Promise<readonly RestoreUndo[]> {
    return this.all(undoPrefix(session));
  }

  /** Those of all sessions whose files' names begin so, the oldest first. */
  async all(prefix = ''): Promise<readonly RestoreUndo[]> {
    const undos = await Promise.all((await this.names(prefix)).map((name) => this.read(name)));
    return undos.filter((undo) => undo !== undefined).sort((a, b) => a.madeAt - b.madeAt);
  }

  /** The oldest go until the rest is within the limits; answers those. What cannot be read is set aside. */
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
      const { version } = (json ?? {}) as { readonly version?: unknown };
      if (typeof version === 'number' && version > 1) return fromLaterVersion;
      const undo = fromUndoJson(json);
      // One that was copied or renamed would belong to another notice.
      return undo && undoName(undo.session, undo.notice) === name ? undo : undefined;
    });
  }
}
