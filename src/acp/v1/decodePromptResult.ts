import type { TurnUsage } from '../../shared/amounts/turnUsage';
import { decodeTurnUsage } from '../decode/decodeTurnUsage';
import { asObject, asString } from '../../shared/values/decodeValue';

/** An agent's report at the end of a turn. */
export interface PromptResult {
  /** As the agent wrote it; `end_turn` if missing. */
  readonly stopReason: string;
  readonly usage?: TurnUsage;
}

/** Reads a response to `session/prompt`, which may be empty or `null`. */
export function decodePromptResult(value: unknown): PromptResult {
  const answer = asObject(value);
  const usage = decodeTurnUsage(answer);
  return { stopReason: asString(answer?.['stopReason']) ?? 'end_turn', ...(usage ? { usage } : {}) };
}
