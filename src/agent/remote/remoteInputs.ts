import * as l10n from '@vscode/l10n';
import type { AuthMethod } from '../../acp/decode/decodeAuth';
import type { AgentSpec } from '../spec/agentSpec';

/** The login method that Parley adds for an agent whose token is asked for. */
export const tokenMethodId = 'parley.remoteToken';

/** The parts of an agent's definition in which values are asked for. */
type AskingParts = Pick<AgentSpec, 'args' | 'env' | 'url' | 'headers' | 'source' | 'chain'>;

/**
 * Returns the names in `${input:NAME}`, each once: of a remote agent's URL and headers, or of a local agent's arguments and environment. A
 * registry's entry asks for nothing.
 */
export function inputsOf({ args, env, url, headers = {}, source, chain }: AskingParts): readonly string[] {
  const names = new Set<string>();
  const lines = chain ? [chain.conductor, ...chain.proxies] : [];
  const ofChain = lines.flatMap((line) => line.args);
  const ofProgram = source === 'registry' ? [] : [...args, ...ofChain, ...Object.values({ ...chain?.env, ...env })];
  for (const text of url === undefined ? ofProgram : [url, ...Object.values(headers)]) {
    for (const [, name] of text.matchAll(/\$\{input:([^{}]+)\}/g)) if (name !== undefined) names.add(name);
  }
  return [...names];
}

/** Returns how the user can give an agent another token; none if its settings ask for nothing. */
export function tokenMethods(spec: AgentSpec): readonly AuthMethod[] {
  const inputs = inputsOf(spec);
  if (inputs.length === 0) return [];
  const vars = inputs.map((name) => ({ name, isSecret: true, isOptional: false }));
  return [
    {
      id: tokenMethodId,
      name: l10n.t('Enter a token'),
      description:
        spec.url === undefined
          ? l10n.t('The stored value is wrong, or it has expired.')
          : l10n.t('The server rejected the stored token, or it has expired.'),
      type: 'env_var',
      vars,
    },
  ];
}
