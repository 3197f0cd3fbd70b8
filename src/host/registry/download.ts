import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import * as l10n from '@vscode/l10n';
import { isAllowedUrl } from '../../agent/registry/archiveUrl';
import { reasonOf, RegistryError } from './registryFailures';

/** The number of bytes downloaded, and the total if the server reports it. */
export interface DownloadProgress {
  readonly received: number;
  readonly total: number | undefined;
}

export interface DownloadOptions {
  readonly signal: AbortSignal;
  /** In lowercase. Not checked if absent. */
  readonly sha256?: string | undefined;
  readonly onProgress?: (progress: DownloadProgress) => void;
  readonly patience?: DownloadPatience;
}

/** Timeouts for a server, in milliseconds. */
export interface DownloadPatience {
  /** Until the server responds, and then between any two chunks. */
  readonly silenceMs: number;
  /** Until the download is complete. */
  readonly totalMs: number;
}

const usualPatience: DownloadPatience = { silenceMs: 30_000, totalMs: 3_600_000 };

/** Larger than any agent, in bytes. */
const maxBytes = 2_000_000_000;
const maxRedirects = 5;

/** Fetches an allowed URL. Rejects redirects to a URL that isn't allowed. */
export async function fetchAllowed(address: string, init: RequestInit): Promise<Response> {
  let url = address;
  for (let hops = 0; hops <= maxRedirects; hops += 1) {
    if (!isAllowedUrl(url)) throw new RegistryError(l10n.t('{0} isn’t an https URL.', url));
    const response = await fetch(url, { ...init, redirect: 'manual' });
    const location = [301, 302, 303, 307, 308].includes(response.status) ? response.headers.get('location') : null;
    if (location === null) return response;
    await response.body?.cancel();
    url = new URL(location, url).href;
  }
  throw new RegistryError(l10n.t('{0} redirected too many times.', address));
}

/** Downloads a URL into a new file. Rejects if the file is incomplete or doesn't match the checksum. */
export async function download(address: string, file: string, options: DownloadOptions): Promise<void> {
  const { sha256, onProgress, patience = usualPatience } = options;
  const limits = new TimeLimits(patience);
  const signal = AbortSignal.any([options.signal, limits.signal]);
  const hash = createHash('sha256');
  const output = await open(file, 'wx', 0o600);
  try {
    // No content encoding, because the checksum is that of the stored file.
    const response = await fetchAllowed(address, { signal, headers: { 'accept-encoding': 'identity' } });
    limits.hear();
    if (!response.ok || !response.body) throw new Error(`${response.status} ${response.statusText}`.trim());
    const length = Number(response.headers.get('content-length') ?? '');
    const total = length > 0 ? length : undefined;
    let received = 0;
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      limits.hear();
      received += chunk.byteLength;
      if (received > maxBytes)
        throw new RegistryError(l10n.t('{0} is too large for an agent. Nothing was installed.', address));
      hash.update(chunk);
      await output.writeFile(chunk);
      onProgress?.({ received, total });
    }
    if (total !== undefined && received !== total) throw new Error(l10n.t('the connection ended early'));
  } catch (error) {
    if (options.signal.aborted || error instanceof RegistryError) throw error;
    throw new RegistryError(
      l10n.t(
        'Couldn’t download from {0}: {1}. Check your connection and try again.',
        new URL(address).host,
        limits.reason ?? reasonOf(error),
      ),
    );
  } finally {
    limits.stop();
    await output.close();
  }
  if (sha256 !== undefined && hash.digest('hex') !== sha256) {
    throw new RegistryError(
      l10n.t(
        'The checksum of {0} doesn’t match. Nothing was installed. Try again later or contact the agent’s developer.',
        address,
      ),
    );
  }
}

/** Aborts if a server is silent for too long, or takes too long in total. */
class TimeLimits {
  /** Why the download was aborted, or undefined if it wasn't. */
  reason: string | undefined;
  private readonly controller = new AbortController();
  private readonly silenceMs: number;
  private readonly total: NodeJS.Timeout;
  private silence: NodeJS.Timeout | undefined;

  constructor({ silenceMs, totalMs }: DownloadPatience) {
    this.silenceMs = silenceMs;
    this.total = setTimeout(() => {
      this.abort(l10n.t('timed out after {0} minutes', Math.round(totalMs / 60_000)));
    }, totalMs);
    this.hear();
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Restarts the silence timeout, because the server sent something. */
  hear(): void {
    clearTimeout(this.silence);
    this.silence = setTimeout(() => {
      this.abort(l10n.t('the server sent nothing for {0} s', Math.round(this.silenceMs / 1000)));
    }, this.silenceMs);
  }

  stop(): void {
    clearTimeout(this.total);
    clearTimeout(this.silence);
  }

  private abort(reason: string): void {
    this.reason ??= reason;
    this.stop();
    this.controller.abort();
  }
}
