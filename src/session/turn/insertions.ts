import type { SessionUpdate } from '../../acp/shape/sessionUpdate';
import type { TurnCounter } from '../../acp/shape/turnCounter';
import type { ContentBlock } from '../../shared/transcript/content';
import type { MessageId } from '../../shared/values/ids';

/** A prompt that the agent has, but that isn't part of the conversation yet. */
export interface Insertion {
  readonly text: string;
  /** Called once, when the agent has added the message: shows it in its place. */
  readonly place: () => void;
  /** The reported message that is this one. */
  messageId: MessageId | undefined;
}

/** A report about a message. */
type MessageUpdate = Extract<SessionUpdate, { messageId: MessageId }>;

/**
 * The prompts of an agent that adds them to the conversation when it can, and reports each as a message, before or after
 * it answers with the message's id. A message that is shown already isn't shown again.
 */
export class Insertions {
  private readonly turns: TurnCounter;
  private readonly waiting: Insertion[] = [];
  /** The messages that are prompts of this session. */
  private readonly own = new Set<MessageId>();
  /** Updates of messages that may be prompts, as long as answers are missing. */
  private held: MessageUpdate[] = [];
  private placed = new Set<Insertion>();

  constructor(turns: TurnCounter) {
    this.turns = turns;
  }

  get isEmpty(): boolean {
    return this.waiting.length === 0;
  }

  /** Call when a prompt is sent. */
  add(text: string, place: () => void): Insertion {
    const insertion: Insertion = { text: text.trim(), place, messageId: undefined };
    this.waiting.push(insertion);
    this.turns.isAwaited = true;
    return insertion;
  }

  /** Shows the prompt that waits longest, because the agent begins a turn. Returns whether there is one. */
  placeFirst(): boolean {
    const first = this.waiting.find((insertion) => !this.placed.has(insertion));
    if (first) this.show(first);
    return first !== undefined;
  }

  /** Returns the updates to show after this one. */
  filter(update: SessionUpdate): readonly SessionUpdate[] {
    if (update.sessionUpdate !== 'user_message' && update.sessionUpdate !== 'user_message_chunk') return [update];
    if (this.own.has(update.messageId)) return [];
    const meant = this.waiting.find((insertion) => insertion.messageId === undefined && isEcho(update, insertion.text));
    if (meant) {
      meant.messageId = update.messageId;
      this.own.add(update.messageId);
      this.show(meant);
      return [];
    }
    if (this.waiting.every(({ messageId }) => messageId !== undefined)) return [update];
    this.held.push(update);
    return [];
  }

  /** The agent has answered with the id of the message. Returns the updates to show now. */
  answered(insertion: Insertion, messageId: MessageId): readonly SessionUpdate[] {
    this.own.add(messageId);
    this.held = this.held.filter((update) => update.messageId !== messageId);
    this.show(insertion);
    return this.over(insertion);
  }

  /** The agent doesn't add the message. Returns the updates to show now. */
  refused(insertion: Insertion): readonly SessionUpdate[] {
    return this.over(insertion);
  }

  /** The agent has disconnected, or a replay begins: nothing is answered any more. */
  reset(): void {
    this.waiting.length = 0;
    this.held = [];
    this.placed.clear();
    this.turns.isAwaited = false;
  }

  private show(insertion: Insertion): void {
    if (this.placed.has(insertion)) return;
    this.placed.add(insertion);
    insertion.place();
  }

  private over(insertion: Insertion): readonly SessionUpdate[] {
    const at = this.waiting.indexOf(insertion);
    if (at >= 0) this.waiting.splice(at, 1);
    this.placed.delete(insertion);
    if (this.waiting.length > 0) return [];
    this.turns.isAwaited = false;
    const { held } = this;
    this.held = [];
    return held;
  }
}

/** Returns whether a reported message can be this prompt: it is the same text, or a chunk begins like it. */
function isEcho(update: MessageUpdate, text: string): boolean {
  const content: ContentBlock | readonly ContentBlock[] = update.content ?? [];
  const blocks = 'type' in content ? [content] : content;
  const words = blocks.map((block) => (block.type === 'text' ? block.text : '')).join('');
  if (words.trim() === '') return false;
  return update.sessionUpdate === 'user_message' ? words.trim() === text : text.startsWith(words.trim());
}
