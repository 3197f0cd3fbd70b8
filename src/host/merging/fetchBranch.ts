import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Session } from '../../session/session';
import { isAtWork } from '../../shared/transcript/lateWork';
import { branchProblem } from '../../worktree/repository/branchName';
import { copyBranches, fetchBranch, type CopyBranch } from '../../worktree/copy/fetchCopy';
import { branchNames } from '../../worktree/repository/repository';
import { worktreeOf } from '../../worktree/made/worktreeOf';
import { warnUntrusted } from '../agents/trust';
import { showInformation, showWarning, withProgress } from '../ui/notifications';
import { askText, pickOne } from '../ui/quickInput';

/** Fetches commits of an agent's own copy into the user's repository, as a branch that the user names. */
export async function fetchBranchHere(session: Session | undefined): Promise<void> {
  if (!vscode.workspace.isTrusted) return warnUntrusted();
  const copy = session && worktreeOf(session.transcript.view.cwd);
  if (!session || !copy?.isCopy) {
    void showInformation(l10n.t('This session doesn’t work in its own copy.'));
    return;
  }
  if (isAtWork(session.transcript.view)) {
    const { agentName } = session.transcript.view;
    return void showWarning(l10n.t('{0} is still working. Wait until its turn ends, or stop it.', agentName));
  }
  const { record } = copy;
  const found = await copyBranches(record);
  if (found.length === 0) {
    void showInformation(l10n.t('The copy has no commits that your repository doesn’t have.'));
    return;
  }
  const one = found.length === 1 ? found[0] : await chooseBranch(found);
  if (!one) return;
  const taken = await branchNames({ root: record.from });
  const problemOf = (name: string) => branchProblem(record.from, name.trim(), taken);
  const name = await askText({
    title: l10n.t('Fetch branch of own copy'),
    prompt: l10n.t('Type a name for the new branch in your repository'),
    value: await freeName(one.name ?? 'copy', problemOf),
  });
  if (name === undefined) return;
  const branch = name.trim();
  await withProgress({ location: vscode.ProgressLocation.Notification, title: l10n.t('Fetching “{0}”', branch) }, () =>
    fetchBranch(record, one, branch),
  );
  const words = l10n.t('Fetched the branch “{0}”. Look at its commits before you switch to it or merge it.', branch);
  void showInformation(words);
}

async function chooseBranch(found: readonly CopyBranch[]): Promise<CopyBranch | undefined> {
  const items = found.map((one) => ({
    label: one.name ?? l10n.t('Current commit'),
    description: one.commit.slice(0, 7),
    one,
  }));
  return (await pickOne(items, { placeHolder: l10n.t('Select the branch to fetch') }))?.one;
}

/** Returns a name that the user's repository doesn't have yet. */
async function freeName(wanted: string, problemOf: (name: string) => Promise<string | undefined>): Promise<string> {
  for (const name of [wanted, `parley/${wanted}`]) if ((await problemOf(name)) === undefined) return name;
  for (let number = 2; ; number++) {
    const name = `parley/${wanted}-${number}`;
    if (number > 99 || (await problemOf(name)) === undefined) return name;
  }
}
