import * as vscode from 'vscode';
import { plainLabel } from '../../shared/plainText';
import { showHiddenOnOneLine } from '../../shared/visibleText';

/**
 * The only place that makes what VS Code draws with icons beside texts: lenses, status bars, and names of terminals. A text is shown as
 * the characters it is made of; an icon is named apart from it.
 */
export interface Labeled {
  /** Name of a codicon to show before the text. */
  readonly icon?: string;
  readonly text: string;
  readonly tooltip?: string;
}

function labelOf({ icon, text }: Labeled): string {
  return icon === undefined ? plainLabel(text) : `$(${icon}) ${plainLabel(text)}`;
}

/** A lens above a line. */
export function codeLens(
  range: vscode.Range,
  label: Labeled,
  command: string,
  args: readonly unknown[],
): vscode.CodeLens {
  const tooltip = plainTitle(label.tooltip ?? '');
  return new vscode.CodeLens(range, { title: labelOf(label), command, tooltip, arguments: [...args] });
}

/** A text or a button below a cell of a notebook; the tooltip of a button is its accessible name. */
export function cellStatus(
  label: Labeled,
  command?: { readonly id: string; readonly args: readonly unknown[] },
): vscode.NotebookCellStatusBarItem {
  const item = new vscode.NotebookCellStatusBarItem(labelOf(label), vscode.NotebookCellStatusBarAlignment.Left);
  if (!command) return item;
  const tooltip = plainTitle(label.tooltip ?? label.text);
  item.tooltip = tooltip;
  item.command = { title: tooltip, command: command.id, arguments: [...command.args] };
  item.accessibilityInformation = { label: tooltip, role: 'button' };
  return item;
}

/** Shows a text in the status bar for so many milliseconds. */
export function tellInStatusBar(text: string, ms: number): void {
  vscode.window.setStatusBarMessage(plainLabel(text), ms);
}

/** A terminal of the editor. */
export function openTerminalTab(
  options: (vscode.TerminalOptions | vscode.ExtensionTerminalOptions) & { readonly name: string },
): vscode.Terminal {
  return vscode.window.createTerminal({ ...options, name: plainLabel(options.name) });
}

/** The title of an editor or a page, or a tooltip: texts without icons, in which hidden characters could still turn the rest around. */
export function plainTitle(text: string): string {
  return showHiddenOnOneLine(text);
}
