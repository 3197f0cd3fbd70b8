import { dirname } from 'node:path';
import * as vscode from 'vscode';
import { Disposable } from '../../shared/values/disposable';
import type { SettledProblems } from './settledProblems';

/** What readers of the editor's knowledge need of the language services. */
export interface Language {
  /** Resolves once the language services know a document and its project. Waits for a limited time. */
  ready(document: vscode.TextDocument, signal: AbortSignal): Promise<void>;
  /** Calls `read` with whether the problems of a document are up to date. Some services check only files in a tab. */
  withProblems<T>(
    document: vscode.TextDocument | undefined,
    signal: AbortSignal,
    read: (isSettled: boolean) => Promise<T>,
  ): Promise<T>;
}

/** How long a language service may take to start, in milliseconds. */
const mostMs = 10_000;
const pauseMs = 100;

/**
 * Waits for language services. The editor starts them with the first document of their language, and they load a
 * project with the first of its files. Until then, their answers are missing or cover a part only.
 */
export class Languages extends Disposable implements Language {
  private readonly settled: Pick<SettledProblems, 'wait' | 'now'>;
  private readonly started = new Map<string, Promise<void>>();
  private readonly loaded = new Set<string>();

  constructor(settled: Pick<SettledProblems, 'wait' | 'now'>) {
    super();
    this.settled = settled;
    this.register(vscode.workspace.onDidCloseTextDocument((document) => this.loaded.delete(keyOf(document))));
  }

  async ready(document: vscode.TextDocument, signal: AbortSignal): Promise<void> {
    const { languageId } = document;
    const starting = this.started.get(languageId) ?? start(document);
    this.started.set(languageId, starting);
    await starting;
    const key = keyOf(document);
    if (this.loaded.has(key)) return;
    // The first problems of a file tell that its project is loaded.
    await this.withProblems(document, signal, () => Promise.resolve());
    this.loaded.add(key);
  }

  async withProblems<T>(
    document: vscode.TextDocument | undefined,
    signal: AbortSignal,
    read: (isSettled: boolean) => Promise<T>,
  ): Promise<T> {
    const since = this.settled.now();
    const close = document && !isInTab(document) ? await openBehind(document) : undefined;
    try {
      return await read(await this.settled.wait(document?.uri, signal, close && since));
    } finally {
      await close?.();
    }
  }
}

/** Files of one language in one folder are nearly always in the same project. */
function keyOf({ languageId, uri }: vscode.TextDocument): string {
  return `${languageId} ${dirname(uri.fsPath)}`;
}

function tabsOf({ uri }: vscode.TextDocument): vscode.Tab[] {
  const key = uri.toString();
  return vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .filter(({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === key);
}

/** Returns whether a document is open in a tab. Some services check only those. */
export function isInTab(document: vscode.TextDocument): boolean {
  return tabsOf(document).length > 0;
}

/** Opens a document in a tab that isn't shown. Returns a function that closes the tab, unless the user uses it. */
async function openBehind(document: vscode.TextDocument): Promise<() => Promise<void>> {
  const options = { background: true, preserveFocus: true, preview: false };
  await vscode.commands.executeCommand('vscode.open', document.uri, options);
  return async () => {
    const unused = tabsOf(document).filter(
      ({ isDirty, isActive, group }) => !isDirty && !(isActive && group.tabs.length > 1),
    );
    await vscode.window.tabGroups.close(unused, true);
  };
}

async function start(document: vscode.TextDocument): Promise<void> {
  const event = `onLanguage:${document.languageId}`;
  const services = vscode.extensions.all.filter(({ packageJSON }) => {
    const { activationEvents } = packageJSON as { readonly activationEvents?: unknown };
    return Array.isArray(activationEvents) && activationEvents.includes(event);
  });
  // Without an extension for the language, nothing will ever answer.
  if (services.length === 0) return;
  const deadline = AbortSignal.timeout(mostMs);
  const late = new Promise<void>((resolve) => deadline.addEventListener('abort', () => resolve(), { once: true }));
  // An extension that can't start has told the user so.
  await Promise.race([late, Promise.allSettled(services.map((one) => one.activate()))]);
  while (!deadline.aborted && !document.isClosed) {
    const symbols = await vscode.commands.executeCommand<readonly object[] | undefined>(
      'vscode.executeDocumentSymbolProvider',
      document.uri,
    );
    if (symbols && symbols.length > 0) return;
    // A file can have no symbols, but this is undefined only until a service provides tokens.
    const legend = await vscode.commands.executeCommand('vscode.provideDocumentSemanticTokensLegend', document.uri);
    if (legend !== undefined) return;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}
