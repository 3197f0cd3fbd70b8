import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { AgentPool } from '../../agent/pool/agentPool';
import { worktreeOf } from '../../worktree/made/worktreeOf';
import type { ReviewLog } from '../../review/log/reviewLog';
import type { Session } from '../../session/session';
import type { SessionKey } from '../../shared/values/ids';
import { fileKey } from '../base/filePaths';
import type { Log } from '../log/log';
import type { ChatPages } from '../pages/chatPages';
import { writtenPaths } from '../review/recording/toolCallFiles';
import type { ProgramQuestions } from '../git/programQuestions';
import { showError, showInformation, showWarning, withProgress } from '../ui/notifications';
import { createBox, createPicker } from '../ui/quickInput';
import { commitChoices, type CommitChoices, messagePrompt, subjectOf } from './commitChoices';
import { commitFiles, readUncommitted, type Uncommitted, type UncommittedFile } from './gitCommit';
import { askAgent, type AskedSession } from '../base/askAgent';

/** What the command needs. */
export interface CommitServices {
  readonly pool: Pick<AgentPool, 'sessions'>;
  readonly pages: Pick<ChatPages, 'activeSession'>;
  readonly review: ReviewLog;
  readonly log: Log;
  readonly programs: Pick<ProgramQuestions, 'ask' | 'hooksOf'>;
  /** Returns the absolute paths of the files that a session changed, or one of its turns. */
  readonly changedFiles: (session: Session, turn?: number) => readonly string[];
}

const commitHooks = ['pre-commit', 'prepare-commit-msg', 'commit-msg', 'post-commit'];

interface FileItem extends vscode.QuickPickItem {
  readonly file?: UncommittedFile;
}

/** Commits what an agent changed and the user kept, by the user's Git. */
export class CommitDialog {
  private readonly services: CommitServices;
  /** The message that wasn't committed yet. */
  private draft = '';

  constructor(services: CommitServices) {
    this.services = services;
  }

  /** Lets the user commit the kept changes of a session, or of one of its turns. Without a session, of the one in sight. */
  async run(key: SessionKey | undefined, turn: number | undefined): Promise<void> {
    const { pool, pages, review, changedFiles } = this.services;
    // Git runs programs that a repository names.
    if (!vscode.workspace.isTrusted) {
      await showError(l10n.t('You can commit here once you trust this folder.'));
      return;
    }
    const session = pool.sessions.find((one) => one.key === key) ?? pages.activeSession;
    const copy = session && worktreeOf(session.transcript.view.cwd);
    // What was brought from an agent's own copy is committed in the user's folder. The copy's commits are the agent's.
    const own = copy?.isCopy ? copy.record.from : session?.transcript.view.cwd;
    const folder = own ?? vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
    const found = folder === undefined ? undefined : await readUncommitted(folder);
    if (!found) {
      await showError(l10n.t('This folder isn’t in a Git repository, or Git wasn’t found.'));
      return;
    }
    const ofAgent = await keysOf(session ? [...writtenPaths(session, turn), ...changedFiles(session, turn)] : []);
    const pending = await keysOf(review.pending.map((uri) => vscode.Uri.parse(uri).fsPath));
    const keyOf = (path: string) => fileKey(join(found.root, path));
    const choices = commitChoices(
      found.files,
      (path) => ofAgent.has(keyOf(path)),
      (path) => pending.has(keyOf(path)),
    );
    if (choices.kept.length + choices.others.length === 0) {
      const none = choices.pending.length > 0;
      await showInformation(
        none
          ? l10n.t('All changed files wait for review. Keep or undo their changes first.')
          : l10n.t('There’s nothing to commit.'),
      );
      return;
    }
    const files = await this.chooseFiles(found, choices, session?.transcript.view.agentName);
    const message = files && (await this.askMessage(found, files, session));
    if (files && message !== undefined) await this.commit(found, files, message);
  }

  private async commit(found: Uncommitted, files: readonly UncommittedFile[], message: string): Promise<void> {
    const programs = await this.services.programs.ask(found.root, { without: l10n.t('Commit Without Them') });
    if (programs === undefined) return;
    const result = await withProgress(
      { location: vscode.ProgressLocation.Notification, title: l10n.t('Committing') },
      () => commitFiles(found.root, files, message, programs === 'own' ? programs : undefined),
    );
    switch (result.kind) {
      case 'committed':
        this.draft = '';
        await showInformation(
          files.length === 1
            ? l10n.t('Committed 1 file ({0})', result.id)
            : l10n.t('Committed {0} files ({1})', files.length, result.id),
        );
        return;
      case 'changed':
        await showWarning(
          l10n.t(
            'Nothing was committed, because files have changed since you chose them: {0}. Run Commit again.',
            result.paths.join(', '),
          ),
        );
        return;
      case 'failed':
        this.services.log.error(`Commit: ${result.output}`);
        await showError(l10n.t('Git couldn’t commit: {0}', shortOutput(result.output)));
    }
  }

  /** Lets the user choose the files, each with its difference a click away. */
  private chooseFiles(
    { root, branch, conflicts }: Uncommitted,
    { kept, others, pending }: CommitChoices,
    agentName: string | undefined,
  ): Promise<readonly UncommittedFile[] | undefined> {
    const picker = createPicker<FileItem>();
    const compare = { iconPath: new vscode.ThemeIcon('diff'), tooltip: l10n.t('Open changes') };
    const item = (file: UncommittedFile): FileItem => ({
      label: file.path,
      description: [statusWord(file), countsOf(file), dirtyWord(join(root, file.path))].filter(Boolean).join(' · '),
      picked: kept.includes(file),
      buttons: [compare],
      file,
    });
    const separator = (label: string): FileItem => ({ label, kind: vscode.QuickPickItemKind.Separator });
    picker.title = branch === '' ? l10n.t('Commit without a branch') : l10n.t('Commit to {0}', branch);
    picker.placeholder = placeholderOf(pending.length, conflicts.length);
    picker.canSelectMany = true;
    picker.ignoreFocusOut = true;
    picker.matchOnDescription = true;
    picker.items = [
      ...(kept.length > 0 ? [separator(l10n.t('Kept changes by {0}', agentName ?? ''))] : []),
      ...kept.map(item),
      ...(others.length > 0 ? [separator(l10n.t('Other changes'))] : []),
      ...others.map(item),
    ];
    picker.selectedItems = picker.items.filter((one) => one.picked === true);
    return new Promise((resolve) => {
      picker.onDidTriggerItemButton(({ item: { file } }) => {
        if (!file) return;
        const uri = vscode.Uri.file(join(root, file.path));
        void vscode.commands.executeCommand(file.isUntracked ? 'vscode.open' : 'git.openChange', uri);
      });
      picker.onDidAccept(() => {
        const files = picker.selectedItems.flatMap(({ file }) => file ?? []);
        if (files.length === 0) {
          picker.placeholder = l10n.t('Select at least one file');
          return;
        }
        resolve(files);
        picker.hide();
      });
      picker.onDidHide(() => {
        picker.dispose();
        resolve(undefined);
      });
      picker.show();
    });
  }

  /** Asks for the message. With a session, its agent can suggest one. */
  private async askMessage(
    { root, branch }: Uncommitted,
    files: readonly UncommittedFile[],
    session: Session | undefined,
  ): Promise<string | undefined> {
    const hooks = await this.services.programs.hooksOf(root, commitHooks);
    const rest = l10n.t('Only the selected files are committed. What else is staged stays staged.');
    const count = files.length === 1 ? l10n.t('1 file') : l10n.t('{0} files', files.length);
    const box = createBox({
      title: branch === '' ? l10n.t('Commit {0}', count) : l10n.t('Commit {0} to {1}', count, branch),
      prompt: [rest, hooks].filter((one) => one !== undefined).join(' '),
    });
    box.placeholder = l10n.t('Type a message');
    box.value = this.draft;
    box.ignoreFocusOut = true;
    const { agentName } = session?.transcript.view ?? {};
    if (agentName !== undefined) {
      const tooltip = l10n.t('Ask {0} for a message', agentName);
      box.buttons = [{ iconPath: new vscode.ThemeIcon('sparkle'), tooltip }];
    }
    const closed = new AbortController();
    return new Promise((resolve) => {
      box.onDidChangeValue((text) => {
        this.draft = text;
        box.validationMessage = undefined;
      });
      box.onDidTriggerButton(() => {
        if (!session || box.busy) return;
        const typed = box.value;
        box.busy = true;
        suggestMessage(session, files, closed.signal)
          .then(
            (message) => {
              // What was typed in the meantime stays.
              if (message === undefined || box.value !== typed) return;
              box.value = message;
              this.draft = message;
            },
            (error: unknown) => (box.validationMessage = error instanceof Error ? error.message : String(error)),
          )
          .finally(() => (box.busy = false));
      });
      box.onDidAccept(() => {
        const message = box.value.trim();
        if (message === '') {
          box.validationMessage = l10n.t('Type a message.');
          return;
        }
        resolve(message);
        box.hide();
      });
      box.onDidHide(() => {
        closed.abort();
        box.dispose();
        resolve(undefined);
      });
      box.show();
    });
  }
}

/** Resolves to the keys of files, whose paths may lead through links. */
async function keysOf(paths: readonly string[]): Promise<ReadonlySet<string>> {
  // A deleted file has no real path.
  return new Set(
    (await Promise.all(paths.map((path) => realpath(path).catch(() => path)))).map((path) => fileKey(path)),
  );
}

function placeholderOf(pending: number, conflicts: number): string {
  if (conflicts > 0) return l10n.t('Files have conflicts, so Git may refuse to commit');
  if (pending === 1) return l10n.t('Select files. 1 file waits for review and isn’t in the commit');
  if (pending > 1) return l10n.t('Select files. {0} files wait for review and aren’t in the commit', pending);
  return l10n.t('Select the files to commit');
}

function statusWord({ status }: UncommittedFile): string {
  if (status === 'created') return l10n.t('created');
  return status === 'deleted' ? l10n.t('deleted') : '';
}

function countsOf({ counts }: UncommittedFile): string {
  return counts ? `+${counts.added} −${counts.removed}` : '';
}

/** Says that a file's unsaved text isn't committed. */
function dirtyWord(path: string): string {
  const isDirty = vscode.workspace.textDocuments.some(
    (one) => one.isDirty && fileKey(one.uri.fsPath) === fileKey(path),
  );
  return isDirty ? l10n.t('unsaved text isn’t included') : '';
}

/** Returns the end of what git or a hook printed, where the reason usually is. */
function shortOutput(output: string): string {
  const text = output.split('\n').slice(-6).join('\n').trim();
  return text.length > 400 ? `…${text.slice(-400)}` : text;
}

/**
 * Asks the session's agent for a message. Resolves to undefined if `signal` aborts first. Rejects with a sentence if the agent can't be asked
 * now or gives no message.
 */
async function suggestMessage(
  session: AskedSession,
  files: readonly UncommittedFile[],
  signal: AbortSignal,
): Promise<string | undefined> {
  const text = await askAgent(session, messagePrompt(files), signal);
  if (text === undefined) return undefined;
  const subject = subjectOf(text);
  if (subject === '') throw new Error(l10n.t('{0} suggested no message.', session.transcript.view.agentName));
  return subject;
}
