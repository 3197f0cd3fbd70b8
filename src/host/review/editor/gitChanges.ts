import * as vscode from 'vscode';
import { Disposable, type IDisposable } from '../../../shared/values/disposable';
import { Emitter } from '../../../shared/values/event';

/** The parts of the API of VS Code's Git extension that are used here. */
interface GitApi {
  readonly repositories: readonly Repository[];
  readonly onDidOpenRepository: vscode.Event<Repository>;
  readonly onDidCloseRepository: vscode.Event<Repository>;
}

interface Repository {
  readonly state: RepositoryState;
}

interface RepositoryState {
  readonly mergeChanges: readonly GitChange[];
  readonly indexChanges: readonly GitChange[];
  readonly workingTreeChanges: readonly GitChange[];
  readonly untrackedChanges?: readonly GitChange[];
  readonly onDidChange: vscode.Event<void>;
}

interface GitChange {
  readonly uri: vscode.Uri;
  readonly status: number;
}

interface GitExtension {
  readonly enabled: boolean;
  readonly onDidChangeEnablement: vscode.Event<boolean>;
  getAPI(version: 1): GitApi;
}

/** The status of untracked files in Git's API. */
const untracked = 7;

/**
 * The files that Git counts in the badge of Source Control. VS Code adds up the counts of all providers, so a file that
 * an agent changed in a repository would count twice.
 */
export class GitChanges extends Disposable {
  private readonly changed = this.register(new Emitter<void>());
  private readonly states = new Map<Repository, IDisposable>();
  private api: GitApi | undefined;
  private isListening = false;

  readonly onDidChange = this.changed.event;

  constructor() {
    super();
    this.register({ dispose: () => this.states.forEach((state) => state.dispose()) });
    this.register(
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('git') || event.affectsConfiguration('scm')) this.changed.fire();
      }),
    );
  }

  /** Starts listening to Git. Called with the first change, because there is nothing to count before. */
  listen(): void {
    if (this.isListening) return;
    this.isListening = true;
    void this.connect();
  }

  /** Returns the URIs of all files that Git counts in the badge. */
  counted(): ReadonlySet<string> {
    const kind = vscode.workspace.getConfiguration('git').get<string>('countBadge', 'all');
    // With “focused”, only one provider is counted, so nothing counts twice.
    const isSum = vscode.workspace.getConfiguration('scm').get<string>('countBadge', 'all') !== 'focused';
    if (kind === 'off' || !isSum) return new Set();
    const changes = (this.api?.repositories ?? []).flatMap(({ state }) => [
      ...state.mergeChanges,
      ...state.indexChanges,
      ...state.workingTreeChanges,
      ...(state.untrackedChanges ?? []),
    ]);
    const counted = changes.filter(({ status }) => kind !== 'tracked' || status !== untracked);
    return new Set(counted.map(({ uri }) => uri.toString()));
  }

  /** Git may be missing or disabled, and its extension may fail to start. Then it counts nothing. */
  private async connect(): Promise<void> {
    const extension = vscode.extensions.getExtension<GitExtension>('vscode.git');
    const git = extension && (await extension.activate().then(undefined, () => undefined));
    if (!git || this.isDisposed) return;
    const update = (isEnabled: boolean) => {
      if (isEnabled && !this.api) this.follow(git.getAPI(1));
      else this.changed.fire();
    };
    this.register(git.onDidChangeEnablement(update));
    update(git.enabled);
  }

  private follow(api: GitApi): void {
    this.api = api;
    const open = (repository: Repository) => {
      this.states.get(repository)?.dispose();
      this.states.set(
        repository,
        repository.state.onDidChange(() => this.changed.fire()),
      );
      this.changed.fire();
    };
    this.register(api.onDidOpenRepository(open));
    this.register(
      api.onDidCloseRepository((repository) => {
        this.states.get(repository)?.dispose();
        this.states.delete(repository);
        this.changed.fire();
      }),
    );
    api.repositories.forEach(open);
    this.changed.fire();
  }
}
