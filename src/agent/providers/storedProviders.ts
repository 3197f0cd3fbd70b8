import { asList, asObject, asString } from '../../shared/values/decodeValue';

/** The user's configuration of a model provider. */
export interface ProviderConfig {
  readonly apiType: string;
  readonly baseUrl: string;
  /** By name; every value is a secret. */
  readonly headers: Readonly<Record<string, string>>;
}

/** The user's settings for one provider of an agent. */
export interface StoredProvider {
  readonly providerId: string;
  /** See `ProviderInfo`. */
  readonly isNamedById: boolean;
  readonly isOff: boolean;
  /** Kept while the provider is off; absent if it was never set. */
  readonly config?: ProviderConfig;
}

/** Returns the text to store for an agent. `program` is the program that the settings were entered for. */
export function encodeStoredProviders(program: string, providers: readonly StoredProvider[]): string {
  return JSON.stringify({ program, providers });
}

/** Reads stored settings; returns nothing if they belong to another program, and skips invalid items. */
export function decodeStoredProviders(program: string, text: string | undefined): readonly StoredProvider[] {
  const kept = asObject(parse(text));
  if (kept?.['program'] !== program) return [];
  return asList(kept['providers'], decodeStored) ?? [];
}

/** Returns the list with this provider replacing its earlier settings, if any. */
export function withProvider(all: readonly StoredProvider[], provider: StoredProvider): readonly StoredProvider[] {
  return [...withoutProvider(all, provider.providerId), provider];
}

/** Returns the list without this provider. */
export function withoutProvider(all: readonly StoredProvider[], id: string): readonly StoredProvider[] {
  return all.filter(({ providerId }) => providerId !== id);
}

/** Returns the secrets: the header values, and the part after a word such as "Bearer" in them. */
export function secretsOf({ config }: StoredProvider): readonly string[] {
  return Object.values(config?.headers ?? {}).flatMap((value) => [value, ...value.trim().split(/\s+/).slice(1)]);
}

function decodeStored(value: unknown): StoredProvider | undefined {
  const stored = asObject(value);
  const providerId = asString(stored?.['providerId']);
  if (!stored || !providerId) return undefined;
  const config = asObject(stored['config']);
  const [apiType, baseUrl] = [asString(config?.['apiType']), asString(config?.['baseUrl'])];
  const headers = Object.entries(asObject(config?.['headers']) ?? {}).filter(
    (header): header is [string, string] => typeof header[1] === 'string',
  );
  const isSet = apiType !== undefined && baseUrl !== undefined;
  return {
    providerId,
    isNamedById: stored['isNamedById'] === true,
    isOff: stored['isOff'] === true,
    ...(isSet ? { config: { apiType, baseUrl, headers: Object.fromEntries(headers) } } : {}),
  };
}

function parse(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    // Only Parley writes this text. If it is unreadable, the user enters the settings again.
    return undefined;
  }
}
