import * as vscode from 'vscode';
import { Disposable } from '../../shared/values/disposable';
import { Emitter } from '../../shared/values/event';
import { isInTab, type Language } from '../editor/languages';
import { isProblem, problemOf, problemsNow } from '../editor/problems';
import type { ProblemText } from '../editor/problemText';
import { followDisk } from '../files/documents';
import { Coalesced } from '../base/coalesce';
import { isInRoots } from '../base/folders';
import type { EditorProblems } from './turnProblems';

/** How long a document may take to follow its file, in milliseconds. */
const followMs = 3000;
/** Maximum number of files that are opened to be checked. */
const mostOpened = 10;

/** The problems of this window, as its language services report them. */
export class WindowProblems extends Disposable implements EditorProblems {
  private readonly language: () => Language;
  private readonly changed = this.register(new Emitter<void>());
  private readonly edits = this.register(new Emitter<string>());
  readonly onDidChange = this.changed.event;
  readonly onDidEdit = this.edits.event;

  constructor(language: () => Language) {
    super();
    this.language = language;
    const soon = this.register(new Coalesced(() => this.changed.fire()));
    this.register(vscode.languages.onDidChangeDiagnostics(() => soon.request()));
    this.register(
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0 && document.uri.scheme === 'file') this.edits.fire(document.uri.toString());
      }),
    );
  }

  now(): ReadonlyMap<string, readonly ProblemText[]> {
    const all = new Map<string, ProblemText[]>();
    for (const { uri, diagnostic } of problemsNow()) {
      if (!isProblem(diagnostic) || !isInRoots(uri)) continue;
      const key = uri.toString();
      const inFile = all.get(key) ?? [];
      all.set(key, inFile);
      inFile.push(problemOf(diagnostic));
    }
    return all;
  }

  checked(): ReadonlySet<string> {
    return new Set(vscode.workspace.textDocuments.filter(isInTab).map(({ uri }) => uri.toString()));
  }

  follow(): void {
    this.language();
  }

  async settle(uris: readonly string[], opens: boolean, signal: AbortSignal): Promise<void> {
    const language = this.language();
    let opened = 0;
    for (const address of uris) {
      if (signal.aborted) return;
      const uri = vscode.Uri.parse(address);
      const known = vscode.workspace.textDocuments.find((one) => one.uri.toString() === address && !one.isClosed);
      const isChecked = known !== undefined && isInTab(known);
      if (!isChecked && (!opens || ++opened > mostOpened)) continue;
      // A file that was deleted, or isn't text, has no problems.
      const document = known ?? (await Promise.resolve(vscode.workspace.openTextDocument(uri)).catch(() => undefined));
      if (!document) continue;
      await followDisk(document, uri.fsPath, followMs);
      if (!isChecked) await language.ready(document, signal);
      await language.withProblems(document, signal, () => Promise.resolve());
    }
    // The change of one file is seen in others.
    await language.withProblems(undefined, signal, () => Promise.resolve());
  }
}
