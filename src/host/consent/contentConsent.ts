import { createHash } from 'node:crypto';
import { Disposable } from '../../shared/values/disposable';
import { Emitter } from '../../shared/values/event';

/** The user's answer about a content. */
export type Answer = 'yes' | 'no';

/** Where answers are stored: outside the workspace, so that it can't change them. */
export interface AnswerMemory {
  get(key: string): unknown;
  update(key: string, value: unknown): Thenable<void>;
}

/** Maximum number of stored answers of each kind. The latest is last. */
const mostKept = 500;

/** Returns a string that identifies the content. */
export function printOf(content: unknown): string {
  return createHash('sha256').update(JSON.stringify(content)).digest('hex');
}

/**
 * The contents that the user agreed to or refused. Changed content is asked about again. Unchanged content is asked
 * about only once.
 */
export class ContentConsent extends Disposable {
  private readonly memory: AnswerMemory;
  private readonly key: string;
  private readonly answered = this.register(new Emitter<void>());
  /** Fires when an answer was given or all answers were forgotten. */
  readonly onDidAnswer = this.answered.event;

  constructor(memory: AnswerMemory, key: string) {
    super();
    this.memory = memory;
    this.key = key;
  }

  /** The user's answer about a content, or undefined if there is none. */
  known(print: string): Answer | undefined {
    const { yes, no } = this.read();
    if (no.includes(print)) return 'no';
    return yes.includes(print) ? 'yes' : undefined;
  }

  /** Stores an answer for all of these contents. */
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
   * Asks about all of these contents and stores the answer. If several callers ask about the same content, the first
   * answer counts for all, and `showQuestion` is signaled to withdraw its question. Resolves once every content has an answer,
   * or `showQuestion` returned without one.
   */
  async ask(
    prints: readonly string[],
    showQuestion: (signal: AbortSignal) => Promise<Answer | undefined>,
    signal: AbortSignal,
  ): Promise<void> {
    const isOpen = () => prints.some((print) => this.known(print) === undefined);
    if (!isOpen() || signal.aborted) return;
    const settled = new AbortController();
    const listening = this.onDidAnswer(() => {
      if (!isOpen()) settled.abort();
    });
    try {
      const answer = await showQuestion(AbortSignal.any([signal, settled.signal]));
      if (answer !== undefined && isOpen()) await this.note(prints, answer);
    } finally {
      listening.dispose();
    }
  }

  /** Forgets all answers, so everything is asked about again. */
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
