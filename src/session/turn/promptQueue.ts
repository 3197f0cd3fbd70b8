import type { Prompt, QueuedPrompt } from '../../shared/transcript/transcript';
import type { TranscriptStore } from '../transcript/transcriptStore';

/** The waiting messages in the order in which they will be sent. The user may change each until then. */
export class PromptQueue {
  private readonly store: TranscriptStore;
  /** Messages being steered into a running turn. Whether they keep waiting isn't known yet. */
  private readonly offered = new Set<string>();
  /** Messages that the user sent while the queue was held. They aren't held. */
  private readonly released = new Set<string>();
  private nextId: number;

  constructor(store: TranscriptStore) {
    this.store = store;
    this.nextId = 1 + this.all.reduce((most, { id }) => Math.max(most, Number(id.split(':')[1] ?? 0)), 0);
  }

  get all(): readonly QueuedPrompt[] {
    return this.store.view.queue;
  }

  get isEmpty(): boolean {
    return this.all.length === 0;
  }

  has(id: string | undefined): boolean {
    return this.all.some((prompt) => prompt.id === id);
  }

  /** The user stopped the running turn, so no waiting message is sent until they say so. */
  get isHeld(): boolean {
    return this.store.view.isQueueHeld === true;
  }

  /** Holds the messages that are waiting now, if any. */
  hold(): void {
    this.released.clear();
    if (this.all.some(({ joins }) => joins)) this.set(this.all.map(waiting));
    if (!this.isEmpty && !this.isHeld) this.store.setView({ isQueueHeld: true });
  }

  /** Allows waiting messages to be sent again. */
  resume(): void {
    if (this.isHeld) this.store.setView({ isQueueHeld: false });
  }

  /** Releases one message while the others stay held. */
  release(id: string): void {
    this.released.add(id);
  }

  /**
   * Adds a message that the user sends now; returns its id. It isn't held, even if earlier messages are. A message that was taken out to be
   * edited comes after those that were before it then (`after`) and still wait.
   */
  add(prompt: Prompt, after?: readonly string[]): string {
    const added = this.named(prompt);
    this.released.add(added.id);
    const at = after ? this.all.findLastIndex(({ id }) => after.includes(id)) + 1 : this.all.length;
    this.set([...this.all.slice(0, at), added, ...this.all.slice(at)]);
    return added.id;
  }

  /** Adds a message in front of all others; returns its id. */
  addFirst(prompt: Prompt): string {
    const first = this.named(prompt);
    this.set([first, ...this.all]);
    return first.id;
  }

  /** The message that is sent next; undefined if none is to be sent now. */
  get next(): QueuedPrompt | undefined {
    return this.all.find(({ id }) => this.mayGo(id));
  }

  /** Removes and returns the next message. */
  take(): Prompt | undefined {
    const { next } = this;
    if (next) this.set(this.all.filter((prompt) => prompt !== next));
    return next;
  }

  /** The agent gets this message when it next asks for more in the running turn. One with attachments keeps waiting. */
  join(id: string): void {
    const isMeant = (prompt: QueuedPrompt) => prompt.id === id && (prompt.attachments?.length ?? 0) === 0;
    this.set(this.all.map((prompt) => (isMeant(prompt) ? { ...prompt, joins: true } : prompt)));
  }

  /** Removes and returns the messages for the running turn. */
  takeJoining(): readonly Prompt[] {
    const taken = this.all.filter(({ id, joins }) => joins && this.mayGo(id));
    if (taken.length > 0) this.set(this.all.filter((prompt) => !taken.includes(prompt)));
    return taken;
  }

  /** The agent has the message and adds it when it can, so it isn't sent, moved, or removed in the meantime. */
  offer(id: string): void {
    this.offered.add(id);
    this.set(this.all.map((prompt) => (prompt.id === id ? { ...prompt, isOffered: true } : prompt)));
  }

  /** The agent doesn't add the message, so it waits like the others. */
  withdraw(id: string): void {
    this.offered.delete(id);
    if (!this.has(id)) return;
    this.set(this.all.map((prompt) => (prompt.id === id ? waiting(prompt) : prompt)));
  }

  /** The agent has added the message. */
  inserted(id: string): void {
    this.offered.delete(id);
    this.set(this.all.filter((prompt) => prompt.id !== id));
  }

  /** Keeps a message from being taken while `offer` runs. */
  async during<T>(id: string, offer: () => Promise<T>): Promise<T> {
    this.offered.add(id);
    try {
      return await offer();
    } finally {
      this.offered.delete(id);
    }
  }

  /** Removes a message; returns undefined if it no longer exists. */
  remove(id: string): QueuedPrompt | undefined {
    const found = this.all.find((prompt) => prompt.id === id && prompt.isOffered !== true);
    if (found) this.set(this.all.filter((prompt) => prompt !== found));
    return found;
  }

  /** Moves a message to an index, starting at 0. */
  move(id: string, to: number): void {
    const found = this.all.find((prompt) => prompt.id === id);
    if (!found) return;
    const rest = this.all.filter((prompt) => prompt !== found);
    this.set([...rest.slice(0, to), found, ...rest.slice(to)]);
  }

  private mayGo(id: string): boolean {
    return !this.offered.has(id) && (!this.isHeld || this.released.has(id));
  }

  private named(prompt: Prompt): QueuedPrompt {
    const id = `queued:${this.nextId}`;
    this.nextId += 1;
    return { ...prompt, id };
  }

  private set(queue: readonly QueuedPrompt[]): void {
    const isEmpty = queue.length === 0;
    this.store.setView({
      queue,
      ...(isEmpty && this.isHeld ? { isQueueHeld: false } : {}),
      ...(isEmpty && this.store.view.asksBudget ? { asksBudget: false } : {}),
    });
  }
}

/** Returns a message as it is if only its turn counts. */
function waiting({ id, text, attachments }: QueuedPrompt): QueuedPrompt {
  return attachments ? { id, text, attachments } : { id, text };
}
