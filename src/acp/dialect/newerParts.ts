// Parts of the protocol that the SDK's types don't have yet.
import { decodeConfigOptions } from '../decode/decodeConfig';
import type { InitialOption } from '../shape/openingSetup';
import { asObject } from '../../shared/values/decodeValue';
import type { ConfigOption } from '../../shared/transcript/transcript';
import { agentMethods } from '../wire/methods';
import type { ChannelConnection } from './dialect';

/** A part of the client's `session` capability (https://agentclientprotocol.com/rfds/prompt-suggestions): texts and links to files. */
export const offersSuggestions = { promptSuggestions: {} };
/** The same as a part of the client's capabilities. */
export const offersSuggestionsInSession = { session: offersSuggestions };

/**
 * Asks which options a new session with these params would start with (https://agentclientprotocol.com/rfds/session-options). Call only if the
 * agent has `sessionOptions`; rejects as requests do.
 */
export async function askSessionOptions(
  connection: Pick<ChannelConnection, 'request'>,
  params: object,
  signal: AbortSignal,
): Promise<readonly ConfigOption[]> {
  const answer = asObject(await connection.request(agentMethods.sessionOptions, params, signal));
  return decodeConfigOptions(answer?.['configOptions']) ?? [];
}

/** Returns first values of options in the form of the request that opens a session. `idType` marks a value that is an id. */
export function initialOptions(
  options: readonly InitialOption[] | undefined,
  idType?: 'id',
): { readonly configOptions?: readonly object[] } {
  if (!options?.length) return {};
  const typeOf = (value: string | boolean) => (typeof value === 'boolean' ? 'boolean' : idType);
  return {
    configOptions: options.map(({ configId, value }) => {
      const type = typeOf(value);
      return { configId, ...(type === undefined ? {} : { type }), value };
    }),
  };
}
