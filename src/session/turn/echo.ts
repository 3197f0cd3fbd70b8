import type { SessionUpdate } from '../../acp/sessionUpdate';

/**
 * Some agents send the user's message back while its turn runs. It is on screen already, so chunks that spell it are held
 * back, and given out after all if they turn out to be something else.
 */
export class Echo {
  private readonly text: string;
  private heard = '';
  private held: SessionUpdate[] = [];
  private done = false;

  constructor(text: string) {
    this.text = text.trim();
  }

  /** The updates that are to be shown now that this one has come. */
  filter(update: SessionUpdate): readonly SessionUpdate[] {
    if (this.done) return [update];
    if (update.sessionUpdate !== 'user_message_chunk' || update.content.type !== 'text') {
      return update.sessionUpdate === 'unknown' ? [] : [...this.release(), update];
    }
    const heard = this.heard + update.content.text;
    const isPrefix = this.text.startsWith(heard.trim());
    if (!isPrefix) return [...this.release(), update];
    this.heard = heard;
    this.held.push(update);
    if (heard.trim() === this.text) {
      this.held = [];
      this.done = true;
    }
    return [];
  }

  /** What was held back and was no echo; forgets it. */
  release(): readonly SessionUpdate[] {
    const held = this.held;
    this.held = [];
    this.heard = '';
    return held;
  }
}
