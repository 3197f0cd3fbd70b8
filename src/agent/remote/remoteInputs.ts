import * as l10n from '@vscode/l10n';
import type { AuthMethod } from '../../acp/decode/decodeAuth';
import type { AgentSpec } from '../spec/agentSpec';

/** The login method that Parley adds for a remote agent whose token is asked for. */
export const tokenMethodId = 'parley.remoteToken';

/** Returns the names in `${input:NAME}` of a remote agent's URL and headers, each once. */
export function inputsOf({ url = '', headers = {} }: AgentSpec): readonly string[] {
  const names = new Set<string>();
  for (const text of [url, ...Object.values(headers)]) {
    for (const [, name] of text.matchAll(/\$\{input:([^{}]+)\}/g)) if (name !== undefined) names.add(name);
  }
  return [...names];
}

/** Returns how the user can give a remote agent another token; none if its settings ask for nothing. */
export function tokenMethods(spec: AgentSpec): readonly AuthMethod[] {
  const inputs = inputsOf(spec);
  if (inputs.length === 0) return [];
  const vars = inputs.map((name) => ({ name, isSecret: true, isOptional: false }));
  return [
    {
      id: tokenMethodId,
      name: l10n.t('Enter a token'),
      description: l10n.t('The server rejected the stored token, or it has expired.'),
      type: 'env_var',
      vars,
    },
  ];
}
