import { contextPartKinds, type AgentStats, type ContextParts } from '../../shared/amounts/contextParts';
import { asNumber, asObject, compact, type JsonObject } from '../../shared/values/decodeValue';

/** Reads what the context holds; undefined if its size isn't known. */
export function decodeContextParts(answer: unknown): ContextParts | undefined {
  const usage = asObject(asObject(answer)?.['usage']);
  const breakdown = asObject(usage?.['breakdown']);
  const size = countOf(usage, 'contextWindowSize');
  const told = countOf(usage, 'totalTokens');
  if (!breakdown || size === undefined || size === 0 || told === undefined) return undefined;
  const parts = contextPartKinds.flatMap((kind) => {
    const tokens = countOf(breakdown, kind) ?? 0;
    return tokens > 0 ? [{ kind, tokens }] : [];
  });
  const sum = parts.reduce((total, { tokens }) => total + tokens, 0);
  const compactsAt = countOf(asObject(breakdown['thresholds']), 'auto');
  const isEstimated = usage?.['isEstimated'] === true;
  // Before the first answer, the agent counts nothing but estimates the parts.
  return compact({ used: isEstimated ? Math.max(told, sum) : told, size, parts, compactsAt, isEstimated });
}

/** Reads what the agent has counted in a session; undefined if it lists no models. */
export function decodeStats(answer: unknown): AgentStats | undefined {
  const stats = asObject(answer);
  const models = asObject(stats?.['models']);
  if (!models) return undefined;
  let tokens = 0;
  let requests = 0;
  for (const model of Object.values(models)) {
    tokens += countOf(asObject(asObject(model)?.['tokens']), 'total') ?? 0;
    requests += countOf(asObject(asObject(model)?.['api']), 'totalRequests') ?? 0;
  }
  const tools = asObject(stats?.['tools']);
  const toolCalls = countOf(tools, 'totalCalls') ?? 0;
  return { tokens, requests, toolCalls, failedToolCalls: countOf(tools, 'totalFail') ?? 0 };
}

function countOf(object: JsonObject | undefined, key: string): number | undefined {
  const count = asNumber(object?.[key]);
  return count !== undefined && count >= 0 ? Math.round(count) : undefined;
}
