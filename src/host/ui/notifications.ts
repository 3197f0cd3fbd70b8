import * as vscode from 'vscode';
import { plainMessage } from '../../shared/text/plainText';

/**
 * The only place that shows notifications and modal questions. VS Code turns `[label](command:…)` in a notification
 * into a link that runs the command. That can't be disabled, so every text is escaped here and appears exactly as
 * agents, files, or registries wrote it.
 */
export function showInformation<T extends string>(message: string, ...items: T[]): Thenable<T | undefined> {
  return vscode.window.showInformationMessage(plainMessage(message), ...items);
}

/** Like `showInformation`, as a warning. */
export function showWarning<T extends string>(message: string, ...items: T[]): Thenable<T | undefined> {
  return vscode.window.showWarningMessage(plainMessage(message), ...items);
}

/** Like `showInformation`, as an error. */
export function showError<T extends string>(message: string, ...items: T[]): Thenable<T | undefined> {
  return vscode.window.showErrorMessage(plainMessage(message), ...items);
}

/** Asks a modal question. Resolves to undefined if the user cancels. */
export function askModal<T extends string>(
  message: string,
  { detail, items }: { readonly detail?: string; readonly items: readonly T[] },
): Thenable<T | undefined> {
  const options = { modal: true, ...(detail === undefined ? {} : { detail: plainMessage(detail) }) };
  return vscode.window.showWarningMessage(plainMessage(message), options, ...items);
}

/** `vscode.window.withProgress` with a plain title and plain messages. */
export function withProgress<R>(
  options: Omit<vscode.ProgressOptions, 'title'> & { readonly title: string },
  task: (
    progress: vscode.Progress<{ message?: string; increment?: number }>,
    token: vscode.CancellationToken,
  ) => Thenable<R>,
): Thenable<R> {
  const title = plainMessage(options.title);
  return vscode.window.withProgress({ ...options, title }, (progress, token) =>
    task(
      {
        report: ({ message, ...step }) =>
          progress.report(message === undefined ? step : { ...step, message: plainMessage(message) }),
      },
      token,
    ),
  );
}
