import { join } from 'node:path';
import { readFile } from 'node:fs/promises';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ReviewLog } from '../../review/log/reviewLog';
import type { Session } from '../../session/session';
import type { SessionKey } from '../../shared/values/ids';
import { isAtWork } from '../../shared/transcript/lateWork';
import { linesToCompare } from '../../tries/differences';
import { changeStamps } from '../../tries/pageDifferences';
import { stillTaken } from '../../tries/stillTaken';
import { sideOfBase, sideOfTry } from '../../tries/triedFiles';
import { startOf, withoutTaken, withTaken, type TakenFile, type Try } from '../../tries/tryGroup';
import { noteBrought } from '../../worktree/bring/broughtBase';
import { worktreeOf } from '../../worktree/made/worktreeOf';
import { goneProblem } from '../../worktree/repository/worktreeProblem';
import type { ChangeBringer } from '../merging/bringChanges';
import type { BroughtChanges } from '../merging/broughtChanges';
import { conflictWords } from '../merging/bringWords';
import { decideConflicts } from '../merging/conflicts';
import type { DiskChanges } from '../review/recording/diskChanges';
import { undoWithQuestion } from '../review/deciding/undoWithQuestion';
import { showWarning } from '../ui/notifications';
import { openDocument } from '../workspaceFiles/openDocument';
import type { TryStore } from './tryStore';

export interface TryTakerServices {
  readonly store: TryStore;
  readonly log: ReviewLog;
  readonly disk: DiskChanges;
  readonly bringer: ChangeBringer;
  /** Returns a try's session, which is opened if it isn't. */
  readonly sessionOf: (key: SessionKey) => Promise<Session>;
}

/** What is taken: all of a try if `path` is absent, and all of the file if `difference` is. */
export interface TakenPart {
  readonly path: string;
  /** Its path before the try renamed it. */
  readonly from?: string;
  /** The changes of the try in one difference, by their positions. */
  readonly changes?: readonly number[];
}

/** Takes files and single changes of tries into the workspace, where they wait for review as changes of the try's session. */
export class TryTaker {
  private readonly services: TryTakerServices;

  constructor(services: TryTakerServices) {
    this.services = services;
  }

  /** Resolves to the number of files of which something was taken. Rejects with a `WorktreeProblem`. */
  async take(one: Try, parts: readonly TakenPart[]): Promise<number> {
    const worktree = worktreeOf(one.path);
    if (!worktree) throw goneProblem(one);
    const stamps = new Map<string, { readonly chosen: readonly string[]; readonly all: number }>();
    for (const { path, from, changes } of parts) {
      if (!changes) continue;
      const [base, side] = await Promise.all([sideOfBase(one, from ?? path), sideOfTry(one, path)]);
      const all = changeStamps(linesToCompare(base), linesToCompare(side));
      stamps.set(path, { chosen: changes.flatMap((at) => all[at] ?? []), all: all.length });
    }
    const { store, bringer, sessionOf } = this.services;
    const session = await sessionOf(one.session);
    const files = parts.map(({ path, changes }) => ({ path, ...(changes ? { hunks: new Set(changes) } : {}) }));
    const isWhole = parts.every(({ changes }) => changes === undefined);
    const request = { session, worktree, files, base: startOf(one) };
    const result = await bringer.bring(request);
    if (result.isCancelled) return 0;
    const missed = new Set([...result.conflicts, ...result.skipped].map(({ path }) => path));
    const done = new Set(parts.map(({ path }) => path).filter((path) => !missed.has(path)));
    const noteTaken = (path: string) => {
      const known = stamps.get(path);
      store.change(one.session, (before) => withTaken(before, path, known?.chosen, known?.all));
    };
    done.forEach(noteTaken);
    const inTheWay = missedWords(result);
    if (inTheWay !== '') void showWarning(inTheWay);
    await decideConflicts(bringer, request, result, {
      canAsk: isWhole && !isAtWork(session.transcript.view),
      took: (path) => {
        noteTaken(path);
        done.add(path);
      },
      note: async (handed) => {
        const { brought = startOf(one) } = worktree.record;
        if (handed.length > 0) await noteBrought(worktree, brought, { files: handed });
      },
    });
    return done.size;
  }

  /** Returns the entries of a try whose changes the user's files still have. */
  async stillTaken(
    one: Try,
    root: string,
    fromOf: (path: string) => string | undefined,
  ): Promise<readonly TakenFile[]> {
    const found: TakenFile[] = [];
    for (const taken of one.taken) {
      const present = await bytesNow(join(root, taken.path));
      const still = await stillTaken(one, taken, present, fromOf(taken.path)).catch(() => taken);
      if (still) found.push(still);
    }
    return found;
  }

  /** Undoes what was taken of a file, as far as it still waits for review. Asks first if that would remove lines of the user. */
  async undo(one: Try, root: string, path: string): Promise<void> {
    const { log, disk, store } = this.services;
    const uri = log.uris.find((known) => vscode.Uri.parse(known).fsPath === vscode.Uri.file(join(root, path)).fsPath);
    const file = uri === undefined ? undefined : log.file(uri);
    const isOfTry = (authors: readonly { readonly kind: string; readonly session?: SessionKey }[]) =>
      authors.some(({ session }) => session === one.session);
    const ids = file?.hunks.filter(({ authors }) => isOfTry(authors)).map(({ id }) => id) ?? [];
    if (uri === undefined || ids.length === 0) {
      void showWarning(l10n.t('{0} no longer waits for review. Change it in the editor.', path));
      return;
    }
    await undoWithQuestion(log, disk, [{ uri, ids }]);
    const left = log.file(uri)?.hunks.some(({ id }) => ids.includes(id));
    if (left !== true) store.change(one.session, (before) => withoutTaken(before, path));
  }
}

/** Reads a file of the user, also what isn't saved. */
async function bytesNow(path: string): Promise<Uint8Array | undefined> {
  const document = openDocument(vscode.Uri.file(path));
  if (document?.isDirty === true) return Buffer.from(document.getText());
  return readFile(path).catch(() => undefined);
}

/** Says what couldn't be taken, without the conflicts that the user decides about. */
function missedWords({ conflicts, skipped }: BroughtChanges): string {
  const lines = [
    ...conflicts.filter(({ conflict }) => conflict === 'place').map(conflictWords),
    ...skipped.map(({ path }) => l10n.t('{0} couldn’t be taken. The session’s notice says why.', path)),
  ];
  return lines.slice(0, 5).join(' ');
}
