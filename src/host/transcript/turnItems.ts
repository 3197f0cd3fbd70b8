import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { OutlinedTurn } from '../../session/find/turns';

/** A turn in a list. */
export interface TurnItem extends vscode.QuickPickItem {
  readonly turn: OutlinedTurn;
}

export function turnItem(turn: OutlinedTurn): TurnItem {
  const time =
    turn.startedAt === undefined
      ? ''
      : new Date(turn.startedAt).toLocaleString(vscode.env.language, { dateStyle: 'short', timeStyle: 'short' });
  return {
    label: turn.line === '' ? l10n.t('Turn {0}', turn.turn) : turn.line,
    description: [stateWord(turn), time].filter(Boolean).join(' · '),
    turn,
  };
}

function stateWord({ state }: OutlinedTurn): string {
  switch (state) {
    case 'running':
      return l10n.t('running');
    case 'waiting':
      return l10n.t('waiting for your answer');
    case 'failed':
      return l10n.t('failed');
    case 'declined':
      return l10n.t('declined');
    case 'done':
      return '';
  }
}
