import { mergeModels, plainCounts, sumTokens } from '../../shared/amounts/turnUsage';
import type { ModelTokens, TokenCounts, TurnUsage } from '../../shared/amounts/turnUsage';
import { asList, asObject, asString, compact, type JsonObject } from '../../shared/values/decodeValue';
import { asCount } from '../../shared/amounts/untrustedNumber';

/** The names of each count, in camelCase. Agents send them in snake_case as well. */
const names = {
  total: ['totalTokens'],
  input: ['inputTokens'],
  output: ['outputTokens'],
  thought: ['thoughtTokens', 'reasoningOutputTokens'],
  cachedRead: ['cachedReadTokens', 'cachedInputTokens'],
  cachedWrite: ['cachedWriteTokens', 'cacheWriteInputTokens'],
} as const satisfies Record<keyof TokenCounts, readonly string[]>;

/** Models that are counted separately. Agents use a few per turn. */
const maxModels = 50;
const maxModelName = 200;

/**
 * Reads the tokens of a turn from what an agent sends at its end: `usage` of the protocol, and `_meta.quota` of Claude,
 * Codex, and Gemini, which also counts per model. Skips invalid counts; undefined if there are none.
 */
export function decodeTurnUsage(end: JsonObject | undefined): TurnUsage | undefined {
  const quota = asObject(asObject(end?.['_meta'])?.['quota']);
  const models = mergeModels((asList(quota?.['model_usage'], decodeModel) ?? []).slice(0, maxModels));
  const counts = decodeTokens(end?.['usage']) ?? decodeTokens(quota?.['token_count']) ?? sumTokens(models);
  return counts && { ...counts, ...(models.length > 0 ? { models } : {}) };
}

/** Reads the tokens of one request to a model, which Qwen sends with its update (`_meta.usage`). */
export function decodeRequestUsage(update: unknown): TokenCounts | undefined {
  return decodeTokens(asObject(asObject(update)?.['_meta'])?.['usage']);
}

function decodeModel(value: unknown): ModelTokens | undefined {
  const row = asObject(value);
  const counts = decodeTokens(row?.['token_count']);
  return counts && { ...counts, model: decodeModelId(row?.['model']) ?? '' };
}

/** Reads the id or name of a model; undefined if there is none. */
export function decodeModelId(value: unknown): string | undefined {
  const model = asString(value)?.replaceAll(/\s+/g, ' ').trim().slice(0, maxModelName);
  return model === '' ? undefined : model;
}

/** Reads counts; undefined without a single token. */
function decodeTokens(value: unknown): TokenCounts | undefined {
  const usage = asObject(value);
  const count = (key: keyof TokenCounts) => {
    for (const name of names[key]) {
      const tokens = asCount(usage?.[name]) ?? asCount(usage?.[snakeCase(name)]);
      if (tokens !== undefined) return tokens;
    }
    return undefined;
  };
  const [input, output] = [count('input'), count('output')];
  const total = count('total') ?? (input ?? 0) + (output ?? 0);
  if (total === 0) return undefined;
  const [thought, cachedRead, cachedWrite] = [count('thought'), count('cachedRead'), count('cachedWrite')];
  return plainCounts({
    total,
    input: input ?? 0,
    output: output ?? 0,
    ...compact({ thought, cachedRead, cachedWrite }),
  });
}

function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
