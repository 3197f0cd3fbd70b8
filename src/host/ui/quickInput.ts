import * as vscode from 'vscode';
import { plainLabel, plainMessage } from '../../shared/text/plainText';
import { showHiddenOnOneLine } from '../../shared/text/visibleText';

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

/** Lets the user select any number of entries. Resolves to undefined if the user cancels. */
export async function pickMany<T extends vscode.QuickPickItem>(
  items: readonly T[],
  options: vscode.QuickPickOptions,
): Promise<readonly T[] | undefined> {
  const copies = plainItems(items);
  const originals = new Map(copies.map((copy, index) => [copy, items[index] ?? copy]));
  const picked = await vscode.window.showQuickPick(copies, { ...plainTitles(options), canPickMany: true });
  return picked?.map((copy) => originals.get(copy) ?? copy);
}

/** Creates a quick pick for a caller that fills it. Its entries are escaped copies of the given ones. */
export function createPicker<T extends vscode.QuickPickItem>(): vscode.QuickPick<T> {
  return withPlainTexts(vscode.window.createQuickPick<T>(), {
    items: (items) => plainItems(items as readonly T[]),
    title: shownOnOneLine,
    placeholder: shownOnOneLine,
  });
}

/** Creates an input box for a caller that fills it. Its texts are escaped. */
export function createTextBox(): vscode.InputBox {
  return withPlainTexts(vscode.window.createInputBox(), {
    title: shownOnOneLine,
    placeholder: shownOnOneLine,
    prompt: (text) => (typeof text === 'string' ? plainMessage(text) : text),
    validationMessage: (problem) => plainProblem(problem as string | vscode.InputBoxValidationMessage | undefined),
  });
}

/** Passes each value that is set through the function of its name. */
function withPlainTexts<T extends object>(input: T, plain: Readonly<Record<string, (value: unknown) => unknown>>): T {
  return new Proxy(input, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
    set(target, name, value: unknown) {
      const change = typeof name === 'string' ? plain[name] : undefined;
      return Reflect.set(target, name, change ? change(value) : value);
    },
  });
}

function shownOnOneLine(value: unknown): unknown {
  return typeof value === 'string' ? showHiddenOnOneLine(value) : value;
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

/** Creates an input box for a caller that fills it. Its title and question are plain text. */
export function createBox(options: { readonly title: string; readonly prompt: string }): vscode.InputBox {
  const box = vscode.window.createInputBox();
  box.title = showHiddenOnOneLine(options.title);
  box.prompt = plainMessage(options.prompt);
  return box;
}
