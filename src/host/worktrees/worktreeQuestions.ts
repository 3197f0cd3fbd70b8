import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { isSecretFile } from '../../shared/limits/secretFile';
import { branchProblem, suggestBranch } from '../../worktree/repository/branchName';
import { suggestPlace } from '../../worktree/made/createWorktree';
import {
  baseBranches,
  branchNames,
  dirtyFiles,
  ignoredFiles,
  type DirtyFile,
  type Repository,
} from '../../worktree/repository/repository';
import { createPicker, createTextBox, pickMany } from '../ui/quickInput';
import type { Brought } from './lastBrought';

/** What the user wants of a new worktree. */
export interface WorktreeAnswers {
  /** Undefined for the current commit. */
  readonly base: string | undefined;
  readonly branch: string;
  readonly path: string;
  readonly changes: readonly DirtyFile[];
  readonly ignored: readonly string[];
}

/** What the questions start from. */
export interface QuestionNeeds {
  readonly repository: Repository;
  /** The message that the session begins with, if it is known. */
  readonly words: string;
  /** The value of `parley.worktrees.folder`. */
  readonly folder: string;
  /** The globs of ignored files that are offered. */
  readonly globs: readonly string[];
  /** Files whose changes move to the worktree, which then starts from the current commit. */
  readonly moved?: ReadonlySet<string>;
  /** Called with what the user wants to bring along, as far as they were asked. */
  readonly remember?: (asked: Partial<Brought>) => Promise<void>;
}

/** Maximum number of ignored files that are offered one by one. */
const mostIgnored = 50;

/** Thrown by a question when the user wants the one before. */
const back = Symbol('back');

type BaseItem = vscode.QuickPickItem & { readonly base?: string };
type BroughtItem = vscode.QuickPickItem & { readonly changes?: readonly DirtyFile[]; readonly ignored?: string };

/**
 * Asks where a new worktree starts, for its branch, and what to bring along. Enter takes the default each time. Resolves to undefined if
 * the user cancels. Rejects with a `WorktreeProblem`.
 */
export async function askForWorktree(needs: QuestionNeeds): Promise<WorktreeAnswers | undefined> {
  const { repository, words, folder, globs, moved } = needs;
  // How many questions follow depends on the answers, so they have no numbers.
  const title = moved ? l10n.t('Move to worktree') : l10n.t('New session in worktree');
  const [branches, taken, ignored] = await Promise.all([
    baseBranches(repository),
    branchNames(repository),
    ignoredFiles(repository, globs),
  ]);
  let base: string | undefined;
  let branch = suggestBranch(words, taken);
  let isBaseKnown = moved !== undefined;
  for (;;) {
    if (!isBaseKnown) {
      const item = await askBase(
        title,
        repository,
        branches.map(({ name }) => name),
      );
      if (!item) return undefined;
      base = item.base;
      isBaseKnown = true;
    }
    const answer = await askBranch({ title, canGoBack: !moved }, repository, branch, folder, taken);
    if (answer === undefined) return undefined;
    if (answer === back) {
      isBaseKnown = false;
      continue;
    }
    branch = answer;
    const dirty = base === undefined ? await dirtyFiles(repository) : [];
    const changes = dirty.filter(({ path }) => !moved?.has(path));
    const path = await suggestPlace(repository, folder, branch);
    if (changes.length + ignored.length === 0) return { base, branch, path, changes: [], ignored: [] };
    const items = await askBrought(title, changes, ignored.slice(0, mostIgnored));
    if (items === undefined) return undefined;
    if (items === back) continue;
    await needs.remember?.({
      ...(changes.length > 0 ? { changes: items.some((item) => item.changes) } : {}),
      ...(ignored.length > 0 ? { ignored: items.flatMap((item) => item.ignored ?? []) } : {}),
    });
    return {
      base,
      branch,
      path,
      changes: items.flatMap((item) => item.changes ?? []),
      ignored: items.flatMap((item) => item.ignored ?? []),
    };
  }
}

/** Asks which ignored files to copy, if some match the globs. None is selected at first. Resolves to undefined if the user cancels. */
export async function askForIgnored(
  repository: Pick<Repository, 'root' | 'isBare'>,
  globs: readonly string[],
  words: { readonly title: string; readonly placeHolder: string },
): Promise<readonly string[] | undefined> {
  const found = await ignoredFiles(repository, globs);
  if (found.length === 0) return [];
  const picked = await pickMany(found.slice(0, mostIgnored).map(ignoredItem), { ...words, ignoreFocusOut: true });
  return picked?.map(({ ignored }) => ignored);
}

async function askBase(
  title: string,
  repository: Repository,
  branches: readonly string[],
): Promise<BaseItem | undefined> {
  const { branch, head } = repository;
  const current: BaseItem = {
    label: l10n.t('Current commit'),
    description: [branch ?? l10n.t('no branch'), head.slice(0, 7)].join(' · '),
    detail: l10n.t('Uncommitted changes can be brought along.'),
  };
  const separator = { label: l10n.t('Branches'), kind: vscode.QuickPickItemKind.Separator };
  const others = branches.map((base) => ({ label: base, base }));
  const picker = createPicker<BaseItem>();
  picker.title = title;
  picker.placeholder = l10n.t('Select where the worktree starts');
  picker.items = [current, ...(others.length > 0 ? [separator, ...others] : [])];
  return picked(picker, () => picker.selectedItems[0]);
}

function askBranch(
  { title, canGoBack }: { readonly title: string; readonly canGoBack: boolean },
  repository: Repository,
  suggested: string,
  folder: string,
  taken: readonly string[],
): Promise<string | typeof back | undefined> {
  const box = createTextBox();
  box.title = title;
  box.value = suggested;
  box.placeholder = l10n.t('Type a name for the branch');
  if (canGoBack) box.buttons = [vscode.QuickInputButtons.Back];
  // What is typed may be checked later than what is typed after it.
  let checks = 0;
  const check = async (): Promise<boolean> => {
    const number = ++checks;
    const name = box.value;
    const problem = await branchProblem(repository.root, name, taken);
    if (number !== checks) return false;
    box.validationMessage = problem;
    if (problem === undefined) {
      const path = await suggestPlace(repository, folder, name);
      if (number === checks) box.prompt = l10n.t('The worktree is created in {0}', path);
    }
    return problem === undefined;
  };
  void check();
  box.onDidChangeValue(() => void check());
  return new Promise<string | typeof back | undefined>((resolve) => {
    box.onDidAccept(() => {
      const name = box.value;
      void check().then((isValid) => {
        if (isValid) resolve(name);
      });
    });
    box.onDidTriggerButton(() => resolve(back));
    box.onDidHide(() => resolve(undefined));
    box.show();
  }).finally(() => box.dispose());
}

function askBrought(
  title: string,
  changes: readonly DirtyFile[],
  ignored: readonly string[],
): Promise<readonly BroughtItem[] | typeof back | undefined> {
  const names = changes.slice(0, 5).map(({ path }) => path);
  const more = changes.length - names.length;
  const uncommitted: BroughtItem = {
    label: l10n.t('Uncommitted changes'),
    description: changes.length === 1 ? l10n.t('1 file') : l10n.t('{0} files', changes.length),
    detail: [...names, ...(more > 0 ? [l10n.t('{0} more', more)] : [])].join(', '),
    changes,
  };
  const files = ignored.map(ignoredItem);
  const separator = { label: l10n.t('Ignored files'), kind: vscode.QuickPickItemKind.Separator };
  const picker = createPicker<BroughtItem>();
  picker.title = title;
  picker.canSelectMany = true;
  picker.placeholder = l10n.t('Select what to bring along');
  picker.buttons = [vscode.QuickInputButtons.Back];
  picker.items = [...(changes.length > 0 ? [uncommitted] : []), ...(files.length > 0 ? [separator, ...files] : [])];
  return new Promise<readonly BroughtItem[] | typeof back | undefined>((resolve) => {
    picker.onDidTriggerButton(() => resolve(back));
    void picked(picker, () => picker.selectedItems).then(resolve);
  }).finally(() => picker.dispose());
}

function ignoredItem(path: string) {
  const description = isSecretFile(path, undefined) ? l10n.t('may have secrets') : l10n.t('ignored by Git');
  return { label: path, description, ignored: path };
}

/** Shows a list. Resolves to what `read` returns once the user accepts, or to undefined if the user cancels. */
function picked<T extends vscode.QuickPickItem, R>(picker: vscode.QuickPick<T>, read: () => R): Promise<R | undefined> {
  return new Promise<R | undefined>((resolve) => {
    picker.onDidAccept(() => resolve(read()));
    picker.onDidHide(() => resolve(undefined));
    picker.show();
  }).finally(() => picker.dispose());
}
