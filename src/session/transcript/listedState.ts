import type { SessionListing } from '../../shared/messages';
import type { Transcript } from '../../shared/transcript';

/**
 * How a session is listed. One without an agent has stopped only if that is what its conversation ends with: after a reload
 * of the window, or when its agent was not needed for a while, nothing has failed, and the next message starts it again.
 */
export function listedState({ view, order, entries }: Transcript): SessionListing['state'] {
  switch (view.connection.state) {
    case 'ready':
      return view.activity.state;
    case 'login':
      return 'requires_action';
    case 'starting':
    case 'opening':
      // A session that is being opened may wait for the user, too.
      return view.activity.state === 'requires_action' ? 'requires_action' : 'starting';
    case 'closed': {
      const last = order.at(-1);
      return last !== undefined && entries.get(last)?.kind === 'error' ? 'closed' : 'idle';
    }
  }
}
