import * as l10n from '@vscode/l10n';
import { inFence } from '../../shared/text/codeFence';
import { showHiddenOnOneLine } from '../../shared/text/visibleText';
import { plainOutput } from '../context/mentions/plainOutput';

/** How a check ended. */
export interface CheckEnd {
  /** Undefined if it was stopped, or ended without one. */
  readonly exitCode: number | undefined;
  /** What it printed last. */
  readonly output: string;
}

const mostLines = 60;
const mostCharacters = 6000;

/** Returns a message that tells an agent how a check failed. */
export function failureReport(name: string, { exitCode, output }: CheckEnd): string {
  const title =
    exitCode === undefined
      ? l10n.t('After your changes, “{0}” failed. Fix it.', showHiddenOnOneLine(name))
      : l10n.t('After your changes, “{0}” failed with exit code {1}. Fix it.', showHiddenOnOneLine(name), exitCode);
  const lines = lastLines(plainOutput(output));
  return lines === '' ? `${title}\n` : `${title}\n\n${l10n.t('It printed last:')}\n\n${inFence(lines)}\n`;
}

function lastLines(text: string): string {
  const lines = text.trimEnd().split('\n').slice(-mostLines);
  const joined = lines.join('\n');
  if (joined.length <= mostCharacters) return joined;
  const cut = joined.slice(-mostCharacters);
  return `…${cut.slice(cut.indexOf('\n') + 1)}`;
}
