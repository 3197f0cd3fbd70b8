import type { Prompt, QueuedPrompt } from '../shared/transcript';
import type { TranscriptStore } from './transcriptStore';

/** The messages that wait, in the order in which they will be sent; the user may change each until then. */
export class PromptQueue {
  private readonly store: TranscriptStore;
  /** On their way into a running turn: nobody knows yet whether they wait. */
  private readonly offered = new Set<string>();
  private made: number;

  constructor(store: TranscriptStore) {
    this.store = store;
    this.made = this.all.reduce((most, { id }) => Math.max(most, Number(id.split(':')[1] ?? 0)), 0);
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

  add(prompt: Prompt): void {
    this.set([...this.all, this.named(prompt)]);
  }

  /** In front of all others; answers its id. */
  addFirst(prompt: Prompt): string {
    const first = this.named(prompt);
    this.set([first, ...this.all]);
    return first.id;
  }

  /** Takes the one that is next. */
  take(): Prompt | undefined {
    const next = this.all.find(({ id }) => !this.offered.has(id));
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
    this.made += 1;
    return { ...prompt, id: `queued:${this.made}` };
  }

  private set(queue: readonly QueuedPrompt[]): void {
    this.store.setView({ queue });
  }
}
