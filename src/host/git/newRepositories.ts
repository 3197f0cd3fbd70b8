import { lstat, readFile, realpath } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { AgentPool } from '../../agent/pool/agentPool';
import type { ChangedProgram, KnownPrograms, ProgramState } from '../../git/knownPrograms';
import type { Session } from '../../session/session';
import { Disposable } from '../../shared/values/disposable';
import { isBelow } from '../../shared/limits/isBelow';
import type { SessionKey } from '../../shared/values/ids';
import { showHiddenOnOneLine } from '../../shared/text/visibleText';
import type { WorkPart } from '../base/agentWork';
import { asideName } from '../../baseline/baseline';
import { SerialQueue } from '../base/serialQueue';
import { showWarning } from '../ui/notifications';
import { putBack, setAside } from '../workspaceFiles/setAside';

/** How often an agent can bring one repository back before it is ended: the editor's own Git may look in between. */
const mostReturns = 3;
/** How many programs a sentence lists. */
const mostShown = 3;

export interface NewRepositoriesNeeds {
  readonly pool: Pick<AgentPool, 'sessions' | 'sandboxOf' | 'endProcess'>;
  readonly known: Pick<KnownPrograms, 'stateOf' | 'placesOf' | 'agree'>;
  readonly report: (error: unknown) => void;
}

/** A session whose sandboxed agent can write a folder, and whose sandbox doesn't hold the repository there. */
interface Writer {
  readonly session: Session;
  readonly folders: readonly string[];
}

/**
 * Takes repositories out of the way that have appeared in the folders of sandboxed sessions, if git would start a program there: a sandbox can't
 * hold what wasn't there at its start, and the editor's own Git opens each repository that appears in the workspace.
 */
export class NewRepositories extends Disposable implements WorkPart {
  private readonly needs: NewRepositoriesNeeds;
  private readonly watched = new Set<string>();
  private readonly queue = new SerialQueue();
  private readonly returns = new Map<string, number>();

  constructor(needs: NewRepositoriesNeeds) {
    super();
    this.needs = needs;
  }

  /** Watches the folders of a session whose agent works in its user's own folder. */
  beforeTurn(key: SessionKey): Promise<void> {
    const session = this.needs.pool.sessions.find((one) => one.key === key);
    for (const folder of (session && this.foldersOf(session)) ?? []) this.watch(folder);
    return Promise.resolve();
  }

  /** Looks at what has appeared or changed at a path. Resolves when it has been taken out of the way, if it must be. */
  async look(path: string): Promise<void> {
    const top = await workingTreeOf(path);
    if (top === undefined || this.isDisposed) return;
    await this.queue.run(top, () => this.check(top)).catch(this.needs.report);
  }

  private watch(folder: string): void {
    if (this.watched.has(folder) || this.isDisposed) return;
    this.watched.add(folder);
    const pattern = new vscode.RelativePattern(vscode.Uri.file(folder), '**');
    const watcher = this.register(vscode.workspace.createFileSystemWatcher(pattern, false, false, true));
    this.register(
      watcher.onDidCreate(({ fsPath }) => {
        if (!isOfPackages(fsPath)) void this.look(fsPath);
      }),
    );
    this.register(
      watcher.onDidChange(({ fsPath }) => {
        if (isOfGit(fsPath) && !isOfPackages(fsPath)) void this.look(fsPath);
      }),
    );
  }

  private foldersOf(session: Session): readonly string[] | undefined {
    const policy = this.needs.pool.sandboxOf(session)?.policy;
    return policy === undefined || policy.mode === 'ownCopy' ? undefined : policy.folders;
  }

  private writersOf(top: string): readonly Writer[] {
    return this.needs.pool.sessions.flatMap((session) => {
      const folders = this.foldersOf(session);
      if (!folders || !isBelow(top, folders)) return [];
      const held = this.needs.pool.sandboxOf(session)?.policy.readOnly ?? [];
      // It was there at the start: what git starts from it is held.
      return held.some((path) => isBelow(path, [join(top, '.git')])) ? [] : [{ session, folders }];
    });
  }

  private async check(top: string): Promise<void> {
    const writers = this.writersOf(top);
    if (writers.length === 0) return;
    const state = await this.needs.known.stateOf(top);
    if (state?.place.top !== top) return;
    const starts = await this.startsOf(
      state,
      writers.flatMap(({ folders }) => folders),
    );
    if (starts.length === 0) return;
    this.returns.set(top, (this.returns.get(top) ?? 0) + 1);
    let name: string | undefined;
    try {
      name = await setAside(top);
      if (name === undefined) return;
    } catch (error) {
      this.needs.report(error);
    }
    for (const { session } of writers) this.tell(session, top, starts, name);
    if (name !== undefined && this.returns.get(top) === 1)
      void this.offer(state, starts, name).catch(this.needs.report);
  }

  /** What git would start. A worktree or a submodule of a repository that is known leads to what is held. */
  private async startsOf(state: ProgramState, folders: readonly string[]): Promise<readonly ChangedProgram[]> {
    const { changed, place } = state;
    if (!changed.some(({ name }) => name === '.git')) return changed;
    const known = await this.needs.known.placesOf(folders);
    const isOfKnown = isBelow(
      place.common,
      known.map(({ common }) => common),
    );
    return isOfKnown ? changed.filter(({ name }) => name !== '.git') : changed;
  }

  private tell(session: Session, top: string, starts: readonly ChangedProgram[], name: string | undefined): void {
    const title =
      name === undefined
        ? l10n.t('Couldn’t set aside the Git repository in {0}', showHiddenOnOneLine(basename(top)))
        : l10n.t('Set aside the Git repository in {0}', showHiddenOnOneLine(basename(top)));
    const found = l10n.t('It appeared while a sandboxed agent worked here, and Git would start {0}.', words(starts));
    const now = l10n.t('Its folder .git is now {0}/{1}. Nothing in it has changed.', asideName, name ?? '');
    const count = this.returns.get(top) ?? 0;
    const why =
      name === undefined
        ? l10n.t('The agent was ended. See what it has left there before you go on.')
        : l10n.t('The agent was ended because it brought the repository back {0} times.', mostReturns);
    const isEnded = name === undefined || count >= mostReturns;
    const description = [found, ...(name === undefined ? [] : [now]), ...(isEnded ? [why] : [])].join(' ');
    if (!session.isClosed) {
      session.addNotice({ severity: 'warning', title, description });
      if (name !== undefined) session.tellAgent(agentWords(top, name, starts));
    }
    if (isEnded) this.needs.pool.endProcess(session);
  }

  /** Asks whether the user wants it nevertheless. */
  private async offer(state: ProgramState, starts: readonly ChangedProgram[], name: string): Promise<void> {
    const top = state.place.top ?? state.place.common;
    const back = l10n.t('Put Back');
    const message = l10n.t(
      'Set aside a Git repository that appeared in {0}: Git would start {1} outside of the sandbox.',
      showHiddenOnOneLine(top),
      words(starts),
    );
    if ((await showWarning(message, back)) !== back) return;
    await this.queue.run(top, async () => {
      await this.needs.known.agree(state);
      await putBack(top, name);
    });
  }
}

/** Returns the working tree whose repository a path is a part of, or may be: a folder that has just appeared can bring one. */
async function workingTreeOf(path: string): Promise<string | undefined> {
  const names = path.split(sep);
  const at = names.indexOf('.git');
  if (at < 0) {
    return (await exists(join(path, '.git'))) ? realpath(path).catch(() => undefined) : undefined;
  }
  const git = names.slice(0, at + 1).join(sep);
  // The settings of a worktree are beside those of its repository.
  const worktree = names[at + 1] === 'worktrees' ? names[at + 2] : undefined;
  const leads = worktree === undefined ? git : await gitFileOf(join(git, 'worktrees', worktree));
  return leads === undefined ? undefined : realpath(dirname(leads)).catch(() => undefined);
}

async function gitFileOf(folder: string): Promise<string | undefined> {
  const text = await readFile(join(folder, 'gitdir'), 'utf8').catch(() => undefined);
  return text?.replace(/[\r\n]+$/, '');
}

function isOfGit(path: string): boolean {
  return path.split(sep).includes('.git');
}

/** Packages have tens of thousands of files, and the editor's Git doesn't look there. */
function isOfPackages(path: string): boolean {
  const names = path.split(sep);
  return names.includes('node_modules') || (names.includes('.git') && names.includes('objects'));
}

function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

/** For the agent, so it isn't translated. */
function agentWords(top: string, name: string, starts: readonly ChangedProgram[]): string {
  const place = showHiddenOnOneLine(top).replaceAll('"', "'").slice(0, 300);
  return `The Git repository that appeared in "${place}" was set aside as ${asideName}/${name}, because Git would start ${words(starts)} outside of the sandbox. Don't bring it back; ask the user if it's needed.`;
}

function words(programs: readonly ChangedProgram[]): string {
  const shown = programs.slice(0, mostShown).map(({ name }) => showHiddenOnOneLine(name));
  const more = programs.length - shown.length;
  return more > 0 ? l10n.t('{0}, and {1} more', shown.join(', '), more) : shown.join(', ');
}
