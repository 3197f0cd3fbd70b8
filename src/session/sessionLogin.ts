import type { AuthMethod } from '../acp/decode/decodeAuth';
import type { TurnCounter } from '../acp/shape/turnCounter';
import { Disposable } from '../shared/values/disposable';
import type { LoginCard } from './loginCard';
import type { TranscriptStore } from './transcript/transcriptStore';
import type { Turns } from './turn/turns';

/** The login that the agent of a session requires, and the messages that wait for it. */
export class SessionLogin extends Disposable {
  readonly card: LoginCard;
  private readonly shown: TranscriptStore;
  private readonly turns: Turns;
  private readonly counter: TurnCounter;
  private methods: readonly AuthMethod[] = [];

  constructor(store: TranscriptStore, card: LoginCard, turns: Turns, counter: TurnCounter) {
    super();
    this.shown = store;
    this.card = card;
    this.turns = turns;
    this.counter = counter;
    if (card.isAsked) turns.hold(card.waits);
  }

  /** Whether the user has to log in before a running agent continues. */
  get needsUser(): boolean {
    const { isAsked, isRunning } = this.card;
    return isAsked && !isRunning && this.shown.view.connection.state !== 'closed';
  }

  /** The agent has answered `initialize` with these methods. */
  offer(methods: readonly AuthMethod[]): void {
    this.methods = methods;
  }

  /** The agent requires a login, or the user requested one. */
  ask(): void {
    if (this.isDisposed) return;
    this.turns.hold(false);
    const { waits } = this.turns;
    const isOpen = this.shown.view.connection.state === 'ready';
    if (this.card.isRunning) this.card.follow(waits, this.counter.current);
    else this.card.ask(this.methods, { waits, isOpen, turn: this.counter.current });
  }

  /** The agent can continue after the login. */
  done(): void {
    if (!this.turns.waits) this.turns.release();
    this.follow();
    this.card.done();
  }

  /** The user has sent a message. One sent after the login needs no further click. */
  sent(): void {
    if (this.card.isOpening) this.turns.release();
    this.follow();
  }

  /** Shows whether messages are waiting. */
  follow(): void {
    this.card.follow(this.turns.waits, this.counter.current);
  }
}
