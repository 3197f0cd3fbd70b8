import { asList, asObject, asString } from '../../shared/values/decodeValue';

/** How a provider is currently reached, without secrets. */
export interface ProviderInUse {
  /** The API protocol, as the agent wrote it; empty if missing. */
  readonly apiType: string;
  readonly baseUrl: string;
}

/** A model provider that an agent lets users configure. */
export interface ProviderInfo {
  readonly providerId: string;
  /** The agent uses only the older name of the field, `id`. */
  readonly isNamedById: boolean;
  /** API protocols that the agent supports for the provider; unknown ones are allowed. */
  readonly supported: readonly string[];
  /** The provider can't be turned off. */
  readonly isRequired: boolean;
  /** Absent while the provider is off. */
  readonly current?: ProviderInUse;
}

/**
 * Reads a response to `providers/list`. Keeps the first of duplicate providers; skips malformed items, and the whole
 * response if it has no list.
 */
export function decodeProviders(value: unknown): readonly ProviderInfo[] {
  const found = asList(asObject(value)?.['providers'], decodeProvider) ?? [];
  return found.filter(({ providerId }, at) => found.findIndex((other) => other.providerId === providerId) === at);
}

function decodeProvider(value: unknown): ProviderInfo | undefined {
  const provider = asObject(value);
  const named = asString(provider?.['providerId']);
  const providerId = named || asString(provider?.['id']);
  if (!provider || !providerId) return undefined;
  const supported = asList(provider['supported'], (type) => asString(type) || undefined) ?? [];
  const current = asObject(provider['current']);
  return {
    providerId,
    isNamedById: !named,
    supported: [...new Set(supported)],
    isRequired: provider['required'] === true,
    ...(current
      ? { current: { apiType: asString(current['apiType']) ?? '', baseUrl: asString(current['baseUrl']) ?? '' } }
      : {}),
  };
}
