import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { positionAt } from '../../../review/shown/changePlaces';
import type { ReviewLog } from '../../../review/log/reviewLog';
import { Disposable } from '../../../shared/values/disposable';
import { Coalesced } from '../../base/coalesce';
import type { CommandId } from '../../base/feature';
import { StatusItem } from '../../ui/labels';
import { positionWords } from '../shown/changeWords';
import { activeCell } from '../notebooks/cellPlaces';
import { placeInFront } from '../shown/placeInFront';

const openCommand: CommandId = 'parley.review.open';

/** Shows which of all changes is at the cursor, in the status bar, while a file with changes is in front. */
export class ReviewPosition extends Disposable {
  private readonly log: ReviewLog;
  private readonly status = this.register(new StatusItem('parley.reviewPosition', l10n.t('Parley: Change'), 87));

  constructor(log: ReviewLog) {
    super();
    this.log = log;
    const soon = this.register(new Coalesced(() => this.update()));
    const request = () => soon.request();
    const { window } = vscode;
    this.register(log.onDidChange(request));
    this.register(window.onDidChangeActiveTextEditor(request));
    this.register(window.onDidChangeTextEditorSelection(request));
    this.register(window.onDidChangeActiveNotebookEditor(request));
    this.register(window.onDidChangeNotebookEditorSelection(request));
    this.register(window.tabGroups.onDidChangeTabs(request));
    this.register(window.tabGroups.onDidChangeTabGroups(request));
    request();
  }

  private update(): void {
    if (this.isDisposed) return;
    const cell = activeCell(this.log);
    const front = cell ? { uri: cell.uri, line: cell.last } : placeInFront(this.log);
    const position = front && positionAt(this.log, front.uri, front.line);
    if (!position) {
      this.status.hide();
      return;
    }
    const tooltip = l10n.t('Change {0} of {1}. Review all changes.', position.at, position.count);
    this.status.show(
      { icon: 'diff-multiple', text: positionWords(position), tooltip, isWarning: false },
      openCommand,
      [],
    );
  }
}
