// Plays raw updates of protocol 1 into a transcript, the way a session does, with a clock that stands still.
import { V1Updates } from '../../src/acp/v1';
import { planUpdate } from '../../src/session/update/planUpdate';
import { renderText } from '../../src/session/transcript/renderText';
import { applyOps, createTranscript, type MutableTranscript } from '../../src/shared/ops';
import type { Entry, SessionView } from '../../src/shared/transcript';
import { emptyView } from './emptyView';

export class Player {
  readonly transcript: MutableTranscript;
  readonly updates = new V1Updates();
  now = 1000;

  constructor(view: Partial<SessionView> = {}) {
    this.transcript = createTranscript({ ...emptyView, ...view });
  }

  /** Raises and applies; every update takes a millisecond. */
  play(...raw: readonly unknown[]): this {
    for (const update of raw) {
      for (const raised of this.updates.raise(update)) {
        applyOps(this.transcript, planUpdate(this.transcript, raised, this.now, this.updates.turn));
      }
      this.now += 1;
    }
    return this;
  }

  get text(): string {
    return renderText(this.transcript);
  }

  /** Entries in order. */
  get entries(): readonly Entry[] {
    return this.transcript.order.map((id) => this.transcript.entries.get(id)!);
  }

  /** The entries of one kind. */
  all<K extends Entry['kind']>(kind: K): readonly Extract<Entry, { kind: K }>[] {
    return this.entries.filter((entry): entry is Extract<Entry, { kind: K }> => entry.kind === kind);
  }
}

/** A text chunk of protocol 1. */
export function chunk(role: 'user' | 'agent' | 'thought', text: string, messageId?: string): object {
  const sessionUpdate = role === 'thought' ? 'agent_thought_chunk' : `${role}_message_chunk`;
  return { sessionUpdate, content: { type: 'text', text }, ...(messageId === undefined ? {} : { messageId }) };
}
