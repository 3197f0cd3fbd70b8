import type { Act } from '../../base/actions';
import { inSession, type Handlers } from '../../pages/handlers';
import { reported } from '../../ui/reported';

/** Handles the buttons of the list of files that can't be undone. */
export function protectionMessages(
  protection: { dismiss(): Promise<void> },
  act: Act<'checkSetup'>,
  log: Parameters<typeof reported>[0],
): Handlers<'unprotectedAction'> {
  return {
    unprotectedAction: inSession((_session, { action }) => {
      reported(log, protection.dismiss());
      if (action === 'show') reported(log, act('checkSetup'));
    }),
  };
}
