import { asList, asObject, asString } from '../../acp/decodeValue';

/** How the user wants a provider of models to be reached. */
export interface ProviderConfig {
  readonly apiType: string;
  readonly baseUrl: string;
  /** By their names; every value is a secret. */
  readonly headers: Readonly<Record<string, string>>;
}

/** What the user has set for one provider of an agent's. */
export interface StoredProvider {
  readonly providerId: string;
  /** See `ProviderInfo`. */
  readonly isNamedById: boolean;
  readonly isOff: boolean;
  /** Kept also while it is off; absent when it was never set. */
  readonly config?: ProviderConfig;
}

/** What is kept for an agent as text. `program` is the one that it was typed for. */
export function encodeStoredProviders(program: string, providers: readonly StoredProvider[]): string {
  return JSON.stringify({ program, providers });
}

/** Reads what was kept; nothing when it was for another program, and without what cannot be read. */
export function decodeStoredProviders(program: string, text: string | undefined): readonly StoredProvider[] {
  const kept = asObject(parse(text));
  if (kept?.['program'] !== program) return [];
  return asList(kept['providers'], decodeStored) ?? [];
}

/** The list with this provider in the place of what was set for it before, if anything was. */
export function withProvider(all: readonly StoredProvider[], provider: StoredProvider): readonly StoredProvider[] {
  return [...withoutProvider(all, provider.providerId), provider];
}

/** The list without what was set for this provider. */
export function withoutProvider(all: readonly StoredProvider[], id: string): readonly StoredProvider[] {
  return all.filter(({ providerId }) => providerId !== id);
}

/** What must not be seen: the values of the headers, and what follows a word such as "Bearer" in them. */
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
    // Nobody else writes it; what cannot be read is typed again.
    return undefined;
  }
}
