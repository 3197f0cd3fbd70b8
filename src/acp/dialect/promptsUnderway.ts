import type { ContentBlock } from '../../shared/transcript/content';
import { requestCancelled } from '../base/errors';
import type { ChannelOptions } from './dialect';
import { plainContent, promptContent, type PromptContent } from './promptContent';

type Options = Pick<ChannelOptions, 'can' | 'beforeTurn' | 'readContext'>;
type Blocks = PromptContent['blocks'];

/** A session's prompts that wait for what must happen before they are sent, such as reading attachments. */
export class PromptsUnderway {
  private readonly options: Options;
  private readonly waiting = new Set<{ isCancelled: boolean }>();

  constructor(options: Options) {
    this.options = options;
  }

  /**
   * Returns the content to send: at once if nothing has to happen before, so that a cancellation can't overtake it.
   * Rejects if the prompt was cancelled in the meantime.
   */
  prepare(
    content: readonly ContentBlock[],
    onUnsupported: (blocks: readonly ContentBlock[]) => void,
  ): Blocks | Promise<Blocks> {
    const ready = this.options.beforeTurn?.();
    const isPlain = content.every(({ type }) => type === 'text');
    return ready || !isPlain ? this.wait(ready, content, isPlain, onUnsupported) : plainContent(content).blocks;
  }

  /** Converts content to what the agent supports. */
  read(content: readonly ContentBlock[]): Promise<PromptContent> {
    const { can, readContext } = this.options;
    return promptContent(content, can, readContext ?? (() => Promise.resolve(undefined)));
  }

  /** Cancels the prompts that weren't sent yet. Returns whether there are any. */
  cancel(): boolean {
    for (const waiting of this.waiting) waiting.isCancelled = true;
    return this.waiting.size > 0;
  }

  private async wait(
    ready: Promise<void> | undefined,
    content: readonly ContentBlock[],
    isPlain: boolean,
    onUnsupported: (blocks: readonly ContentBlock[]) => void,
  ): Promise<Blocks> {
    const waiting = { isCancelled: false };
    this.waiting.add(waiting);
    try {
      await ready;
      const { blocks, unsupportedBlocks } = isPlain ? plainContent(content) : await this.read(content);
      // Neither the prompt nor the cancellation was sent to the agent.
      if (waiting.isCancelled) throw requestCancelled();
      if (unsupportedBlocks.length > 0) onUnsupported(unsupportedBlocks);
      return blocks;
    } finally {
      this.waiting.delete(waiting);
    }
  }
}
