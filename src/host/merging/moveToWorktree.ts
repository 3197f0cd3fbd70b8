import { join } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { AgentPool } from '../../agent/pool/agentPool';
import { continuedConversation } from '../../session/document/continuedConversation';
import type { Session } from '../../session/session';
import { isAtWork } from '../../shared/transcript/lateWork';
import { createWorktree, type CreatedWorktree, type PlacedFile } from '../../worktree/made/createWorktree';
import { removeWorktree } from '../../worktree/end/endWorktree';
import type { FileVersion } from '../../worktree/repository/mergeFiles';
import { openRepository, type Repository } from '../../worktree/repository/repository';
import { ownWorktrees, worktreeName } from '../../worktree/made/worktreeList';
import { lossOf } from '../../worktree/end/worktreeLoss';
import { worktreeOf } from '../../worktree/made/worktreeOf';
import { warnUntrusted } from '../agents/trust';
import type { ChatPages } from '../pages/chatPages';
import { changeFile } from '../fileChanges/changeFiles';
import type { NextFile } from '../fileChanges/fileChange';
import type { Review } from '../review/review';
import { undoWithQuestion, type Ask } from '../review/deciding/undoWithQuestion';
import { askModal, showInformation, showWarning, withProgress } from '../ui/notifications';
import { guardedQuestion } from '../workspaceFiles/guardedQuestion';
import { askForWorktree, type QuestionNeeds, type WorktreeAnswers } from '../worktrees/worktreeQuestions';
import type { WorktreeSetup } from '../worktrees/worktreeSetup';
import { movableChanges, type MovableChanges, type MovedFile, type StayingFile } from './movedChanges';
import { movedNotice } from './movedWords';

/** What moving a session needs of the window. */
export interface MoveServices {
  readonly pool: Pick<AgentPool, 'move'>;
  readonly pages: Pick<ChatPages, 'withPage'>;
  readonly review: Pick<Review, 'applying' | 'disk' | 'log' | 'turns'>;
  readonly settings: {
    get(key: 'worktrees.folder' | 'worktrees.setup'): string;
    get(key: 'worktrees.copyIgnored'): readonly string[];
  };
  readonly setup: Pick<WorktreeSetup, 'run'>;
  /** Asks for the branch, and for what to bring along. */
  readonly ask?: (needs: QuestionNeeds) => Promise<WorktreeAnswers | undefined>;
}

/**
 * Moves a session to a new worktree, with its changes that wait for review. They are in the worktree before they are undone here, so
 * nothing is lost on the way. Throws a `WorktreeProblem` before anything is changed here.
 */
export async function moveToWorktree(services: MoveServices, session: Session | undefined): Promise<void> {
  if (!vscode.workspace.isTrusted) return warnUntrusted();
  if (!session || !mayMove(session)) return;
  const { review, settings, ask = askForWorktree } = services;
  const { title, cwd } = session.transcript.view;
  const repository = await openRepository(cwd);
  await review.turns.settled(session.key);
  const find = () => movableChanges(review, session.key, repository.root);
  const answers = await ask({
    repository,
    words: title,
    folder: settings.get('worktrees.folder'),
    globs: settings.get('worktrees.copyIgnored'),
    moved: pathsOf(await find()),
  });
  if (!answers) return;
  // The user may have changed files while the questions were open.
  const changes = await find();
  const guarded = await guardedQuestion(changes.moved.map(({ uri }) => uri));
  const move = l10n.t('Move Changes');
  if (guarded !== undefined && (await askModal(guarded, { items: [move] })) !== move) return;
  if (!mayMove(session)) return;
  const progress = { location: vscode.ProgressLocation.Notification, title: l10n.t('Moving to the worktree') };
  const made = await withProgress(progress, async () => {
    const created = await create(services, session, repository, answers, changes);
    await undoHere(review, changes.moved, guarded);
    return { created, remembers: await services.pool.move(session, created.cwd) };
  });
  await tell(services, session, { ...made, changes: withLeft(review, changes), cwd });
}

/** Returns whether a session can move now, and tells the user if it can't. */
function mayMove(session: Session): boolean {
  const { cwd, agentName, connection } = session.transcript.view;
  const worktree = worktreeOf(cwd);
  if (worktree) {
    void showInformation(l10n.t('This session already works in the worktree “{0}”.', worktreeName(worktree.record)));
  } else if (process.platform !== 'win32' && (session.transcript.view.sandbox ?? 'off') !== 'off') {
    void showInformation(
      l10n.t(
        '{0} is in a sandbox, and a worktree would share your repository with it. Select “Own copy” with “Parley: Change Sandbox…” instead.',
        agentName,
      ),
    );
  } else if (session.isElsewhere) {
    void showInformation(l10n.t('{0} works on another machine, where Parley can’t create a worktree.', agentName));
  } else if (isAtWork(session.transcript.view) || !['ready', 'closed'].includes(connection.state)) {
    void showWarning(l10n.t('{0} is still working. Wait until its turn ends, or stop it.', agentName));
  } else return !session.isClosed;
  return false;
}

function pathsOf({ moved }: MovableChanges): ReadonlySet<string> {
  return new Set(moved.flatMap(({ path, from }) => (from === undefined ? [path] : [path, from])));
}

/** Creates the worktree with the changes, which wait for review there. Leaves nothing behind if it fails. */
async function create(
  { review }: MoveServices,
  session: Session,
  repository: Repository,
  answers: WorktreeAnswers,
  changes: MovableChanges,
): Promise<CreatedWorktree> {
  const { moved } = changes;
  const paths = pathsOf(changes);
  const created = await createWorktree(
    repository,
    {
      ...answers,
      changes: answers.changes.filter(({ path }) => !paths.has(path)),
      contents: moved.flatMap(startOf),
    },
    Date.now(),
  );
  const { record } = created;
  const places = moved.flatMap(endOf).map(({ path, version }) => ({
    uri: vscode.Uri.file(join(record.path, path)),
    version,
  }));
  try {
    for (const { uri, version } of places) await put(review, session, uri, version);
    return created;
  } catch (error) {
    for (const { uri } of places) review.log.forget(uri.toString());
    const { common } = repository;
    const listed = (await ownWorktrees(common)).find((one) => one.record.id === record.id)?.listed;
    // Everything there is a copy of what is here.
    if (listed) await removeWorktree(common, record, await lossOf({ record, listed }), true);
    throw error;
  }
}

/** What the worktree starts from. */
function startOf({ path, from, before }: MovedFile): readonly PlacedFile[] {
  if (from === undefined) return [{ path, version: before }];
  return [
    { path, version: { kind: 'absent' } },
    { path: from, version: before },
  ];
}

/** What the agent made of it. */
function endOf({ path, from, after }: MovedFile): readonly PlacedFile[] {
  const there = { path, version: after };
  return from === undefined ? [there] : [{ path: from, version: { kind: 'absent' } }, there];
}

/** Writes a file of the new worktree. Nobody else has changed it yet. */
function put(review: MoveServices['review'], session: Session, uri: vscode.Uri, version: FileVersion): Promise<void> {
  const next: NextFile =
    version.kind === 'file'
      ? {
          kind: 'file',
          bytes: () => Promise.resolve(version.bytes),
          unsaved: 'kept',
          permissions: { isExecutable: version.isExecutable },
        }
      : version;
  return changeFile({
    uri: uri.toString(),
    expected: undefined,
    next,
    record: ({ apply }) => review.applying(session, uri, async () => void (await apply())),
  });
}

/** Undoes the changes in the user's files. The question about files that can run programs has been answered. */
async function undoHere(
  { log, disk }: MoveServices['review'],
  moved: readonly MovedFile[],
  guarded: string | undefined,
): Promise<void> {
  const ask: Ask = (question, ...items) =>
    question === guarded ? Promise.resolve(items[0]) : askModal(question, { items });
  const names = moved.flatMap(({ uri }) => {
    const status = log.file(uri)?.status;
    return status?.kind === 'renamed' ? [uri, status.from] : [uri];
  });
  await undoWithQuestion(log, disk, moved, ask, true);
  // Nothing was decided here, so the review doesn't count them as undone.
  for (const uri of names) {
    const { hunks, traitChanges, snapshot } = log.file(uri) ?? {};
    const rest = [hunks, traitChanges, snapshot?.kept, snapshot?.keptTraits];
    if (rest.every((changes) => changes === undefined || changes.length === 0)) log.forget(uri);
  }
}

/** Adds the changes that couldn't be undone here, or that the user didn't want to lose. */
function withLeft({ log }: MoveServices['review'], { moved, staying }: MovableChanges): MovableChanges {
  const isLeft = ({ uri, ids }: MovedFile) => {
    const file = log.file(uri);
    return file !== undefined && [...file.hunks, ...file.traitChanges].some(({ id }) => ids.includes(id));
  };
  const left = moved.filter(isLeft).map(({ path }): StayingFile => ({ path, reason: 'edited' }));
  return { moved, staying: [...staying, ...left] };
}

/** What a move has led to. */
interface Moved {
  readonly created: CreatedWorktree;
  readonly remembers: boolean | undefined;
  readonly changes: MovableChanges;
  /** The folder before. */
  readonly cwd: string;
}

async function tell(services: MoveServices, session: Session, moved: Moved): Promise<void> {
  const { created, remembers, cwd } = moved;
  const { pages, settings, setup } = services;
  const { agentName } = session.transcript.view;
  session.addNotice(movedNotice(agentName, moved));
  const command = settings.get('worktrees.setup').trim();
  if (command !== '' && !session.isClosed) setup.run(session, command, created.record.from);
  const conversation = remembers === false && continuedConversation(session.transcript, 'conversation');
  const hasMessages = [...session.transcript.entries.values()].some(({ kind }) => kind === 'user_message');
  if (remembers === undefined || !hasMessages) return;
  await pages.withPage((page) => {
    page.show(session.key);
    page.post({
      type: 'addDraft',
      text: l10n.t('You now work in {0}, which has your changes. Don’t change files in {1}.', created.cwd, cwd),
      attachments: conversation ? [conversation] : [],
    });
  });
}
