import type { SessionKey } from '../../shared/values/ids';

/** A turn, as far as it is told apart from others. The same object each time. */
interface Turn {
  readonly session: { readonly key: SessionKey };
}

/**
 * Tells the turns that answer messages which Parley sent by itself from those that the user asked for, for all who send such messages. So
 * none of them takes a message of another one for the user's, and they don't send forever.
 */
export class AutomaticTurns {
  private readonly sending = new Set<SessionKey>();
  private readonly known = new WeakMap<Turn, boolean>();

  /** A message is about to be sent that begins a turn at once. */
  send(session: SessionKey): void {
    this.sending.add(session);
  }

  /** Whether a turn answers such a message. Everyone who needs to know asks when it begins. */
  includes(turn: Turn): boolean {
    const known = this.known.get(turn);
    if (known !== undefined) return known;
    const isAutomatic = this.sending.delete(turn.session.key);
    this.known.set(turn, isAutomatic);
    return isAutomatic;
  }
}
