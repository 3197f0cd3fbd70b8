import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import type { Log } from '../log/log';
import { policyPath, type RulePolicy } from '../permissions/policyFile';
import { showWarning } from '../ui/notifications';

const toldKey = 'parley.toldPolicyProblem';

/** Says why the policy of this machine can't be used, and what follows from that. */
export function policyProblemWords(problem: string): string {
  return l10n.t(
    'The policy in {0} can’t be used: {1}. Until an administrator fixes it, rules that allow don’t apply.',
    policyPath(process.platform),
    problem,
  );
}

/** Tells the user once about each problem of the policy, and the log whenever a window opens. */
export async function tellPolicyProblem(
  { problem }: RulePolicy,
  memory: vscode.Memento,
  log: Pick<Log, 'error'>,
  showRules: () => void,
): Promise<void> {
  if (problem !== undefined) log.error(`The policy can't be used, so its strict reading applies: ${problem}.`);
  if (memory.get(toldKey) === problem) return;
  await memory.update(toldKey, problem);
  if (problem === undefined) return;
  const show = l10n.t('Show Permission Rules');
  if ((await showWarning(policyProblemWords(problem), show)) === show) showRules();
}
