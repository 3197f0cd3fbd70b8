import * as vscode from 'vscode';
import { compact } from '../../shared/values/decodeValue';
import type { NesContext, NesDiagnostic, NesRange } from '../../acp/decode/nesMessages';
import type { NesSurroundings } from '../../nes/nesSession';
import { Disposable } from '../../shared/values/disposable';
import { isSecretFile } from '../../shared/limits/secretFile';

const severities = ['error', 'warning', 'information', 'hint'] as const;

/** What this window shows, for requests of suggestions. */
export class EditorSurroundings extends Disposable implements NesSurroundings {
  private readonly lastFocused = new Map<string, number>();

  constructor() {
    super();
    this.register(vscode.workspace.onDidCloseTextDocument(({ uri }) => this.lastFocused.delete(uri.toString())));
  }

  /** Files of the workspace, but none that usually contains keys or passwords. */
  served(uri: string): string | undefined {
    let parsed: vscode.Uri;
    try {
      parsed = vscode.Uri.parse(uri, true);
    } catch {
      return undefined;
    }
    // The editor compares paths as they are written, so `/ws/../../etc/x` would count as inside.
    if (hasDots(parsed.path)) return undefined;
    const folder = parsed.scheme === 'file' ? vscode.workspace.getWorkspaceFolder(parsed) : undefined;
    return folder && !isSecretFile(parsed.fsPath, folder.uri.fsPath) ? parsed.toString() : undefined;
  }

  versionOf(uri: string): number | undefined {
    return vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri)?.version;
  }

  openFiles(): NonNullable<NesContext['openFiles']> {
    const languages = new Map(vscode.workspace.textDocuments.map((one) => [one.uri.toString(), one.languageId]));
    const visible = new Map(
      vscode.window.visibleTextEditors.map((editor) => [editor.document.uri.toString(), editor.visibleRanges[0]]),
    );
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    const uris = tabs.flatMap(({ input }) => (input instanceof vscode.TabInputText ? [input.uri.toString()] : []));
    return [...new Set(uris)].flatMap((uri) => {
      const languageId = languages.get(uri);
      if (languageId === undefined) return [];
      const range = visible.get(uri);
      const lastFocusedMs = this.lastFocused.get(uri);
      return {
        uri,
        languageId,
        ...(range ? { visibleRange: rangeOf(range) } : {}),
        ...compact({ lastFocusedMs }),
      };
    });
  }

  diagnostics(): readonly NesDiagnostic[] {
    return vscode.languages.getDiagnostics().flatMap(([uri, found]) =>
      found.map(({ range, severity, message }) => ({
        uri: uri.toString(),
        range: rangeOf(range),
        severity: severities[severity],
        message,
      })),
    );
  }

  selectionIn(uri: string): NesRange | undefined {
    const editor = vscode.window.activeTextEditor;
    if (!editor || editor.selection.isEmpty || editor.document.uri.toString() !== uri) return undefined;
    return rangeOf(editor.selection);
  }

  now(): number {
    return Date.now();
  }

  /** Notes when a file had the focus last. */
  focused(uri: string): void {
    this.lastFocused.set(uri, this.now());
  }
}

/** Returns whether a path has parts that lead elsewhere, also as programs for Windows read it. */
function hasDots(path: string): boolean {
  return path.split(/[\\/]/).some((part) => /^\.{1,2}$/.test(part));
}

export function rangeOf({ start, end }: vscode.Range): NesRange {
  return {
    start: { line: start.line, character: start.character },
    end: { line: end.line, character: end.character },
  };
}
