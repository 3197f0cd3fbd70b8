import * as l10n from '@vscode/l10n';
import { messageOf } from '../../shared/values/messageOf';
import { showError } from './notifications';

/** Shows the user a sentence if an action they started fails. `log` gets the reason, too. */
export function reported(log: { error(reason: string): void }, work: Thenable<unknown>): void {
  void work.then(undefined, (error: unknown) => {
    const reason = messageOf(error);
    log.error(reason);
    tellFailure(reason);
  });
}

/** Shows the user why an action they started failed. */
export function tellFailure(reason: string): void {
  void showError(l10n.t('Couldn’t do that: {0}', reason));
}
