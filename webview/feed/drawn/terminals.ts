import type { SessionKey, TerminalId } from '../../../src/shared/values/ids';
import type { TranscriptOp } from '../../../src/shared/transcript/ops';
import type { Transcript } from '../../../src/shared/transcript/transcript';
import type { PageContext } from '../../state/pageContext';
import type { ToolCallView } from '../../entries/toolCall/toolCall';
import type { RenderQueue } from '../../base/renderQueue';
import { TerminalOutput } from '../../terminal/terminalView';
import type { Viewport } from '../../base/viewport';

type TerminalOp = TranscriptOp & { readonly op: 'terminal' | 'patchTerminal' | 'terminalOutput' };

/** The terminals of the transcript: their output on the page, and the cards that show them. */
export class Terminals {
  private readonly context: PageContext;
  private readonly queue: RenderQueue;
  private readonly viewport: Viewport;
  private readonly outputs = new Map<TerminalId, TerminalOutput>();
  private readonly cards = new Map<TerminalId, Set<ToolCallView>>();

  constructor(context: PageContext, queue: RenderQueue, viewport: Viewport) {
    this.context = context;
    this.queue = queue;
    this.viewport = viewport;
  }

  /** Returns the output of a terminal, or undefined if it isn't in the transcript. */
  output(id: TerminalId, transcript: Transcript, session: SessionKey): TerminalOutput | undefined {
    const known = this.outputs.get(id);
    if (known) return known;
    const state = transcript.terminals.get(id);
    if (!state) return undefined;
    const output = new TerminalOutput(state, this.queue, this.viewport, (columns, rows) =>
      this.context.post({ type: 'resizeTerminal', session, terminal: id, columns, rows }),
    );
    this.outputs.set(id, output);
    return output;
  }

  /** Records which terminals a card shows. */
  follow(card: ToolCallView): void {
    for (const id of card.terminalIds) {
      const cards = this.cards.get(id) ?? new Set();
      cards.add(card);
      this.cards.set(id, cards);
    }
  }

  /** Forgets a card that is removed, and the outputs that no other card shows. */
  leave(card: ToolCallView): void {
    for (const id of card.terminalIds) {
      const cards = this.cards.get(id);
      if (cards?.delete(card) !== true || cards.size > 0) continue;
      this.cards.delete(id);
      this.outputs.get(id)?.dispose();
      this.outputs.delete(id);
    }
  }

  /** Draws the changes of an op that is already applied to `transcript`. */
  changed(op: TerminalOp, transcript: Transcript): void {
    const id = op.op === 'terminal' ? op.terminal.terminalId : op.id;
    const state = transcript.terminals.get(id);
    if (state) this.outputs.get(id)?.set(state);
    for (const card of this.cards.get(id) ?? []) {
      if (op.op !== 'terminalOutput' || card.hidesTerminal) card.refresh();
    }
  }

  clear(): void {
    for (const output of this.outputs.values()) output.dispose();
    this.outputs.clear();
    this.cards.clear();
  }
}
