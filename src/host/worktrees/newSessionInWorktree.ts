import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { NoticeText, Session } from '../../session/session';
import { compact } from '../../shared/values/decodeValue';
import type { SessionKey } from '../../shared/values/ids';
import { suggestBranch } from '../../worktree/repository/branchName';
import { createWorktree, suggestPlace, type CreatedWorktree } from '../../worktree/made/createWorktree';
import { branchNames, openRepository, type Repository } from '../../worktree/repository/repository';
import { worktreeName } from '../../worktree/made/worktreeList';
import { warnUntrusted } from '../agents/trust';
import type { NewSessionArgument } from '../base/actions';
import type { Log } from '../log/log';
import {
  chooseStart,
  folderOf,
  openNewSession,
  type NewSessionServices,
  type OpenOptions,
  type Start,
} from '../newSession/openNewSession';
import { pickFolder } from '../newSession/pickFolder';
import type { ChatPage } from '../pages/chatPage';
import type { ReadSettings } from '../settings/settingTable';
import { askModal, withProgress } from '../ui/notifications';
import { changesAsBefore, ignoredAsBefore, rememberBrought } from './lastBrought';
import { tellProblem } from './tellProblem';
import { askForWorktree, type WorktreeAnswers } from './worktreeQuestions';
import type { WorktreeSetup } from './worktreeSetup';

export interface NewWorktreeServices extends NewSessionServices {
  readonly settings: ReadSettings<'worktrees.folder' | 'worktrees.copyIgnored' | 'worktrees.setup'>;
  readonly setup: WorktreeSetup;
  /** Remembers what was brought along last. */
  readonly memory: vscode.Memento;
  readonly log: Log;
}

/** Opens a session, and calls `begin` with it before anything is sent. */
export type OpenSession = (options: OpenOptions, begin: (session: Session) => void) => Promise<void> | void;

/** A message that is typed on the page where the user wants the session. */
interface TypedMessage {
  readonly words?: string | undefined;
  /** Called once the session is open. */
  opened(session: SessionKey): void;
}

/** Returns the message typed on a page without a session, which the page sends once it shows the session. */
export function typedOn(
  page: ChatPage,
  { words, sends }: { readonly words?: string; readonly sends?: true },
): TypedMessage {
  return {
    words,
    opened: (session) => {
      if (sends && page.session?.key === session) page.post({ type: 'sendTyped', session });
    },
  };
}

/** Creates a worktree as the user wants it, and opens a session in it. The argument is that of `parley.newSession`. */
export async function newSessionInWorktree(
  services: NewWorktreeServices,
  given: NewSessionArgument | undefined,
  typed?: TypedMessage,
): Promise<void> {
  if (!vscode.workspace.isTrusted) return warnUntrusted();
  const { settings, log } = services;
  const names = given?.agent !== undefined || given?.preset !== undefined ? given : undefined;
  const choice = await chooseStart(services, names);
  if (!choice) return;
  const folder = await (given?.cwd === undefined ? pickFolder(() => services.scratch.path) : folderOf(given.cwd));
  if (folder === undefined) return;
  let opened: SessionKey | undefined;
  const open: OpenSession = (options, begin) =>
    openNewSession(services, options, given?.prompt, (session) => {
      opened = session.key;
      begin(session);
    });
  try {
    if (isHeld(services, choice)) {
      await openInCopy(choice, folder, open);
    } else {
      const repository = await openRepository(folder);
      const answers = await askForWorktree({
        repository,
        words: given?.prompt ?? typed?.words ?? '',
        folder: settings.get('worktrees.folder'),
        globs: settings.get('worktrees.copyIgnored'),
        remember: (asked) => rememberBrought(services.memory, 'worktree', repository.root, asked),
      });
      if (!answers) return;
      await openIn(services, choice, repository, answers, open);
    }
    if (opened !== undefined) typed?.opened(opened);
  } catch (error) {
    tellProblem(log, error);
  }
}

/**
 * The same without the questions about the worktree: it starts at the current commit, its branch is named after the message's words, and
 * what was brought along last is brought along. Rejects with the reason if it can't.
 */
export async function startInWorktree(
  services: NewWorktreeServices,
  choice: Start,
  { folder, words }: { readonly folder: string; readonly words: string },
  open: OpenSession,
): Promise<void> {
  if (isHeld(services, choice)) return openInCopy(choice, folder, open);
  const { settings, memory } = services;
  const repository = await openRepository(folder);
  const branch = suggestBranch(words, await branchNames(repository));
  const path = await suggestPlace(repository, settings.get('worktrees.folder'), branch);
  const ignored = await ignoredAsBefore(memory, 'worktree', repository, settings.get('worktrees.copyIgnored'));
  const { changes, left } = await changesAsBefore(memory, repository);
  await openIn(services, choice, repository, { base: undefined, branch, path, changes, ignored }, open, left);
}

/** Creates a worktree, and opens the session in it. `left` is the number of files with changes that stay behind unasked. */
async function openIn(
  services: NewWorktreeServices,
  choice: Start,
  repository: Repository,
  answers: WorktreeAnswers,
  open: OpenSession,
  left = 0,
): Promise<void> {
  const created = await withProgress(
    { location: vscode.ProgressLocation.Notification, title: l10n.t('Creating the worktree') },
    () => createWorktree(repository, answers, Date.now()),
  );
  const start = choice.kind === 'preset' ? { preset: choice.preset } : { agent: choice.agent.id };
  await open({ ...start, cwd: created.cwd, ...compact({ sandbox: choice.sandbox }) }, (session) => {
    session.addNotice(worktreeNotice(created, left));
    const command = services.settings.get('worktrees.setup').trim();
    if (command !== '') services.setup.run(session, command, created.record.from);
  });
}

/** Returns whether the session's agent would be in a sandbox, to which a worktree shows the repository. */
function isHeld({ catalog, pool }: NewWorktreeServices, choice: Start): boolean {
  if (process.platform === 'win32') return false;
  const spec = choice.kind === 'agent' ? choice.agent : catalog.findByName(choice.preset.agent);
  const ofPreset = choice.kind === 'preset' ? choice.preset.sandbox : undefined;
  const mode = choice.sandbox ?? ofPreset ?? (spec && pool.sandboxFor(spec));
  return mode !== undefined && mode !== 'off';
}

/** Opens the session in a copy of its own instead, if the user agrees. */
async function openInCopy(choice: Start, cwd: string, open: OpenSession): Promise<void> {
  const own = l10n.t('Use Own Copy');
  const question = l10n.t('Start the session in its own copy of your files?');
  const detail = l10n.t('The agent is in a sandbox, and a worktree would share your repository with it.');
  if ((await askModal(question, { detail, items: [own] })) !== own) return;
  const start = choice.kind === 'preset' ? { preset: choice.preset } : { agent: choice.agent.id };
  await open({ ...start, cwd, sandbox: 'ownCopy' }, () => undefined);
}

/** Says where the session works, and what isn't complete there. */
function worktreeNotice({ record, notes }: CreatedWorktree, left: number): NoticeText {
  const { path, branch, baseBranch } = record;
  const where =
    baseBranch === undefined
      ? l10n.t('Branch {0}, in {1}. Your own files stay as they are.', branch, path)
      : l10n.t('Branch {0} from {1}, in {2}. Your own files stay as they are.', branch, baseBranch, path);
  return {
    severity: notes.length > 0 ? 'warning' : 'info',
    title: l10n.t('This session works in the worktree “{0}”', worktreeName(record)),
    description: [where, ...(left > 0 ? [leftWords(left)] : []), ...notes].join('\n'),
  };
}

function leftWords(count: number): string {
  const files = count === 1 ? l10n.t('1 file') : l10n.t('{0} files', count);
  return l10n.t('Your uncommitted changes ({0}) aren’t in it. “Worktree options…” brings them along.', files);
}
