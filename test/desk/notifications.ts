// The editor's notifications and modal questions, as extensions show them and as a user answers them.
import { editor } from '../unit-support/vscode';
import { Changes } from './changes';

interface Notification {
  readonly kind: 'information' | 'warning' | 'error';
  readonly message: string;
  readonly detail: string;
  readonly isModal: boolean;
  readonly buttons: readonly unknown[];
  readonly answer: (button: unknown) => void;
}

type Kind = Notification['kind'];

/** The notifications and modal questions of a window. They stay until they are answered or closed. */
export class Notifications {
  readonly changes = new Changes();
  private open: readonly Notification[] = [];

  /** The members of `vscode.window` that show them. */
  readonly api = {
    showInformationMessage: (message: string, ...rest: unknown[]) => this.show('information', message, rest),
    showWarningMessage: (message: string, ...rest: unknown[]) => this.show('warning', message, rest),
    showErrorMessage: (message: string, ...rest: unknown[]) => this.show('error', message, rest),
  };

  /** What is shown now. */
  get shown(): readonly Notification[] {
    return this.open;
  }

  /** Presses a button of the one with this text; resolves to all that it says. */
  async answers(text: string, button: string): Promise<string> {
    const { found, pressed } = await this.changes.until(
      () => {
        for (const found of this.open) {
          const pressed = found.buttons.find((one) => titleOf(one) === button);
          if (isIn(wordsOf(found), text) && pressed !== undefined) return { found, pressed };
        }
        return undefined;
      },
      () => `There is no “${text}” with “${button}”, but: ${this.open.map(wordsOf).join(' | ') || 'nothing'}`,
    );
    this.end([found], pressed);
    return wordsOf(found);
  }

  /** Closes all. */
  clear(): void {
    this.end(this.open, undefined);
  }

  private show(kind: Kind, message: string, rest: readonly unknown[]): Promise<unknown> {
    const [first] = rest;
    const hasOptions =
      typeof first === 'object' && first !== null && !('title' in first) && ('modal' in first || 'detail' in first);
    const { modal = false, detail = '' } = hasOptions ? (first as { modal?: boolean; detail?: string }) : {};
    const buttons = hasOptions ? rest.slice(1) : rest;
    editor.shown.push({ kind, message, items: rest });
    return new Promise((answer) => {
      this.open = [...this.open, { kind, message, detail, isModal: modal, buttons, answer }];
      editor.fire('shown');
      this.changes.note();
    });
  }

  private end(some: readonly Notification[], pressed: unknown): void {
    this.open = this.open.filter((one) => !some.includes(one));
    for (const { answer } of some) answer(pressed);
    this.changes.note();
  }
}

/** Whether a text has these words, in any case. */
function isIn(text: string, words: string): boolean {
  return text.toLowerCase().includes(words.toLowerCase());
}

function titleOf(button: unknown): unknown {
  return typeof button === 'object' && button !== null && 'title' in button ? button.title : button;
}

function wordsOf({ message, detail, buttons }: Notification): string {
  return [message, detail, ...buttons.map((one) => String(titleOf(one)))].filter((text) => text !== '').join('\n');
}
