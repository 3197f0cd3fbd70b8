import { basename } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { fileOfSide, isDiskSide } from '../../../review/files/diskSide';
import type { ReviewLog } from '../../../review/log/reviewLog';
import { guardedPlace } from '../../../shared/limits/guardedPlaces';
import { guardedWords, underUnsavedWords, whyNotUndone } from '../../../shared/changes/reviewWords';
import { Disposable, type IDisposable } from '../../../shared/values/disposable';
import { baseUri } from '../shown/baseContent';
import { authorNames } from '../shown/changeWords';
import { GitChanges } from './gitChanges';
import { Coalesced } from '../../base/coalesce';
import { pathInFolder, workspacePath } from '../../base/folders';
import { plainTitle } from '../../ui/labels';

interface Shown {
  readonly control: vscode.SourceControl;
  readonly group: vscode.SourceControlResourceGroup;
}

/**
 * "Agent Changes" of Parley in the Source Control view, with the editor's own change bars and peek. Shown only while changes are
 * pending.
 */
export class AgentChanges extends Disposable {
  private readonly log: ReviewLog;
  private readonly git = this.register(new GitChanges());
  private shown: Shown | undefined;

  constructor(log: ReviewLog) {
    super();
    this.log = log;
    const update = this.register(new Coalesced(() => this.update()));
    this.register(log.onDidChange(() => update.request()));
    this.register(this.git.onDidChange(() => update.request()));
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
    this.git.listen();
    const counted = this.git.counted();
    control.count = pending.filter((uri) => !counted.has(fileOfSide(uri))).length;
  }

  private show(): Shown {
    const control = vscode.scm.createSourceControl('parley', 'Parley');
    control.inputBox.visible = false;
    control.quickDiffProvider = {
      provideOriginalResource: (uri) => (this.isComparable(uri) ? baseUri(uri.toString()) : undefined),
    };
    const group = control.createResourceGroup('changes', l10n.t('Agent Changes'));
    group.hideWhenEmpty = true;
    return { control, group };
  }

  /** Returns whether a file has pending changes that can be compared by lines. */
  private isComparable(uri: vscode.Uri): boolean {
    const file = this.log.file(uri.toString());
    return file?.status !== undefined && !file.isUnread;
  }

  private hide(): void {
    this.shown?.group.dispose();
    this.shown?.control.dispose();
    this.shown = undefined;
  }

  private resource(uri: string): vscode.SourceControlResourceState {
    const resourceUri = vscode.Uri.parse(fileOfSide(uri));
    const file = this.log.file(uri);
    const { added, removed, authors } = this.log.counts(uri);
    const name = basename(resourceUri.path);
    const by = authorNames(authors);
    const { status } = file ?? {};
    const isUnread = file?.isUnread === true;
    const guarded = guardedPlace(pathInFolder(resourceUri));
    const words = [
      isUnread ? l10n.t('{0}: changed by {1}', name, by) : l10n.t('{0}: +{1} −{2}, by {3}', name, added, removed, by),
      status?.kind === 'renamed' ? l10n.t('Renamed from {0}', workspacePath(vscode.Uri.parse(status.from))) : '',
      guarded ? guardedWords(guarded.reason) : '',
      file?.base.kind === 'unread' ? whyNotUndone(file.base.reason) : '',
      isDiskSide(uri) ? underUnsavedWords() : '',
    ];
    const icon = guarded ? 'warning' : isUnread ? 'circle-slash' : undefined;
    return {
      resourceUri,
      command: { command: 'parley.review.compare', title: l10n.t('Compare'), arguments: [uri] },
      decorations: {
        strikeThrough: file?.current.kind === 'absent',
        tooltip: plainTitle(words.filter((part) => part !== '').join(' · ')),
        ...(icon === undefined ? {} : { iconPath: new vscode.ThemeIcon(icon) }),
      },
    };
  }
}
