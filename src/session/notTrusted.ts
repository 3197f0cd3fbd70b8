import * as l10n from '@vscode/l10n';
import { FailureError, type Failure } from './failures';

/** Returns the reason why no agent starts in an untrusted folder. */
export function notTrustedSentence(): string {
  return l10n.t('This folder isn’t trusted yet, so agents can’t start here.');
}

function notTrusted(): Failure {
  return {
    code: 'notTrusted',
    title: notTrustedSentence(),
    cause: l10n.t(
      'Agents run programs and change files, and the contents of a folder can mislead them. Trust the folder, then restart the agent.',
    ),
    actions: ['manageTrust', 'restartAgent'],
  };
}

/** Throws a `FailureError` if the folder isn't trusted. Call before anything that starts a program. */
export function requireTrust(isTrusted: boolean): void {
  if (!isTrusted) throw new FailureError(notTrusted());
}
