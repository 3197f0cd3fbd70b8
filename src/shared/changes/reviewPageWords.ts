import * as l10n from '@vscode/l10n';

/** The name of those whose changes a page shows. */
export function agentNames(agents: readonly string[]): string {
  const [first = l10n.t('Agents'), second, ...more] = agents;
  if (second === undefined) return first;
  return more.length === 0 ? l10n.t('{0} and {1}', first, second) : l10n.t('{0} agents', agents.length);
}

/** The title of a review page: whose changes, and how many files are left. */
export function reviewTitle(agents: readonly string[], left: number, total: number): string {
  const names = agentNames(agents);
  return total === 1 ? l10n.t('{0}: 1 file left', names) : l10n.t('{0}: {1} of {2} files left', names, left, total);
}
