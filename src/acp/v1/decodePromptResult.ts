import type { TurnUsage } from '../../shared/turnUsage';
import { asNumber, asObject, asString } from '../decodeValue';

/** An agent's report at the end of a turn. */
export interface PromptResult {
  /** As the agent wrote it; `end_turn` if missing. */
  readonly stopReason: string;
  readonly usage?: TurnUsage;
}

/** Reads a response to `session/prompt`, which may be empty or `null`. */
export function decodePromptResult(value: unknown): PromptResult {
  const answer = asObject(value);
  const usage = decodeTurnUsage(answer?.['usage']);
  return { stopReason: asString(answer?.['stopReason']) ?? 'end_turn', ...(usage ? { usage } : {}) };
}

/** Reads the token counts of a turn. Skips invalid counts, and the whole value without a total. */
function decodeTurnUsage(value: unknown): TurnUsage | undefined {
  const usage = asObject(value);
  const count = (key: string) => {
    const tokens = asNumber(usage?.[key]);
    return tokens !== undefined && tokens >= 0 ? tokens : undefined;
  };
  const [input, output] = [count('inputTokens'), count('outputTokens')];
  const total = count('totalTokens') ?? (input ?? 0) + (output ?? 0);
  if (total === 0) return undefined;
  const [thought, cachedRead, cachedWrite] = [
    count('thoughtTokens'),
    count('cachedReadTokens'),
    count('cachedWriteTokens'),
  ];
  return {
    total,
    input: input ?? 0,
    output: output ?? 0,
    ...(thought === undefined ? {} : { thought }),
    ...(cachedRead === undefined ? {} : { cachedRead }),
    ...(cachedWrite === undefined ? {} : { cachedWrite }),
  };
}
