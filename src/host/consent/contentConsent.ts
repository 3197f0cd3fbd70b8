import { createHash } from 'node:crypto';
import { Disposable } from '../../shared/disposable';
import { Emitter } from '../../shared/event';

/** What the user said to something. */
export type Answer = 'yes' | 'no';

/** Where answers are kept: out of reach of the workspace. */
export interface AnswerMemory {
  get(key: string): unknown;
  update(key: string, value: unknown): Thenable<void>;
}

/** So many answers of each kind are kept, the latest last. */
const mostKept = 500;

/** A string that is the same for the same content, and for no other. */
export function printOf(content: unknown): string {
  return createHash('sha256').update(JSON.stringify(content)).digest('hex');
}

/**
 * What the user agreed to or refused, by its exact content: what has changed is asked about again, and what they saw once isn't.
 */
export class ContentConsent extends Disposable {
  private readonly memory: AnswerMemory;
  private readonly key: string;
  private readonly answered = this.register(new Emitter<void>());
  /** An answer was given, or all are forgotten. */
  readonly onDidAnswer = this.answered.event;

  constructor(memory: AnswerMemory, key: string) {
    super();
    this.memory = memory;
    this.key = key;
  }

  /** The user's answer to a content; undefined when there is none. */
  known(print: string): Answer | undefined {
    const { yes, no } = this.read();
    if (no.includes(print)) return 'no';
    return yes.includes(print) ? 'yes' : undefined;
  }

  /** Notes an answer to all of these. */
  async note(prints: readonly string[], answer: Answer): Promise<void> {
    const { yes, no } = this.read();
    const without = (kept: readonly string[]) => kept.filter((print) => !prints.includes(print));
    const added = (kept: readonly string[], is: Answer) =>
      [...without(kept), ...(answer === is ? prints : [])].slice(-mostKept);
    const written = this.memory.update(this.key, { yes: added(yes, 'yes'), no: added(no, 'no') });
    this.answered.fire();
    await written;
  }

  /**
   * Puts a question about all of these, and notes the answer. Where several ask about the same, the first answer counts for all: `put`
   * is then told to withdraw its question. Resolves when each has an answer, or `put` came back without one.
   */
  async ask(
    prints: readonly string[],
    put: (signal: AbortSignal) => Promise<Answer | undefined>,
    signal: AbortSignal,
  ): Promise<void> {
    const isOpen = () => prints.some((print) => this.known(print) === undefined);
    if (!isOpen() || signal.aborted) return;
    const settled = new AbortController();
    const listening = this.onDidAnswer(() => {
      if (!isOpen()) settled.abort();
    });
    try {
      const answer = await put(AbortSignal.any([signal, settled.signal]));
      if (answer !== undefined && isOpen()) await this.note(prints, answer);
    } finally {
      listening.dispose();
    }
  }

  /** Everything is asked about again. */
  async forget(): Promise<void> {
    const written = this.memory.update(this.key, undefined);
    this.answered.fire();
    await written;
  }

  private read(): { readonly yes: readonly string[]; readonly no: readonly string[] } {
    const kept = this.memory.get(this.key);
    const { yes, no } = typeof kept === 'object' && kept !== null ? (kept as Record<string, unknown>) : {};
    const prints = (value: unknown) =>
      Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];
    return { yes: prints(yes), no: prints(no) };
  }
}
