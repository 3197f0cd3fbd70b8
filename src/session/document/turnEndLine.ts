import * as l10n from '@vscode/l10n';
import type { ExportedEnd } from './exportedSession';

/** Returns the end of a turn as a line: how it ended if not as usual, agent, model, time, tokens, and cost. */
export function turnEndLine(
  { outcome, startedAt, endedAt, model, tokens, cost }: ExportedEnd,
  agentName: string,
): string {
  const parts = [
    outcome === 'stopped' ? l10n.t('Stopped') : '',
    outcome === 'cutOff' ? l10n.t('Cut off') : '',
    outcome === 'failed' ? l10n.t('Failed') : '',
    agentName,
    model ?? '',
    endedAt === undefined ? '' : duration(Date.parse(endedAt) - Date.parse(startedAt)),
    tokens ? l10n.t('{0} tokens', tokens.total) : '',
    cost ? `${Number(cost.amount.toPrecision(4))} ${cost.currency}` : '',
  ];
  return parts.filter(Boolean).join(' · ');
}

function duration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  return seconds < 60 ? l10n.t('{0} s', seconds) : l10n.t('{0} m {1} s', Math.floor(seconds / 60), seconds % 60);
}
