import { Emitter, type Event } from '../../src/shared/values/event';
import type { ToWebview } from '../../src/shared/pages/messages';

export type RuleMessage = Extract<ToWebview, { readonly type: 'ruleOffer' | 'ruleProblem' }>;

/** Passes the host's messages about the rules of an open request to its view. */
export class RuleOffers {
  private readonly received = new Emitter<RuleMessage>();
  readonly onDidReceive: Event<RuleMessage> = this.received.event;

  /** Handles a message from the host. Returns whether it was for this class. */
  take(message: ToWebview): boolean {
    if (message.type !== 'ruleOffer' && message.type !== 'ruleProblem') return false;
    this.received.fire(message);
    return true;
  }
}
