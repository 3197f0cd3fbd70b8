import * as vscode from 'vscode';
import { isDiskSide } from '../../../review/files/diskSide';
import type { ReviewLog } from '../../../review/log/reviewLog';
import { isSameButLineBreaks } from '../../../review/lines/lines';
import { Disposable } from '../../../shared/values/disposable';

/** The URI scheme of the read-only documents with a file's last kept version. Menus use it, too. */
export const baseScheme = 'parley-base';

/**
 * The URI of a file's base: the file's path, so that the editor detects its language, and the file's URI as the query.
 */
export function baseUri(uri: string): vscode.Uri {
  return vscode.Uri.from({ scheme: baseScheme, path: vscode.Uri.parse(uri).path, query: uri });
}

/** The URI of the empty side beside the base of a deleted file. No file has this URI, so its text is empty. */
export function emptyUri(uri: string): vscode.Uri {
  return baseUri(uri).with({ query: '', fragment: uri });
}

/** The URI of the current side of a change: the file, or the text on disk under unsaved text. */
export function currentUri(uri: string): vscode.Uri {
  return isDiskSide(uri) ? baseUri(uri).with({ fragment: diskSide }) : vscode.Uri.parse(uri);
}

/** The fragment of a disk side's current text. */
const diskSide = 'now';

/** Returns the URI of the file that a document shows or is the base of. */
export function fileOf(document: vscode.Uri): string {
  return document.scheme === baseScheme ? document.query || document.fragment : document.toString();
}

/** Provides bases to diffs and change bars, and fires when they change. */
export class BaseContent extends Disposable implements vscode.TextDocumentContentProvider {
  private readonly log: ReviewLog;
  private readonly changed = this.register(new vscode.EventEmitter<vscode.Uri>());
  readonly onDidChange = this.changed.event;

  constructor(log: ReviewLog) {
    super();
    this.log = log;
    this.register(vscode.workspace.registerTextDocumentContentProvider(baseScheme, this));
    // The editor doesn't ask again for a change that happens while it opens the document.
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
    this.register(
      log.onDidChange((uris) => {
        for (const uri of uris) this.changed.fire(baseUri(uri));
        for (const uri of uris.filter(isDiskSide)) this.changed.fire(currentUri(uri));
      }),
    );
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    const file = this.log.file(uri.query);
    const base = uri.fragment === diskSide ? file?.current : file?.base;
    if (base?.kind === 'link') return base.target;
    return base?.kind === 'text' ? base.text : '';
  }
}
