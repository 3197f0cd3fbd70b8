import { buffer } from 'node:stream/consumers';
import * as l10n from '@vscode/l10n';
import { decodeRegistry } from '../../agent/registry/decodeRegistry';
import type { DecodedRegistry } from '../../agent/registry/registryAgent';
import { JsonFiles } from '../storage/jsonFiles';
import { fetchAllowed } from './download';
import { reasonOf, RegistryError } from './registryFailures';

/** A registry and its age. */
export interface LoadedRegistry extends DecodedRegistry {
  /** Why the list isn't up to date, and its age. Absent if the registry has just confirmed it. */
  readonly stale?: { readonly reason: string; readonly ageMs: number };
}

export interface LoadOptions {
  readonly url: string;
  readonly signal: AbortSignal;
  readonly now: number;
}

interface Kept {
  readonly url: string;
  readonly etag: string;
  readonly fetchedAt: number;
  readonly registry: unknown;
}

const maxBytes = 8_000_000;
const patienceMs = 20_000;

/**
 * The registry list with a cache on disk. Unchanged lists aren't downloaded again, and the cached list is used if the
 * download fails.
 */
export class RegistryList {
  private readonly files: JsonFiles;

  constructor(folder: string) {
    this.files = new JsonFiles(folder);
  }

  /** Rejects if there is neither a response nor a cached list, or if `signal` aborts. */
  async load({ url, signal, now }: LoadOptions): Promise<LoadedRegistry> {
    const name = JsonFiles.nameOf(url);
    const kept = decodeKept(await this.files.read(name), url);
    try {
      const fetched = await this.fetch(url, kept, AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]));
      const decoded = decodeRegistry(fetched.registry);
      await this.files.write(name, JSON.stringify({ ...fetched, url, fetchedAt: now }));
      return decoded;
    } catch (error) {
      if (signal.aborted) throw error;
      if (kept) {
        return { ...decodeRegistry(kept.registry), stale: { reason: reasonOf(error), ageMs: now - kept.fetchedAt } };
      }
      throw new RegistryError(
        l10n.t(
          'Couldn’t load the agent registry from {0}: {1}. Check your connection or the setting parley.registry.url.',
          URL.canParse(url) ? new URL(url).host : url,
          reasonOf(error),
        ),
      );
    }
  }

  private async fetch(
    url: string,
    kept: Kept | undefined,
    signal: AbortSignal,
  ): Promise<Pick<Kept, 'etag' | 'registry'>> {
    const headers = { accept: 'application/json', ...(kept && kept.etag !== '' && { 'if-none-match': kept.etag }) };
    const response = await fetchAllowed(url, { signal, headers });
    if (response.status === 304 && kept) return kept;
    if (!response.ok || !response.body) throw new Error(`${response.status} ${response.statusText}`.trim());
    const text = (await buffer(limited(response.body))).toString('utf8');
    return { etag: response.headers.get('etag') ?? '', registry: parse(text) };
  }
}

async function* limited(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.byteLength;
    if (size > maxBytes) throw new Error(l10n.t('it’s too large'));
    yield chunk;
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's message wouldn't help the user.
    throw new Error(l10n.t('not valid JSON'));
  }
}

function decodeKept(value: unknown, url: string): Kept | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { url: of, etag, fetchedAt, registry } = value as Record<string, unknown>;
  if (of !== url || typeof etag !== 'string' || typeof fetchedAt !== 'number') return undefined;
  try {
    decodeRegistry(registry);
  } catch {
    // A cache that is damaged, or was written by a later version of Parley, is ignored.
    return undefined;
  }
  return { url, etag, fetchedAt, registry };
}
