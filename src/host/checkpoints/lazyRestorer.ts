import type { Session } from '../../session/session';
import type { EntryId } from '../../shared/ids';
import type { RestorePreview } from '../../shared/review';
import type { UserMessageEntry } from '../../shared/transcript';
import { once } from '../onDemand/loadPart';
import type { RestoreAnswer, Restorer } from './restorer';

/** Brings files back, by code that is loaded when the user first wants it. Everything happens in the order of the calls. */
export class LazyRestorer {
  private readonly get: () => Promise<Restorer>;
  private restorer: Restorer | undefined;

  constructor(load: () => Promise<Restorer>) {
    this.get = once(async () => (this.restorer = await load()));
  }

  /** Hashes of the contents that an undo needs. */
  get hashes(): readonly string[] {
    return this.restorer?.hashes ?? [];
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
}
