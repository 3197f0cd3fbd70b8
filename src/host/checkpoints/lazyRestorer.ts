import type { Session } from '../../session/session';
import type { EntryId, SessionKey } from '../../shared/ids';
import type { RestorePreview } from '../../shared/review';
import type { UserMessageEntry } from '../../shared/transcript';
import { once } from '../onDemand/loadPart';
import type { JsonFiles } from '../storage/jsonFiles';
import type { RestoreAnswer, Restorer } from './restorer';
import { undoPrefix } from './undoNames';

/**
 * Brings files back, by code that is loaded when the user first wants it, or when an earlier window left something to undo.
 * Everything happens in the order of the calls.
 */
export class LazyRestorer {
  private readonly get: () => Promise<Restorer>;
  private readonly undos: JsonFiles;

  /** `undos` are the files that the restorer keeps undos in. */
  constructor(load: () => Promise<Restorer>, undos: JsonFiles) {
    this.get = once(load);
    this.undos = undos;
  }

  /** Hashes of the contents that undos need. */
  async hashes(): Promise<readonly string[]> {
    return (await this.undos.names()).length === 0 ? [] : (await this.get()).hashes();
  }

  /** As `Restorer.takeUp`. */
  async takeUp(session: Session): Promise<void> {
    const entries = [...session.transcript.entries.values()];
    const isOffered = entries.some((entry) => entry.kind === 'notice' && entry.restore === 'undoable');
    if (isOffered || (await this.namesOf(session.key)).length > 0) await (await this.get()).takeUp(session);
  }

  /** A session is gone for good, and with it what would undo its restores. */
  async forget(session: SessionKey): Promise<void> {
    for (const name of await this.namesOf(session)) await this.undos.remove(name);
  }

  /** As `Restorer.preview`. */
  async preview(session: Session, message: UserMessageEntry): Promise<RestorePreview> {
    return (await this.get()).preview(session, message);
  }

  /** As `Restorer.restore`. */
  async restore(session: Session, message: UserMessageEntry, overwrite: ReadonlySet<string>): Promise<RestoreAnswer> {
    return (await this.get()).restore(session, message, overwrite);
  }

  /** As `Restorer.undo`. */
  async undo(session: Session, notice: EntryId): Promise<string | undefined> {
    return (await this.get()).undo(session, notice);
  }

  private async namesOf(session: SessionKey): Promise<readonly string[]> {
    const prefix = undoPrefix(session);
    return (await this.undos.names()).filter((name) => name.startsWith(prefix));
  }
}
