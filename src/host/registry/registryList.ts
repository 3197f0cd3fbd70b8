import { buffer } from 'node:stream/consumers';
import * as l10n from '@vscode/l10n';
import { decodeRegistry } from '../../agent/registry/decodeRegistry';
import type { DecodedRegistry } from '../../agent/registry/registryAgent';
import { JsonFiles } from '../storage/jsonFiles';
import { fetchAllowed } from './download';
import { reasonOf, RegistryError } from './registryFailures';

/** A registry and its age. */
export interface LoadedRegistry extends DecodedRegistry {
  /** Why the list isn't up to date, and when it was. Absent if the registry has just confirmed it. */
  readonly stale?: { readonly reason: string; readonly from: number };
}

/** A list that is on this machine, and when the registry last confirmed it, in milliseconds since 1970. */
export interface StoredRegistry extends DecodedRegistry {
  readonly from: number;
}

/** The list that ships with Parley, and the URL of the registry that it is of. */
export interface BundledRegistry {
  readonly url: string;
  readonly savedAt: number;
  readonly registry: unknown;
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
 * The registry list with a cache on disk. Unchanged lists aren't downloaded again. If the download fails, the newer of
 * the cached and the bundled list is used.
 */
export class RegistryList {
  private readonly files: JsonFiles;
  private readonly bundled: BundledRegistry | undefined;

  constructor(folder: string, bundled?: BundledRegistry) {
    this.files = new JsonFiles(folder);
    this.bundled = bundled;
  }

  /** Resolves to the list on this machine without asking the network; undefined if there is none for this URL. */
  async stored(url: string): Promise<StoredRegistry | undefined> {
    return this.storedOf(url, decodeKept(await this.files.read(JsonFiles.nameOf(url)), url));
  }

  /** Rejects if there is neither a response nor a list on this machine, or if `signal` aborts. */
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
      const stored = this.storedOf(url, kept);
      if (stored) {
        const { agents, problems, from } = stored;
        return { agents, problems, stale: { reason: reasonOf(error), from } };
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

  private storedOf(url: string, kept: Kept | undefined): StoredRegistry | undefined {
    // Only the public registry's list is bundled. A company's registry may omit agents on purpose.
    const bundled = this.bundled?.url === url ? this.bundled : undefined;
    if (bundled && (!kept || kept.fetchedAt < bundled.savedAt)) {
      return { ...decodeRegistry(bundled.registry), from: bundled.savedAt };
    }
    return kept && { ...decodeRegistry(kept.registry), from: kept.fetchedAt };
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
