import type { ProcessExit } from '../../session/services';
import { DisposableStore, type IDisposable } from '../../shared/values/disposable';
import { Emitter, type Event } from '../../shared/values/event';
import type { SessionKey, TerminalId } from '../../shared/values/ids';
import { EscapeFilter } from '../../terminal/escapeFilter';
import { OutputBuffer } from '../../terminal/outputBuffer';
import type { TerminalTabView } from './terminalTab';

/**
 * A terminal whose text comes from elsewhere: the agent's own, or one that the agent has released. The text may contain
 * any control sequences.
 */
export interface AttachedTerminal {
  readonly session: SessionKey;
  readonly terminalId: TerminalId;
  readonly title: string;
  /** The output up to now. */
  readonly output: string;
  readonly exit?: ProcessExit;
  /** Further output of a running command. */
  readonly onOutput?: Event<string>;
  readonly onExit?: Event<ProcessExit>;
}

/** Shows text from elsewhere in a read-only tab, without unsafe control sequences. */
export class AttachedView implements TerminalTabView, IDisposable {
  readonly title: string;
  readonly driver = 'agent';
  readonly onDidWrite: Event<string>;
  readonly onDidExit: Event<ProcessExit>;
  private readonly filter = new EscapeFilter({ queries: 'drop' });
  private readonly written = new Emitter<string>();
  private readonly exited = new Emitter<ProcessExit>();
  private readonly store = new DisposableStore();
  /** Output from before the tab opened. */
  private readonly before = new OutputBuffer();
  private opened = false;
  private status: ProcessExit | undefined;

  constructor(terminal: AttachedTerminal) {
    this.title = terminal.title;
    this.status = terminal.exit;
    this.onDidWrite = this.written.event;
    this.onDidExit = this.exited.event;
    this.before.append(this.filter.filter(terminal.output));
    if (terminal.onOutput) this.store.add(terminal.onOutput((text) => this.receive(text)));
    if (terminal.onExit) this.store.add(terminal.onExit((exit) => this.finish(exit)));
  }

  replay(): string {
    const text = this.before.read();
    this.opened = true;
    this.before.clear();
    return text;
  }

  exit(): ProcessExit | undefined {
    return this.status;
  }

  dispose(): void {
    this.store.dispose();
  }

  private receive(text: string): void {
    const safe = this.filter.filter(text);
    if (this.opened) this.written.fire(safe);
    else this.before.append(safe);
  }

  private finish(exit: ProcessExit): void {
    this.status = exit;
    this.exited.fire(exit);
  }
}
