import type { IDisposable } from '../../shared/values/disposable';
import type { Event } from '../../shared/values/event';
import type { TerminalId } from '../../shared/values/ids';
import type { TranscriptOp } from '../../shared/transcript/ops';
import type { TerminalView, Transcript } from '../../shared/transcript/transcript';
import { waitsAtPrompt } from './promptLine';

type Schedule = (ms: number, action: () => void) => IDisposable;

/** The transcript with the commands, and how it is changed. */
interface Commands {
  readonly transcript: Transcript;
  readonly onDidApply: Event<readonly TranscriptOp[]>;
  now(): number;
  apply(ops: readonly TranscriptOp[]): void;
}

/** A command that has printed nothing for this long may be waiting. In milliseconds. */
export const silentMs = 2500;

/** Notices running commands that seem to wait for input. Their next output, or their exit, says that they don't. */
export class AwaitedInput implements IDisposable {
  private readonly store: Commands;
  private readonly schedule: Schedule;
  /** When each command printed something, by its id. */
  private readonly heardAt = new Map<TerminalId, number>();
  private readonly timers = new Map<TerminalId, IDisposable>();
  private readonly listening: IDisposable;

  constructor(store: Commands, schedule: Schedule) {
    this.store = store;
    this.schedule = schedule;
    this.listening = store.onDidApply((ops) => {
      for (const op of ops) if (op.op === 'terminalOutput') this.heard(op.id);
    });
  }

  dispose(): void {
    this.listening.dispose();
    for (const timer of this.timers.values()) timer.dispose();
    this.timers.clear();
  }

  private heard(id: TerminalId): void {
    this.heardAt.set(id, this.store.now());
    if (!this.timers.has(id)) this.wait(id, silentMs);
  }

  private wait(id: TerminalId, ms: number): void {
    this.timers.set(
      id,
      this.schedule(ms, () => {
        this.timers.delete(id);
        const left = (this.heardAt.get(id) ?? 0) + silentMs - this.store.now();
        if (left > 0) this.wait(id, left);
        else this.look(id);
      }),
    );
  }

  private look(id: TerminalId): void {
    this.heardAt.delete(id);
    const terminal = this.store.transcript.terminals.get(id);
    if (terminal?.exit.state !== 'running' || terminal.waitsForInput || !waitsAtPrompt(terminal.output)) return;
    this.store.apply([{ op: 'patchTerminal', id, fields: { waitsForInput: true } }]);
  }
}

/** Returns the ops that say that commands don't wait any longer, because ops add output to them or end them. */
export function inputsOver(
  terminals: ReadonlyMap<TerminalId, TerminalView>,
  ops: readonly TranscriptOp[],
): readonly TranscriptOp[] {
  return ops.flatMap((op) => {
    const goesOn = op.op === 'terminalOutput' || (op.op === 'patchTerminal' && op.fields.exit?.state === 'exited');
    if (!goesOn || !terminals.get(op.id)?.waitsForInput) return [];
    return [{ op: 'patchTerminal', id: op.id, fields: { waitsForInput: false } } as const];
  });
}
