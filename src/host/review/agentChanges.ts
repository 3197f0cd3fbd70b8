import { basename } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ReviewLog } from '../../review/reviewLog';
import { Disposable, type IDisposable } from '../../shared/disposable';
import { baseUri } from './baseContent';
import { changeAuthors } from './changeWords';
import { Coalesced } from './coalesce';
import { plainTitle } from '../ui/labels';

interface Shown {
  readonly control: vscode.SourceControl;
  readonly group: vscode.SourceControlResourceGroup;
}

/**
 * "Agent changes" in the Source Control view, with the editor's own change bars and peek. It is there only while something
 * waits for the user.
 */
export class AgentChanges extends Disposable {
  private readonly log: ReviewLog;
  private shown: Shown | undefined;

  constructor(log: ReviewLog) {
    super();
    this.log = log;
    const update = this.register(new Coalesced(() => this.update()));
    this.register(log.onDidChange(() => update.request()));
    this.register({ dispose: () => this.hide() } satisfies IDisposable);
    this.update();
  }

  private update(): void {
    if (this.isDisposed) return;
    const { pending } = this.log;
    if (pending.length === 0) {
      this.hide();
      return;
    }
    const { control, group } = (this.shown ??= this.show());
    group.resourceStates = pending.map((uri) => this.resource(uri));
    control.count = pending.length;
  }

  private show(): Shown {
    const control = vscode.scm.createSourceControl('parley', l10n.t('Agent changes'));
    control.inputBox.visible = false;
    control.quickDiffProvider = {
      provideOriginalResource: (uri) =>
        this.log.file(uri.toString())?.status === undefined ? undefined : baseUri(uri.toString()),
    };
    const group = control.createResourceGroup('changes', l10n.t('Agent changes'));
    group.hideWhenEmpty = true;
    return { control, group };
  }

  private hide(): void {
    this.shown?.group.dispose();
    this.shown?.control.dispose();
    this.shown = undefined;
  }

  private resource(uri: string): vscode.SourceControlResourceState {
    const resourceUri = vscode.Uri.parse(uri);
    const isGone = this.log.file(uri)?.current.kind === 'absent';
    const { added, removed, authors } = this.log.counts(uri);
    return {
      resourceUri,
      command: { command: 'parley.review.compare', title: l10n.t('Compare'), arguments: [uri] },
      decorations: {
        strikeThrough: isGone,
        tooltip: plainTitle(
          l10n.t('{0}: +{1} −{2}, by {3}', basename(resourceUri.path), added, removed, changeAuthors(authors)),
        ),
      },
    };
  }
}
