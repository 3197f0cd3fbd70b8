import { compact } from '../../shared/values/decodeValue';
import {
  decodeElicitation,
  decodeElicitationScope,
  type ElicitationResponse,
} from '../../acp/decode/decodeElicitation';
import type { SessionRoutes } from './sessionRoutes';
import type { WaitingRequests } from './waitingRequests';

/** Handles `elicitation/create`: shows it in its session, or in the session that waits for its request. */
export async function askUser(
  routes: SessionRoutes,
  waiting: WaitingRequests,
  params: unknown,
  signal: AbortSignal,
): Promise<ElicitationResponse> {
  const scope = decodeElicitationScope(params);
  if (scope.scope === 'session') {
    const { toolCallId } = scope;
    const place = { isOfTurn: true, ...compact({ toolCallId }) };
    return routes.serve(params, ({ session, child }) =>
      session.agentSide.handleElicitation(params, place, signal, child?.sessionId),
    );
  }
  const found = waiting.find(scope.requestId);
  if (!found) {
    // Malformed params are still reported. No user could be asked, so the answer isn't "decline".
    decodeElicitation(params);
    return { action: 'cancel' };
  }
  const either = AbortSignal.any([signal, found.over]);
  return found.session.agentSide.handleElicitation(params, { isOfTurn: found.isPrompt }, either);
}
