import type { TurnUsage } from '../../shared/turnUsage';
import { asNumber, asObject, compact } from '../../shared/decodeValue';

/** Reads the token counts of a turn. Skips invalid counts, and the whole value without a total. */
export function decodeTurnUsage(value: unknown): TurnUsage | undefined {
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
    ...compact({ thought, cachedRead, cachedWrite }),
  };
}
