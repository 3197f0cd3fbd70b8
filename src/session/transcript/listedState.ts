import type { SessionListing } from '../../shared/pages/messages';
import type { Transcript } from '../../shared/transcript/transcript';

/**
 * Returns the state of a session for the list. A session without an agent counts as stopped only if its conversation
 * ends with a failure. After a reload, or when an idle agent was stopped, nothing has failed, and the next message
 * restarts the agent.
 */
export function listedState({ view, order, entries }: Transcript): SessionListing['state'] {
  switch (view.connection.state) {
    case 'ready':
      return view.activity.state;
    case 'login':
      return 'requires_action';
    case 'starting':
    case 'opening':
      // A session that is being opened may also wait for the user.
      return view.activity.state === 'requires_action' ? 'requires_action' : 'starting';
    case 'closed': {
      const last = order.at(-1);
      return last !== undefined && entries.get(last)?.kind === 'error' ? 'closed' : 'idle';
    }
  }
}
