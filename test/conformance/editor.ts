import * as vscode from 'vscode';
import { until } from '../integration/poll';
import { call } from './page';

/** The editor around the chat, as a person sees and uses it. */
export class Editor {
  /** Resolves when the editor's list has an entry with this text. */
  async lists(text: string): Promise<void> {
    await call('quickPickSees', { text });
  }

  /** Types into the editor's list, so that it shows only what holds this text. */
  async filters(text: string): Promise<void> {
    await call('quickPickFilter', { text });
  }

  /** The texts of the entries in sight. */
  async entries(): Promise<readonly string[]> {
    return (await call('quickPickTexts', {})) as string[];
  }

  /** Chooses the first entry with this text. */
  async picks(text: string): Promise<void> {
    await call('quickPick', { text });
  }

  /** Opens the protocol log of the newest agent of this name, and resolves to its text. Of several logs one is to be chosen. */
  async protocolLog(agent: string): Promise<string> {
    const log = { isShown: false };
    const shown = vscode.commands.executeCommand('parley.showProtocolLog').then(() => (log.isShown = true));
    await until(async () => log.isShown || (await this.entries()).some((entry) => entry.includes(agent)));
    if (!log.isShown) await this.picks(agent);
    await shown;
    return vscode.window.activeTextEditor?.document.getText() ?? '';
  }

  /** Takes what is ticked in the editor's list, or what is typed into its box. */
  async accepts(): Promise<void> {
    await call('quickPickAccept', {});
  }

  /** Presses a button beside the title of the editor's list. */
  async presses(button: string): Promise<void> {
    await call('quickPickTitleButton', { option: button });
  }

  /** Answers the next question for a folder, for which the editor would open a dialog of the system; resolves when it is put. */
  choosesNextFolder(path: string): Promise<void> {
    const window = vscode.window as { showOpenDialog: unknown };
    const shows = window.showOpenDialog;
    return new Promise((resolve) => {
      window.showOpenDialog = () => {
        window.showOpenDialog = shows;
        resolve();
        return Promise.resolve([vscode.Uri.file(path)]);
      };
    });
  }

  /** Presses a button of the first entry with this text. */
  async pressesInList(text: string, button: string): Promise<void> {
    await call('quickPickButton', { text, option: button });
  }

  /** Enters a value into the box that shows this text; tells whether what is typed can be read. */
  async enters(text: string, value: string): Promise<'text' | 'password'> {
    return (await call('inputBox', { text, value })) as 'text' | 'password';
  }

  /** Presses a button of the notification with this text; answers all that it says. */
  async answersNotification(text: string, button: string): Promise<string> {
    await vscode.commands.executeCommand('notifications.showList');
    try {
      return (await call('notification', { text, option: button })) as string;
    } finally {
      // With others in it the list stays open, over the chat.
      await vscode.commands.executeCommand('notifications.hideList');
    }
  }

  /** Chooses this file in the next dialog that saves one, which is not the editor's to show here; resolves to what it was asked. */
  choosesFile(uri: vscode.Uri): Promise<vscode.SaveDialogOptions | undefined> {
    const window = vscode.window as { showSaveDialog: typeof vscode.window.showSaveDialog };
    const shows = window.showSaveDialog;
    return new Promise((resolve) => {
      window.showSaveDialog = (options) => {
        window.showSaveDialog = shows;
        resolve(options);
        return Promise.resolve(uri);
      };
    });
  }

  /**
   * Answers the next modal question, which the editor does not show while tests run, or the next message of this kind; resolves to
   * what it said, details below.
   */
  confirmsNext(
    button: string,
    kind: 'showWarningMessage' | 'showInformationMessage' = 'showWarningMessage',
  ): Promise<string> {
    const window = vscode.window as unknown as Record<string, unknown>;
    const shows = window[kind];
    return new Promise((resolve) => {
      window[kind] = (words: string, options?: vscode.MessageOptions) => {
        window[kind] = shows;
        resolve([words, options?.detail ?? ''].join('\n').trim());
        return Promise.resolve(button);
      };
    });
  }

  /** Closes the next notice that offers something, so that what it offers is over; resolves to what it said. */
  closesNextNotice(): Promise<string> {
    return this.confirmsNext('', 'showInformationMessage');
  }

  /** Keeps what the editor is to open outside, until `stop`, instead of opening it. */
  recordsOpened(): { readonly addresses: readonly unknown[]; stop(): void } {
    const env = vscode.env as { openExternal: unknown };
    const opens = env.openExternal;
    const addresses: unknown[] = [];
    env.openExternal = (address: unknown) => {
      addresses.push(address);
      return Promise.resolve(true);
    };
    const stop = () => {
      env.openExternal = opens;
    };
    return { addresses, stop };
  }
}
