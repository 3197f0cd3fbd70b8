import * as vscode from 'vscode';
import { plainLabel, plainMessage } from '../../shared/plainText';
import { showHiddenOnOneLine } from '../../shared/visibleText';

/**
 * The only place that opens quick picks and input boxes. VS Code turns `$(name)` in an entry into an icon, and
 * `[label](command:…)` in the question of an input box into a link that runs the command, so every text is escaped
 * here. Use `iconPath` for icons.
 */
export async function pickOne<T extends vscode.QuickPickItem>(
  items: readonly T[] | Thenable<readonly T[]>,
  options: vscode.QuickPickOptions,
  token?: vscode.CancellationToken,
): Promise<T | undefined> {
  const originals = new Map<vscode.QuickPickItem, T>();
  const plain = (offered: readonly T[]) => {
    const copies = plainItems(offered);
    for (const [index, copy] of copies.entries()) originals.set(copy, offered[index] ?? copy);
    return copies;
  };
  const shown = 'then' in items ? Promise.resolve(items).then(plain) : plain(items);
  const picked = await vscode.window.showQuickPick(shown, plainTitles(options), token);
  return picked && (originals.get(picked) ?? picked);
}

/** Like `pickOne` for any number of entries. Resolves to an empty list if the user cancels. */
export async function pickSome<T extends vscode.QuickPickItem>(
  items: readonly T[],
  options: vscode.QuickPickOptions,
): Promise<readonly T[]> {
  const copies = plainItems(items);
  const picked = await vscode.window.showQuickPick(copies, { ...plainTitles(options), canPickMany: true });
  return items.filter((_, index) => picked?.some((copy) => copy === copies[index]));
}

/** Creates a quick pick for a caller that fills it. Its entries are escaped copies of the given ones. */
export function createPicker<T extends vscode.QuickPickItem>(): vscode.QuickPick<T> {
  return new Proxy(vscode.window.createQuickPick<T>(), {
    get(pick, name) {
      const value: unknown = Reflect.get(pick, name);
      return typeof value === 'function' ? (value.bind(pick) as unknown) : value;
    },
    set(pick, name, value: unknown) {
      if (name === 'items') return Reflect.set(pick, name, plainItems(value as readonly T[]));
      const isText = typeof value === 'string' && (name === 'title' || name === 'placeholder');
      return Reflect.set(pick, name, isText ? showHiddenOnOneLine(value) : value);
    },
  });
}

/** Asks for a line of text. Resolves to undefined if the user cancels. */
export function askText(
  options: vscode.InputBoxOptions,
  token?: vscode.CancellationToken,
): Thenable<string | undefined> {
  const { prompt } = options;
  const plain: vscode.InputBoxOptions = {
    ...plainTitles(options),
    ...(prompt === undefined ? {} : { prompt: plainMessage(prompt) }),
  };
  if (options.validateInput) plain.validateInput = async (text) => plainProblem(await options.validateInput?.(text));
  return vscode.window.showInputBox(plain, token);
}

function plainProblem(problem: string | vscode.InputBoxValidationMessage | undefined | null) {
  if (typeof problem === 'string') return plainMessage(problem);
  return problem ? { ...problem, message: plainMessage(problem.message) } : undefined;
}

function plainItems<T extends vscode.QuickPickItem>(items: readonly T[]): readonly T[] {
  return items.map((item) => ({
    ...item,
    label: plainLabel(item.label),
    ...(item.description === undefined ? {} : { description: plainLabel(item.description) }),
    ...(item.detail === undefined ? {} : { detail: plainLabel(item.detail) }),
  }));
}

function plainTitles<T extends { title?: string; placeHolder?: string }>(options: T): T {
  const { title, placeHolder } = options;
  return {
    ...options,
    ...(title === undefined ? {} : { title: showHiddenOnOneLine(title) }),
    ...(placeHolder === undefined ? {} : { placeHolder: showHiddenOnOneLine(placeHolder) }),
  };
}
