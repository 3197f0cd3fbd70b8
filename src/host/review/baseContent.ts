import * as vscode from 'vscode';
import type { ReviewLog } from '../../review/reviewLog';
import { isSameButLineBreaks } from '../../review/lines';
import { Disposable } from '../../shared/disposable';

/** What the user last accepted of a file is a read-only document of this scheme; menus name it, too. */
export const baseScheme = 'parley-base';

/** The address of a file's base: the same path, so that the editor knows its language, and the file's own address as query. */
export function baseUri(uri: string): vscode.Uri {
  return vscode.Uri.from({ scheme: baseScheme, path: vscode.Uri.parse(uri).path, query: uri });
}

/** The empty side beside the base of a file that is gone: no file of this name is known, so it has no text. */
export function emptyUri(uri: string): vscode.Uri {
  return baseUri(uri).with({ query: '', fragment: uri });
}

/** The address of the file that a document shows, or is the base of. */
export function fileOf(document: vscode.Uri): string {
  return document.scheme === baseScheme ? document.query || document.fragment : document.toString();
}

/** Serves bases to diffs and change bars, and says when they change. */
export class BaseContent extends Disposable implements vscode.TextDocumentContentProvider {
  private readonly log: ReviewLog;
  private readonly changed = this.register(new vscode.EventEmitter<vscode.Uri>());
  readonly onDidChange = this.changed.event;

  constructor(log: ReviewLog) {
    super();
    this.log = log;
    this.register(vscode.workspace.registerTextDocumentContentProvider(baseScheme, this));
    // A change that comes while the editor opens the document is not asked for again.
    this.register(
      vscode.workspace.onDidOpenTextDocument((document) => {
        const { uri } = document;
        if (
          uri.scheme === baseScheme &&
          !isSameButLineBreaks(document.getText(), this.provideTextDocumentContent(uri))
        ) {
          this.changed.fire(uri);
        }
      }),
    );
    this.register(log.onDidChange((uris) => uris.forEach((uri) => this.changed.fire(baseUri(uri)))));
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    const base = this.log.file(uri.query)?.base;
    if (base?.kind === 'link') return base.target;
    return base?.kind === 'text' ? base.text : '';
  }
}
