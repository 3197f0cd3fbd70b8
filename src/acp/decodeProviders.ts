import { asList, asObject, asString } from './decodeValue';

/** How a provider is reached now, as far as it is not secret. */
export interface ProviderInUse {
  /** The protocol that it is spoken to in, as the agent wrote it; empty when it does not say. */
  readonly apiType: string;
  readonly baseUrl: string;
}

/** A provider of models that an agent lets be configured. */
export interface ProviderInfo {
  readonly providerId: string;
  /** The agent knows it by the older name of the field, `id`, and by no other. */
  readonly isNamedById: boolean;
  /** Protocols that the agent can speak to it; unknown ones are as good as the others. */
  readonly supported: readonly string[];
  /** It cannot be turned off. */
  readonly isRequired: boolean;
  /** Absent while it is off. */
  readonly current?: ProviderInUse;
}

/** Reads an answer to `providers/list`; each provider once, bad items are passed over, and so is a whole answer that is no list. */
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
