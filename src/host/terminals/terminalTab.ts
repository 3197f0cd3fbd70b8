import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ProcessExit } from '../../session/services';
import { DisposableStore } from '../../shared/values/disposable';
import type { Event } from '../../shared/values/event';
import { LineInput } from '../../terminal/lineInput';

/** A command for display in a terminal tab. All output is safe to write to a terminal. */
export interface TerminalTabView {
  readonly title: string;
  /** The source of the text. Pipes and agents end lines without a carriage return. */
  readonly driver: 'pty' | 'pipe' | 'agent';
  /** The output up to now. */
  replay(): string;
  exit(): ProcessExit | undefined;
  readonly onDidWrite: Event<string>;
  readonly onDidExit: Event<ProcessExit>;
  /** Absent if the command doesn't accept input. The tab is then read-only. */
  readonly input?: {
    type(data: string): void;
    endInput(): void;
    interrupt(): void;
    resize(columns: number, rows: number): void;
  };
}

/** Resets modes that a command may have left on: alternate screen, hidden cursor, mouse and paste modes, colors. */
const restoreModes =
  '\u001b[?1049l\u001b[?25h\u001b[?1000l\u001b[?1002l\u001b[?1003l\u001b[?1006l\u001b[?2004l\u001b[?1l\u001b[0m';

/** The terminal of a tab. Closing the tab leaves the command running. */
export class TerminalTab implements vscode.Pseudoterminal {
  readonly onDidWrite: vscode.Event<string>;
  private readonly view: TerminalTabView;
  private readonly onClosed: () => void;
  private readonly written = new vscode.EventEmitter<string>();
  private readonly store = new DisposableStore();
  private readonly lineInput = new LineInput();

  constructor(view: TerminalTabView, onClosed: () => void) {
    this.view = view;
    this.onClosed = onClosed;
    this.onDidWrite = this.written.event;
  }

  open(dimensions: vscode.TerminalDimensions | undefined): void {
    const { view } = this;
    const exit = view.exit();
    if (exit === undefined) this.notice(openNotice(view));
    this.write(view.replay());
    if (exit !== undefined) {
      this.notice(exitNotice(exit));
      return;
    }
    this.store.add(view.onDidWrite((text) => this.write(text)));
    this.store.add(
      view.onDidExit((status) => {
        this.written.fire(`${restoreModes}\r\n`);
        this.notice(exitNotice(status));
      }),
    );
    if (dimensions) this.setDimensions(dimensions);
  }

  close(): void {
    if (this.store.isDisposed) return;
    this.store.dispose();
    this.onClosed();
  }

  setDimensions({ columns, rows }: vscode.TerminalDimensions): void {
    this.view.input?.resize(columns, rows);
  }

  handleInput(data: string): void {
    const { input, driver } = this.view;
    if (input === undefined || this.view.exit() !== undefined) return;
    if (driver === 'pty') {
      input.type(data);
      return;
    }
    const { echo, send, action } = this.lineInput.type(data);
    if (echo !== '') this.written.fire(echo);
    if (send !== '') input.type(send);
    if (action === 'interrupt') input.interrupt();
    if (action === 'endInput') input.endInput();
  }

  private write(text: string): void {
    if (text === '') return;
    this.written.fire(this.view.driver === 'pty' ? text : text.replaceAll(/\r?\n/gu, '\r\n'));
  }

  private notice(text: string): void {
    this.written.fire(`\u001b[2m${text}\u001b[0m\r\n`);
  }
}

function openNotice({ input, driver }: TerminalTabView): string {
  if (input === undefined) {
    return l10n.t('The agent runs this command itself. What you type here isn’t sent to it.');
  }
  const stays = l10n.t('Closing this tab doesn’t stop the command. Press Ctrl+C here or Stop in the chat to end it.');
  return driver === 'pipe' ? `${stays} ${l10n.t('No terminal available; showing plain text.')}` : stays;
}

function exitNotice({ exitCode, signal }: ProcessExit): string {
  if (signal !== undefined) return l10n.t('The command was terminated by {0}.', signal);
  if (exitCode === undefined) return l10n.t('The command exited.');
  return l10n.t('The command exited with code {0}.', exitCode);
}
