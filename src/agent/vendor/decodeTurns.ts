import { asList, asNumber, asObject, asString } from '../../shared/values/decodeValue';
import type { SessionId } from '../../shared/values/ids';

/** Reads the numbers of the turns that the agent can return to, oldest first. */
export function decodeRewindTurns(answer: unknown): readonly number[] | undefined {
  const snapshots = asList(asObject(answer)?.['snapshots'], asObject);
  const turns = snapshots?.map((snapshot) => asNumber(snapshot['turnIndex']));
  return turns?.every((turn): turn is number => Number.isInteger(turn)) === true ? turns : undefined;
}

/** Reads whether the agent has returned to a turn. */
export function decodeRewound(answer: unknown): true | undefined {
  return asObject(answer)?.['success'] === true ? true : undefined;
}

/** Reads the id of a session that continues another one. */
export function decodeBranch(answer: unknown): SessionId | undefined {
  const id = asString(asObject(answer)?.['newSessionId']);
  return id ? (id as SessionId) : undefined;
}
