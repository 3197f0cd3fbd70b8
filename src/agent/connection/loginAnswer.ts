import type { AgentQuirks } from '../base/quirks';

/** The user's input for `authenticate` (conventions outside the schema). */
export type LoginAnswer =
  | { readonly type: 'apiKey'; readonly apiKey: string }
  | { readonly type: 'gateway'; readonly baseUrl: string; readonly headers: Readonly<Record<string, string>> };

/** Returns the `_meta` of an `authenticate` with this input. */
export function loginMeta(answer: LoginAnswer, { apiKeyIsText }: AgentQuirks): Record<string, unknown> {
  if (answer.type === 'apiKey') return { 'api-key': apiKeyIsText ? answer.apiKey : { apiKey: answer.apiKey } };
  const { baseUrl, headers } = answer;
  return { gateway: { baseUrl, headers } };
}

/** Returns the secret parts of the input. */
export function secretsOf(answer: LoginAnswer): readonly string[] {
  return answer.type === 'apiKey' ? [answer.apiKey] : Object.values(answer.headers);
}
