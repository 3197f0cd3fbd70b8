import { basename } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { NoticeText, Session } from '../../session/session';
import { Disposable, DisposableStore } from '../../shared/values/disposable';
import { worktreeName } from '../../worktree/made/worktreeList';
import type { Checkpoints } from '../checkpoints/checkpoints';
import type { BackedUp, OpenMerge } from '../checkpoints/restorer';
import type { Review } from '../review/review';
import { plainTitle } from '../ui/labels';
import { openDocument } from '../workspaceFiles/openDocument';
import { presentFile, refOf } from '../workspaceFiles/presentFile';
import type { BringConflict, BringRequest } from './broughtChanges';

/** How long the tab of the merge editor may take to appear, in milliseconds. Then the conflict is shown with markers. */
const patienceMs = 10_000;

/** Commands that put the focus into the first, second, … group of editors. */
const focusCommands = ['First', 'Second', 'Third', 'Fourth', 'Fifth', 'Sixth', 'Seventh', 'Eighth'].map(
  (position) => `workbench.action.focus${position}EditorGroup`,
);

export interface MergeEditorServices {
  /** Stores a version of a file, and resolves to its read-only document. */
  readonly storeText: (uri: vscode.Uri, bytes: Uint8Array) => Promise<vscode.Uri>;
  readonly review: Pick<Review, 'merging'>;
  readonly report: (error: unknown) => void;
}

/** What VS Code's command for its merge editor gets. `input1` and `input2` are the sides, `output` is the file. */
interface MergeSides {
  readonly base: vscode.Uri;
  readonly input1: object;
  readonly input2: object;
  readonly output: vscode.Uri;
}

/** A merge in the editor. `before` and `review` are what the file had before the merge, if that was before this window. */
type FollowedMerge = Pick<OpenMerge, 'theirs' | 'backup' | 'name'> & Partial<Pick<OpenMerge, 'before' | 'review'>>;

/**
 * Opens conflicts in VS Code's merge editor. The file stays as it is until the user saves the result, which then waits for review like
 * what was merged without a conflict.
 */
export class MergeEditors extends Disposable {
  private readonly services: MergeEditorServices;
  /** What waits for the end of a merge, by the file's URI. */
  private readonly open = new Map<string, DisposableStore>();
  /** Editors whose tab hasn't appeared in time, by the file's URI. The file has markers instead. */
  private readonly late = new Map<string, vscode.Disposable>();

  constructor(services: MergeEditorServices) {
    super();
    this.services = services;
    this.register({
      dispose: () => [...this.open.values(), ...this.late.values()].forEach((one) => void one.dispose()),
    });
  }

  /** `checkpoints` store the file first. Resolves to false if there is no merge editor for it here. The file has the bytes in `conflict.present`, and no unsaved text. */
  async show(
    { session, worktree }: BringRequest,
    conflict: BringConflict,
    checkpoints: Pick<Checkpoints, 'backUp'>,
  ): Promise<boolean> {
    const { base, theirs, present, marked } = conflict;
    if (!present || !marked || theirs.kind !== 'file') return false;
    // If both added the file, the editor would begin with an empty result and say that no conflict is left.
    if (base.kind !== 'file' || base.bytes.length === 0) return false;
    const { storeText, report } = this.services;
    const uri = vscode.Uri.parse(conflict.uri);
    this.late.get(conflict.uri)?.dispose();
    const name = worktreeName(worktree.record);
    const { agentName } = session.transcript.view;
    const [before, ours, agents] = await Promise.all([
      storeText(uri, base.bytes),
      storeText(uri, present),
      storeText(uri, theirs.bytes),
    ]);
    // As the Git extension does: what comes in is on the left.
    const isShown = await this.opened(agents, {
      base: before,
      input1: {
        uri: agents,
        title: plainTitle(agentName),
        description: plainTitle(worktree.record.branch),
        detail: '',
      },
      input2: { uri: ours, title: l10n.t('Yours'), description: '', detail: '' },
      output: uri,
    });
    const tab = isShown ? tabOf(uri) : undefined;
    if (!tab) return false;
    this.open.get(conflict.uri)?.dispose();
    let backup: BackedUp;
    try {
      backup = await checkpoints.backUp(
        session,
        name,
        new Map([[conflict.uri, refOf(marked, undefined)]]),
        theirs.bytes,
      );
    } catch (error) {
      await vscode.window.tabGroups.close(tab);
      throw error;
    }
    const followed = this.follow(session, uri, { theirs: theirs.bytes, backup, name });
    const focus = focusCommands[tab.group.viewColumn - 1];
    if (focus !== undefined) await vscode.commands.executeCommand(focus);
    await this.resetInFront(uri, followed).catch(report);
    return true;
  }

  /**
   * Lets the editor begin without a decision, as soon as it's in front: the command resets whichever merge editor is there, and the user may
   * be at work in another one. Otherwise, the editor takes the user's version for the result, and says that no conflict is left.
   */
  private async resetInFront(uri: vscode.Uri, followed: DisposableStore): Promise<void> {
    const waiting = followed.add(new DisposableStore());
    const look = async () => {
      const { activeTab } = vscode.window.tabGroups.activeTabGroup;
      if (waiting.isDisposed || !activeTab || !isMergeOf(uri, activeTab)) return;
      waiting.dispose();
      // What the user has begun elsewhere stays.
      if (openDocument(uri)?.isDirty === true) return;
      await vscode.commands.executeCommand('mergeEditor.resetResultToBaseAndAutoMerge');
    };
    const lookLater = () => void look().catch(this.services.report);
    waiting.add(vscode.window.tabGroups.onDidChangeTabs(lookLater));
    waiting.add(vscode.window.tabGroups.onDidChangeTabGroups(lookLater));
    await look();
  }

  /**
   * Opens the merge editor, and resolves to whether it shows this side. The editor's own Git extension uses the same command, which isn't
   * in the API. An editor that is there may take its time, until the user closes it: a conflict is never shown in two ways.
   */
  private async opened(side: vscode.Uri, args: MergeSides): Promise<boolean> {
    const { output } = args;
    const isIn = (editors: readonly vscode.TextEditor[]) =>
      editors.some(({ document }) => document.uri.toString() === side.toString());
    try {
      await vscode.commands.executeCommand('_open.mergeEditor', args);
    } catch {
      // Another editor that is built on VS Code may have no such command.
      return false;
    }
    if (isIn(vscode.window.visibleTextEditors)) return true;
    const store = new DisposableStore();
    return new Promise<boolean>((resolve) => {
      const end = (isShown: boolean) => {
        store.dispose();
        resolve(isShown);
      };
      let hadTab = tabOf(output) !== undefined;
      const timer = setTimeout(() => {
        if (hadTab) return;
        this.closeLate(output);
        end(false);
      }, patienceMs);
      store.add({ dispose: () => clearTimeout(timer) });
      store.add(
        vscode.window.onDidChangeVisibleTextEditors((editors) => {
          if (isIn(editors)) end(true);
        }),
      );
      store.add(
        vscode.window.tabGroups.onDidChangeTabs(() => {
          const hasTab = tabOf(output) !== undefined;
          if (hadTab && !hasTab) end(false);
          hadTab ||= hasTab;
        }),
      );
    });
  }

  /** Closes the merge editor of a file once it appears. */
  private closeLate(uri: vscode.Uri): void {
    const key = uri.toString();
    const listener = vscode.window.tabGroups.onDidChangeTabs(() => {
      const tab = tabOf(uri);
      if (!tab) return;
      this.late.get(key)?.dispose();
      vscode.window.tabGroups.close(tab).then(undefined, this.services.report);
    });
    const stop = () => {
      listener.dispose();
      this.late.delete(key);
    };
    this.late.set(key, { dispose: stop });
  }

  /** Goes on with a merge that began before this window, and returns whether its editor is still open. */
  resume(session: Session, merge: OpenMerge): boolean {
    const uri = vscode.Uri.parse(merge.uri);
    if (!tabOf(uri)) return false;
    this.open.get(merge.uri)?.dispose();
    this.follow(session, uri, merge);
    return true;
  }

  /** Records the result whenever it is saved, and says what became of it when the merge editor is closed. */
  private follow(
    session: Session,
    uri: vscode.Uri,
    { theirs, backup, name, ...start }: FollowedMerge,
  ): DisposableStore {
    const { review, report } = this.services;
    const key = uri.toString();
    const store = new DisposableStore();
    const record = review.merging(session, uri, theirs, start.before && { bytes: start.before, review: start.review });
    let saved = Promise.resolve();
    let isSaved = false;
    store.add(
      vscode.workspace.onDidSaveTextDocument((document) => {
        if (document.uri.toString() !== key) return;
        isSaved = true;
        saved = saved.then(record).catch(report);
      }),
    );
    store.add(
      vscode.window.tabGroups.onDidChangeTabs(() => {
        if (tabOf(uri)) return;
        store.dispose();
        if (this.open.get(key) === store) this.open.delete(key);
        void saved.then(async () => backup.finish(await closedNotice(uri, name, isSaved, start.before))).catch(report);
      }),
    );
    this.open.set(key, store);
    return store;
  }
}

/** Resolves to what to say once the merge editor is closed. `before` is the file from before the merge, if that was before this window. */
async function closedNotice(
  uri: vscode.Uri,
  name: string,
  isSaved: boolean,
  before: Uint8Array | undefined,
): Promise<NoticeText> {
  const file = basename(uri.fsPath);
  if (isSaved) return { severity: 'info', title: l10n.t('Merged {0} with “{1}”', file, name) };
  const { bytes } = before ? await presentFile(uri) : {};
  if (before && bytes && !Buffer.from(bytes).equals(before)) {
    const title = l10n.t('The conflict in {0} isn’t resolved', file);
    // It does so before Parley has started.
    const description = l10n.t(
      'VS Code saved an unfinished result when the window opened again. Undo it to get your version back.',
    );
    return { severity: 'warning', title, description };
  }
  const title = l10n.t('The conflict in {0} isn’t resolved. Your version is unchanged.', file);
  return { severity: 'warning', title };
}

/** Returns the tab in which a file is merged. The API has no type for its input. */
function tabOf(uri: vscode.Uri): vscode.Tab | undefined {
  return vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).find((tab) => isMergeOf(uri, tab));
}

function isMergeOf(uri: vscode.Uri, { input }: vscode.Tab): boolean {
  return (input as { readonly result?: vscode.Uri } | undefined)?.result?.toString() === uri.toString();
}
