import { basename } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { stateOf, type FileState } from '../../../review/files/fileState';
import { fileOfSide } from '../../../review/files/diskSide';
import type { TraitChange } from '../../../review/log/fileTraits';
import type { Hunk, HunkId } from '../../../review/hunks/hunk';
import type { ReviewLog } from '../../../review/log/reviewLog';
import type { DiskChanges } from '../recording/diskChanges';
import { carryOut } from './undoChanges';
import type { UndoneFile } from '../../fileChanges/undoneFiles';
import { noteReviewed } from './noteReviewed';
import { askModal, showError, showInformation, showWarning } from '../../ui/notifications';
import { guardedQuestion } from '../../workspaceFiles/guardedQuestion';
import { bytesOnDisk } from '../../workspaceFiles/workspaceFile';
import { causeOf } from '../../workspaceFiles/fileProblemWords';
import { whyNotUndone } from '../../../shared/changes/reviewWords';

/** Changes of one file that the user decides on. */
export interface FileChanges {
  readonly uri: string;
  readonly ids: readonly HunkId[] | 'all';
}

/** Asks a question with these answers, the least destructive first. Resolves to undefined if the user cancels. */
export type Ask = (question: string, ...answers: readonly string[]) => Thenable<string | undefined>;

const askInWindow: Ask = (question, ...answers) => askModal(question, { items: answers });

/**
 * Undoes changes. Asks first if that would remove the user's own lines. `isMove`: the changes are elsewhere now, so the undo isn't the user's
 * to take back, and nothing is said about removed files.
 */
export async function undoWithQuestion(
  log: ReviewLog,
  disk: DiskChanges,
  changes: readonly FileChanges[],
  ask: Ask = askInWindow,
  isMove = false,
): Promise<void> {
  // What the user has typed or saved by now is asked about. In folders that aren't recorded, nothing may have reported it.
  await Promise.all(
    changes.map(({ uri }) =>
      isUnreadFolder(log.file(uri)?.current) ? disk.look(vscode.Uri.parse(uri)) : disk.typedSoFar(uri),
    ),
  );
  const toUndo = await chooseChanges(log, changes, ask);
  const unread = toUndo.filter(({ uri }) => log.file(uri)?.base.kind === 'unread');
  const possible = toUndo.filter((one) => !unread.includes(one));
  const guarded = await guardedQuestion(possible.map(({ uri }) => uri));
  if (guarded !== undefined && (await ask(guarded, l10n.t('Undo'))) === undefined) return;
  const { ownCount: ownBefore, copyCount: copiesBefore } = disk.removed;
  let planned = 0;
  const undone: UndoneFile[] = [];
  const renamed: string[] = [];
  const undoOne = async ({ uri, ids }: FileChanges) => {
    // Plan only now, because the agent may have continued while the question was open or the earlier files were undone.
    const plan = log.undo(uri, ids);
    if (plan === undefined) return;
    planned++;
    try {
      const before = log.file(uri)?.snapshot;
      await storeBytes(log, disk, uri);
      const hasOldName = await disk.whileUndoing(uri, () => carryOut(log, disk, uri, plan));
      if (!hasOldName) renamed.push(uri);
      const now = (hasOldName ? plan.moveTo : undefined) ?? uri;
      if (before === undefined) return;
      if (log.file(uri)?.snapshot === before) void showError(unchanged(uri));
      // What isn't recorded is only where undo moved it.
      else if (stateOf(before.text.current, before.traits).kind !== 'unread')
        undone.push({ uri, now, before, after: log.file(now)?.current ?? { kind: 'absent' } });
    } catch (error) {
      void showError(l10n.t('Couldn’t undo {0}. {1}', nameOf(uri), causeOf(error)));
      // The file may differ from the log without an event, which the next attempt would meet again.
      await disk.look(vscode.Uri.parse(fileOfSide(uri)));
    }
  };
  // Removals come first, innermost first, because they make room for restored files.
  const isCreated = ({ uri }: FileChanges) => log.file(uri)?.status?.kind === 'created';
  const going = possible.filter(isCreated).sort((a, b) => b.uri.length - a.uri.length);
  await inLanes(
    going.filter(({ uri }) => !isFolder(log, uri)),
    undoOne,
  );
  for (const one of going.filter(({ uri }) => isFolder(log, uri))) await undoOne(one);
  for (const one of possible.filter((other) => !going.includes(other))) await undoOne(one);
  if (undone.length > 0 && !isMove) {
    disk.undone.add({ nextKeep: log.marks.nextKeep, files: undone });
    noteReviewed();
  }
  if (unread.length > 0)
    void showWarning(
      notUndone(
        log,
        unread.map(({ uri }) => uri),
      ),
    );
  else if (planned === 0 && toUndo.length > 0) void showInformation(l10n.t('There’s nothing left to undo.'));
  if (renamed.length > 0) void showInformation(notRenamedBack(renamed));
  const moved = disk.removed.ownCount - ownBefore;
  if (moved > 0 && !isMove) void tellWhere(disk.removed.folder, removedWords(moved));
  const copied = disk.removed.copyCount - copiesBefore;
  if (copied > 0) void tellWhere(disk.removed.folder, copiedWords(copied));
}

/** Stores what isn't text before it is undone, so that the undo can be taken back. */
async function storeBytes(log: ReviewLog, disk: DiskChanges, uri: string): Promise<void> {
  const current = log.file(uri)?.current;
  const bytes = current?.kind === 'binary' ? await bytesOnDisk(vscode.Uri.parse(uri)) : undefined;
  if (current && bytes) await disk.bases.keep(uri, current, bytes);
}

/** Maximum number of files to remove in parallel, because a generator writes thousands. */
const lanes = 8;

async function inLanes(all: readonly FileChanges[], act: (one: FileChanges) => Promise<void>): Promise<void> {
  const waiting = all.toReversed();
  const lane = async () => {
    for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) await act(one);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}

function isFolder(log: ReviewLog, uri: string): boolean {
  const current = log.file(uri)?.current;
  return current?.kind === 'folder' || isUnreadFolder(current);
}

function isUnreadFolder(state: FileState | undefined): boolean {
  return state?.kind === 'unread' && state.what === 'folder';
}

function unchanged(uri: string): string {
  return l10n.t('Undo didn’t change {0}. It already has that content.', nameOf(uri));
}

function notRenamedBack([first = '', ...more]: readonly string[]): string {
  return more.length === 0
    ? l10n.t('{0} keeps its new name, because the old name is in use again.', nameOf(first))
    : l10n.t('{0} files keep their new names, because the old names are in use again.', more.length + 1);
}

/** Lists the files that weren't undone, with the first reason. */
function notUndone(log: ReviewLog, uris: readonly string[]): string {
  const [first = '', ...more] = uris;
  const base = log.file(first)?.base;
  const why = base?.kind === 'unread' ? whyNotUndone(base.reason) : '';
  if (more.length === 0) return l10n.t('Couldn’t undo {0}. {1}', nameOf(first), why);
  const others =
    more.length === 1
      ? l10n.t('1 other file couldn’t be undone, either.')
      : l10n.t('{0} other files couldn’t be undone, either.', more.length);
  return l10n.t('Couldn’t undo {0}. {1} {2}', nameOf(first), why, others);
}

/** Shows the user where removed files are, because they are in Parley's own folder. */
async function tellWhere(folder: string, words: string): Promise<void> {
  const show = l10n.t('Show Files');
  if ((await showInformation(words, show)) !== show) return;
  await vscode.commands.executeCommand('revealFileInOS', vscode.Uri.file(folder));
}

function removedWords(count: number): string {
  return count === 1
    ? l10n.t('The removed file is kept for 30 days.')
    : l10n.t('{0} removed files are kept for 30 days.', count);
}

function copiedWords(count: number): string {
  return count === 1
    ? l10n.t('A copy of the file with your lines is kept for 30 days.')
    : l10n.t('Copies of {0} files with your lines are kept for 30 days.', count);
}

/** Returns the changes to undo after asking the user. */
async function chooseChanges(
  log: ReviewLog,
  changes: readonly FileChanges[],
  ask: Ask,
): Promise<readonly FileChanges[]> {
  const found = changes.map((one): FoundChanges => ({ uri: one.uri, all: changesOf(log, one) }));
  if (!found.some(({ all }) => all.some(isOwn))) return changes;
  const others = found.flatMap(({ uri, all }) => {
    const rest = all.filter((change) => !isOwn(change));
    return rest.length === 0 ? [] : [{ uri, all: rest }];
  });
  const { question, undoOthers, undoAll } = questionTexts(log, found, others);
  const answer = await ask(question, ...(others.length > 0 ? [undoOthers] : []), undoAll);
  if (answer === undefined) return [];
  // Use ids from here on, because changes made while the question was open weren't asked about.
  return (answer === undoAll ? found : others).map(({ uri, all }) => ({ uri, ids: all.map(({ id }) => id) }));
}

interface FoundChanges {
  readonly uri: string;
  readonly all: readonly (Hunk | TraitChange)[];
}

/** Returns the question: whose changes, which files, and what happens to the user's own lines. */
function questionTexts(
  log: ReviewLog,
  found: readonly FoundChanges[],
  others: readonly FoundChanges[],
): { readonly question: string; readonly undoOthers: string; readonly undoAll: string } {
  const withOwn = found.filter(({ all }) => all.some(isOwn));
  const names = withOwn.map(({ uri }) => nameOf(uri)).join(', ');
  const authors = withOwn.flatMap(({ all }) => all.flatMap((change) => change.authors));
  const agents = new Set(authors.flatMap((author) => (author.kind === 'agent' ? [author.agentName] : [])));
  const agent = agents.size === 1 ? [...agents].join('') : l10n.t('the agent');
  const undoOthers = l10n.t('Undo {0}’s Changes', agent);
  if (others.length === 0) {
    // Undoing a created file leaves the user's lines in it.
    const isTheirsKept = withOwn.every(({ uri }) => {
      const file = log.file(uri);
      return file?.status?.kind === 'created' && !isUnreadFolder(file.current);
    });
    const question = isTheirsKept
      ? l10n.t('You edited {0} after {1} did. Undoing removes {1}’s lines and keeps yours.', names, agent)
      : l10n.t('You edited {0} after {1} did. Undoing these changes also removes your lines in them.', names, agent);
    return { question, undoOthers, undoAll: l10n.t('Undo') };
  }
  const [one, ...more] = found;
  const isWholeFile = one?.all.length === (one && changesOf(log, { uri: one.uri, ids: 'all' }).length);
  if (more.length > 0 || !isWholeFile) {
    const question = l10n.t(
      'You edited {0} after {1} did. Undo only the changes you didn’t edit, or all of them, including your lines?',
      names,
      agent,
    );
    return { question, undoOthers, undoAll: l10n.t('Undo All') };
  }
  const count = others.reduce((sum, { all }) => sum + all.length, 0);
  const question =
    count === 1
      ? l10n.t('You edited {0} after {1} did. Undo only {1}’s other change, or the whole file?', names, agent)
      : l10n.t('You edited {0} after {1} did. Undo only {1}’s {2} changes, or the whole file?', names, agent, count);
  return { question, undoOthers, undoAll: l10n.t('Undo File') };
}

function changesOf(log: ReviewLog, { uri, ids }: FileChanges): readonly (Hunk | TraitChange)[] {
  const file = log.file(uri);
  const all = file === undefined ? [] : [...file.hunks, ...file.traitChanges];
  return ids === 'all' ? all : all.filter(({ id }) => ids.includes(id));
}

function isOwn({ authors }: Hunk | TraitChange): boolean {
  return authors.some(({ kind }) => kind === 'user');
}

function nameOf(uri: string): string {
  return basename(vscode.Uri.parse(uri).path);
}
