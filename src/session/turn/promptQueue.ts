import type { Prompt, QueuedPrompt } from '../../shared/transcript';
import type { TranscriptStore } from '../transcript/transcriptStore';

/** The messages that wait, in the order in which they will be sent; the user may change each until then. */
export class PromptQueue {
  private readonly store: TranscriptStore;
  /** On their way into a running turn: nobody knows yet whether they wait. */
  private readonly offered = new Set<string>();
  /** Sent by the user although the queue is held: they go out all the same. */
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

  /** The user has stopped what was going on: nothing of what waits goes out before they say so. */
  get isHeld(): boolean {
    return this.store.view.isQueueHeld === true;
  }

  /** Holds what waits now, if anything does. */
  hold(): void {
    this.released.clear();
    if (!this.isEmpty && !this.isHeld) this.store.setView({ isQueueHeld: true });
  }

  /** What waits may go out again. */
  resume(): void {
    if (this.isHeld) this.store.setView({ isQueueHeld: false });
  }

  /** One goes out although the others are held. */
  release(id: string): void {
    this.released.add(id);
  }

  /** Adds one that the user sends now: it is not held, even if those before it are. */
  add(prompt: Prompt): void {
    const added = this.named(prompt);
    this.released.add(added.id);
    this.set([...this.all, added]);
  }

  /** In front of all others; answers its id. */
  addFirst(prompt: Prompt): string {
    const first = this.named(prompt);
    this.set([first, ...this.all]);
    return first.id;
  }

  /** Takes the one that is next. */
  take(): Prompt | undefined {
    const mayGo = (id: string) => !this.offered.has(id) && (!this.isHeld || this.released.has(id));
    const next = this.all.find(({ id }) => mayGo(id));
    if (next) this.set(this.all.filter((prompt) => prompt !== next));
    return next;
  }

  /** Keeps one from being taken while `offer` runs. */
  async during<T>(id: string, offer: () => Promise<T>): Promise<T> {
    this.offered.add(id);
    try {
      return await offer();
    } finally {
      this.offered.delete(id);
    }
  }

  /** Takes one out; undefined when it is no longer there. */
  remove(id: string): QueuedPrompt | undefined {
    const found = this.all.find((prompt) => prompt.id === id);
    if (found) this.set(this.all.filter((prompt) => prompt !== found));
    return found;
  }

  /** Puts one at a place, from 0. */
  move(id: string, to: number): void {
    const found = this.all.find((prompt) => prompt.id === id);
    if (!found) return;
    const rest = this.all.filter((prompt) => prompt !== found);
    this.set([...rest.slice(0, to), found, ...rest.slice(to)]);
  }

  private named(prompt: Prompt): QueuedPrompt {
    const id = `queued:${this.nextId}`;
    this.nextId += 1;
    return { ...prompt, id };
  }

  private set(queue: readonly QueuedPrompt[]): void {
    this.store.setView({ queue, ...(queue.length === 0 && this.isHeld ? { isQueueHeld: false } : {}) });
  }
}
