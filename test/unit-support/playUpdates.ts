// Plays raw updates of protocol version 1 into a transcript as a session does, with a stopped clock.
import { TurnCounter } from '../../src/acp/shape/turnCounter';
import { UsedIds } from '../../src/acp/shape/usedIds';
import { V1Reader } from '../../src/acp/v1/updates';
import { reduceUpdate } from '../../src/session/update/reduceUpdate';
import { renderText } from '../../src/session/document/renderText';
import { applyOps, createTranscript, type MutableTranscript } from '../../src/shared/transcript/ops';
import type { Entry, SessionView } from '../../src/shared/transcript/transcript';
import { emptyView } from './emptyView';

export class Player {
  readonly transcript: MutableTranscript;
  readonly turns = new TurnCounter();
  readonly reader = new V1Reader(this.turns, new UsedIds());
  now = 1000;

  constructor(view: Partial<SessionView> = {}) {
    this.transcript = createTranscript({ ...emptyView, ...view });
  }

  /** Upgrades and applies the updates. Each one takes a millisecond. */
  play(...raw: readonly unknown[]): this {
    for (const update of raw) {
      for (const upgraded of this.reader.upgrade(update)) {
        applyOps(this.transcript, reduceUpdate(this.transcript, upgraded, this.now, this.turns.current));
      }
      this.now += 1;
    }
    return this;
  }

  beginTurn(): this {
    this.turns.begin();
    this.reader.turnBegan();
    return this;
  }

  endTurn(): this {
    this.turns.end();
    this.reader.turnEnded();
    return this;
  }

  get text(): string {
    return renderText(this.transcript);
  }

  /** The entries in order. */
  get entries(): readonly Entry[] {
    return this.transcript.order.map((id) => this.transcript.entries.get(id)!);
  }

  /** Returns the entries of one kind. */
  all<K extends Entry['kind']>(kind: K): readonly Extract<Entry, { kind: K }>[] {
    return this.entries.filter((entry): entry is Extract<Entry, { kind: K }> => entry.kind === kind);
  }
}

/** Returns a text chunk of protocol version 1. */
export function chunk(role: 'user' | 'agent' | 'thought', text: string, messageId?: string): object {
  const sessionUpdate = role === 'thought' ? 'agent_thought_chunk' : `${role}_message_chunk`;
  return { sessionUpdate, content: { type: 'text', text }, ...(messageId === undefined ? {} : { messageId }) };
}
