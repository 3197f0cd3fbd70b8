import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { nextPlace } from '../../../review/shown/changePlaces';
import type { HunkId } from '../../../review/hunks/hunk';
import type { ReviewLog } from '../../../review/log/reviewLog';
import { tellInStatusBar } from '../../ui/labels';
import { baseScheme, fileOf } from '../shown/baseContent';
import { activeCell, showCell } from '../notebooks/cellPlaces';
import { isOwnEditor } from '../shown/ownEditor';
import { placeInFront } from '../shown/placeInFront';
import { compareFile, isChangesTab, showPlace } from '../shown/showChanges';

/** How long the status bar says that nothing is left, in milliseconds. */
const messageMs = 5000;

/** Changes of a file that the user decides. */
interface Decided {
  readonly uri: string;
  readonly ids: readonly HunkId[];
}

/** Goes from a decided change to the next one, in any file. */
export class ReviewWalk {
  private readonly log: ReviewLog;
  private readonly isOn: () => boolean;

  constructor(log: ReviewLog, isOn: () => boolean) {
    this.log = log;
    this.isOn = isOn;
  }

  /**
   * Carries out a decision, and then goes to the next change if the decided file is in front: the user is reading it. Files
   * that the user decides in a list stay where they are. `preserveFocus` leaves the keyboard in the list.
   */
  async decide({ uri, ids }: Decided, act: () => Promise<void> | void, preserveFocus = false): Promise<void> {
    const { log } = this;
    const isInFront = (activeCell(log)?.uri ?? placeInFront(log)?.uri) === uri;
    const line = firstLine(log, uri, ids);
    const isDeleted = log.file(uri)?.status?.kind === 'deleted';
    await act();
    const { hunks, traitChanges } = log.file(uri) ?? { hunks: [], traitChanges: [] };
    const isDecided = ![...hunks, ...traitChanges].some(({ id }) => ids.includes(id));
    if (isInFront && isDecided && this.isOn()) await moveOn(log, { uri, line, isDeleted }, preserveFocus);
  }
}

/** Where the user decided. A deleted file has only a diff. */
interface DecidedPlace {
  readonly uri: string;
  readonly line: number;
  readonly isDeleted: boolean;
}

async function moveOn(log: ReviewLog, { uri, line, isDeleted }: DecidedPlace, preserveFocus: boolean): Promise<void> {
  const next = nextPlace(log, uri, line);
  if (!next) {
    tellInStatusBar(l10n.t('All changes are reviewed.'), messageMs);
    return;
  }
  const { activeTextEditor: editor, tabGroups } = vscode.window;
  const { activeTab } = tabGroups.activeTabGroup;
  const { input } = activeTab ?? {};
  if (await showCell(log, next, preserveFocus)) return;
  if (editor && !isOwnEditor(editor) && editor.document.uri.toString() === next.uri) {
    // Inside a diff or a peek, which stays open.
    const at = new vscode.Position(Math.min(next.line, editor.document.lineCount - 1), 0);
    editor.selection = new vscode.Selection(at, at);
    editor.revealRange(new vscode.Range(at, at), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
    return;
  }
  // The next file is below, and no extension can scroll there.
  if (activeTab && isChangesTab(activeTab)) return;
  const isDiff = input instanceof vscode.TabInputTextDiff && input.original.scheme === baseScheme;
  if (isDiff && !isDeleted && fileOf(input.modified) === uri) await compareFile(log, next.uri, preserveFocus);
  else await showPlace(log, next, preserveFocus);
}

/** Returns the line of the first of these changes. The next change is after it, whatever becomes of them. */
function firstLine(log: ReviewLog, uri: string, ids: readonly HunkId[]): number {
  return log.file(uri)?.hunks.find(({ id }) => ids.includes(id))?.start ?? 0;
}
