import * as vscode from 'vscode';
import { plainLabel } from '../../shared/text/plainText';
import { showHiddenOnOneLine } from '../../shared/text/visibleText';

/**
 * The only place that creates texts with icons for VS Code: lenses, status bars, and terminal names. Texts are escaped,
 * and icons are given separately.
 */
export interface Labeled {
  /** Name of the codicon before the text. */
  readonly icon?: string;
  readonly text: string;
  readonly tooltip?: string;
}

function labelOf({ icon, text }: Labeled): string {
  // A common space at the start of a lens isn't rendered.
  return icon === undefined ? plainLabel(text) : `$(${icon})\u00a0${plainLabel(text)}`;
}

/** Creates a lens above a line. */
export function codeLens(
  range: vscode.Range,
  label: Labeled,
  command: string,
  args: readonly unknown[],
): vscode.CodeLens {
  const tooltip = plainTitle(label.tooltip ?? '');
  return new vscode.CodeLens(range, { title: labelOf(label), command, tooltip, arguments: [...args] });
}

/** Creates a text or a button below a notebook cell. A button's tooltip is its accessible name. */
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

/** Shows a text in the status bar for `ms` milliseconds. */
export function tellInStatusBar(text: string, ms: number): void {
  vscode.window.setStatusBarMessage(plainLabel(text), ms);
}

/** An item of the status bar, which is hidden until it has a label. */
export class StatusItem implements vscode.Disposable {
  private readonly item: vscode.StatusBarItem;

  /** `name` is the item's name in the status bar's menu. */
  constructor(id: string, name: string, priority: number) {
    this.item = vscode.window.createStatusBarItem(id, vscode.StatusBarAlignment.Left, priority);
    this.item.name = name;
  }

  /** Shows the label, on the color of warnings if it is one. A click runs the command. */
  show(label: Labeled & { readonly isWarning: boolean }, command: string, args: readonly unknown[]): void {
    const { item } = this;
    item.text = labelOf(label);
    const tooltip = plainTitle(label.tooltip ?? label.text);
    item.tooltip = tooltip;
    // The icon is read aloud otherwise, by its name.
    item.accessibilityInformation = { label: plainTitle(label.text), role: 'button' };
    item.backgroundColor = label.isWarning ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
    item.command = { title: tooltip, command, arguments: [...args] };
    item.show();
  }

  hide(): void {
    this.item.hide();
  }

  dispose(): void {
    this.item.dispose();
  }
}

/** Opens an editor terminal. */
export function openTerminalTab(
  options: (vscode.TerminalOptions | vscode.ExtensionTerminalOptions) & { readonly name: string },
): vscode.Terminal {
  return vscode.window.createTerminal({ ...options, name: plainLabel(options.name) });
}

/**
 * Escapes the title of an editor or page, or a tooltip. These have no icons, but hidden characters could still reorder
 * the text around them.
 */
export function plainTitle(text: string): string {
  return showHiddenOnOneLine(text);
}
