import type { AgentQuirks } from './quirks';

/** What the user was asked for and `authenticate` carries (conventions outside the schema). */
export type LoginAnswer =
  | { readonly type: 'apiKey'; readonly apiKey: string }
  | { readonly type: 'gateway'; readonly baseUrl: string; readonly headers: Readonly<Record<string, string>> };

/** The `_meta` of an `authenticate` with this answer. */
export function loginMeta(answer: LoginAnswer, { apiKeyIsText }: AgentQuirks): Record<string, unknown> {
  if (answer.type === 'apiKey') return { 'api-key': apiKeyIsText ? answer.apiKey : { apiKey: answer.apiKey } };
  const { baseUrl, headers } = answer;
  return { gateway: { baseUrl, headers } };
}

/** What of an answer nobody else may read. */
export function secretsOf(answer: LoginAnswer): readonly string[] {
  return answer.type === 'apiKey' ? [answer.apiKey] : Object.values(answer.headers);
}
