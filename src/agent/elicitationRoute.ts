import { decodeElicitation, decodeElicitationScope, type ElicitationResponse } from '../acp/decodeElicitation';
import type { SessionRoutes } from './sessionRoutes';
import type { WaitingRequests } from './waitingRequests';

/** `elicitation/create`: shows it in the session it is for, or in the one that waits for the request that needs it. */
export async function askUser(
  routes: SessionRoutes,
  waiting: WaitingRequests,
  params: unknown,
  signal: AbortSignal,
): Promise<ElicitationResponse> {
  const scope = decodeElicitationScope(params);
  if (scope.scope === 'session') {
    const { toolCallId } = scope;
    const place = { isOfTurn: true, ...(toolCallId === undefined ? {} : { toolCallId }) };
    return routes.serve(params, ({ session, child }) =>
      session.handleElicitation(params, place, signal, child?.sessionId),
    );
  }
  const found = waiting.find(scope.requestId);
  if (!found) {
    // What is wrong with it is told all the same. Nobody is there who could be asked, so nobody has declined.
    decodeElicitation(params);
    return { action: 'cancel' };
  }
  const either = AbortSignal.any([signal, found.over]);
  return found.session.handleElicitation(params, { isOfTurn: found.isPrompt }, either);
}
