import * as vscode from 'vscode';
import type { ReviewLog } from '../../../review/log/reviewLog';
import { Disposable } from '../../../shared/values/disposable';
import { Coalesced } from '../../base/coalesce';
import { presentState } from '../../workspaceFiles/presentState';
import type { DraftComments } from './draftComments';

/** Keeps remarks at their lines in files without changes that wait for review, which the log doesn't follow. */
export class RemarkPlaces extends Disposable {
  private readonly comments: DraftComments;
  private readonly log: ReviewLog;

  constructor(comments: DraftComments, log: ReviewLog, report: (error: unknown) => void) {
    super();
    this.comments = comments;
    this.log = log;
    const soon = this.register(new Coalesced(() => void this.follow().catch(report)));
    this.register(log.onDidChange(() => soon.request()));
    const { onDidChangeTextDocument, onDidOpenTextDocument } = vscode.workspace;
    const seen = ({ uri }: vscode.TextDocument) => {
      if (comments.remarkedFiles.includes(uri.toString())) soon.request();
    };
    this.register(onDidChangeTextDocument(({ document }) => seen(document)));
    this.register(onDidOpenTextDocument(seen));
  }

  private async follow(): Promise<void> {
    for (const uri of this.comments.remarkedFiles) {
      if (this.log.file(uri)) continue;
      const state = await presentState(vscode.Uri.parse(uri));
      // It may have got changes meanwhile, which the log follows.
      if (state.kind === 'text' && !this.log.file(uri)) this.comments.followText(uri, state.text);
    }
  }
}
