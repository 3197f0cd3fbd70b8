import type { AcpConnection } from '../../acp/wire/connection';
import { asObject, asString } from '../../shared/values/decodeValue';
import type { SessionId } from '../../shared/values/ids';
import type { SessionRoutes } from '../routes/sessionRoutes';
import { isOf, vendorMessages } from './vendorMethods';

/** A suggestion that is longer is no follow-up. */
const longestSuggestion = 200;

/** Serves what only this agent sends. Anything malformed is ignored. */
export function serveVendor(
  connection: Pick<AcpConnection, 'onRequest' | 'onNotification'>,
  routes: Pick<SessionRoutes, 'sessionOf'>,
  agentName: string,
): void {
  const { drainQueue, suggestion } = vendorMessages;
  const sessionOf = (params: unknown) => {
    const sessionId = asString(asObject(params)?.['sessionId']);
    return sessionId === undefined ? undefined : routes.sessionOf(sessionId as SessionId);
  };
  if (isOf(drainQueue, agentName)) {
    connection.onRequest(drainQueue.call, (params) => ({
      messages: sessionOf(params)?.agentSide.takeJoining() ?? [],
      hasQueuedPrompt: false,
    }));
  }
  if (isOf(suggestion, agentName)) {
    connection.onNotification(suggestion.call, (params) => {
      const text = asString(asObject(params)?.['suggestion'])?.trim() ?? '';
      if (text !== '' && text.length <= longestSuggestion) sessionOf(params)?.agentSide.suggest(text);
    });
  }
}
