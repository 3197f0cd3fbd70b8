import * as l10n from '@vscode/l10n';
import { messageOf } from '../../shared/messageOf';
import { showError } from './notifications';

/** Tells the user in one sentence when something they asked for failed; `log` gets the reason, too. */
export function reported(log: { error(reason: string): void }, work: Thenable<unknown>): void {
  void work.then(undefined, (error: unknown) => {
    const reason = messageOf(error);
    log.error(reason);
    tellFailure(reason);
  });
}

/** Tells the user why something they asked for failed. */
export function tellFailure(reason: string): void {
  void showError(l10n.t('Couldn’t do that: {0}', reason));
}
