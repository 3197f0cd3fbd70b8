import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import * as l10n from '@vscode/l10n';
import { isAllowedUrl } from '../../agent/registry/archiveUrl';
import { reasonOf, RegistryError } from './failures';

/** Bytes of a download so far, and of all of it where the server says. */
export interface DownloadProgress {
  readonly received: number;
  readonly total: number | undefined;
}

export interface DownloadOptions {
  readonly signal: AbortSignal;
  /** In lower case; not checked when absent. */
  readonly sha256?: string | undefined;
  readonly onProgress?: (progress: DownloadProgress) => void;
}

/** More than any agent has. */
const maxBytes = 2_000_000_000;
const maxRedirects = 5;

/** Fetches from an allowed address; a redirect to one that is not is refused. */
export async function fetchAllowed(address: string, init: RequestInit): Promise<Response> {
  let url = address;
  for (let hops = 0; hops <= maxRedirects; hops += 1) {
    if (!isAllowedUrl(url)) throw new RegistryError(l10n.t('{0} is not an https address.', url));
    const response = await fetch(url, { ...init, redirect: 'manual' });
    const location = [301, 302, 303, 307, 308].includes(response.status) ? response.headers.get('location') : null;
    if (location === null) return response;
    await response.body?.cancel();
    url = new URL(location, url).href;
  }
  throw new RegistryError(l10n.t('{0} redirects too often.', address));
}

/** Writes what is at the address into a new file. Rejects when it was not all of it, or not what the checksum says. */
export async function download(address: string, file: string, options: DownloadOptions): Promise<void> {
  const { signal, sha256, onProgress } = options;
  const hash = createHash('sha256');
  const output = await open(file, 'wx', 0o600);
  try {
    // As it lies there: the checksum is of the file, not of what a server makes of it on the way.
    const response = await fetchAllowed(address, { signal, headers: { 'accept-encoding': 'identity' } });
    if (!response.ok || !response.body) throw new Error(`${response.status} ${response.statusText}`.trim());
    const length = Number(response.headers.get('content-length') ?? '');
    const total = length > 0 ? length : undefined;
    let received = 0;
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      received += chunk.byteLength;
      if (received > maxBytes)
        throw new RegistryError(l10n.t('{0} is too large for an agent. It was not installed.', address));
      hash.update(chunk);
      await output.writeFile(chunk);
      onProgress?.({ received, total });
    }
    if (total !== undefined && received !== total) throw new Error(l10n.t('the connection ended early'));
  } catch (error) {
    if (signal.aborted || error instanceof RegistryError) throw error;
    throw new RegistryError(
      l10n.t(
        'The download from {0} failed: {1}. Check the network, then try again.',
        new URL(address).host,
        reasonOf(error),
      ),
    );
  } finally {
    await output.close();
  }
  if (sha256 !== undefined && hash.digest('hex') !== sha256) {
    throw new RegistryError(
      l10n.t(
        'The checksum of {0} did not match. Nothing was installed. Try again later, or tell the agent’s maker.',
        address,
      ),
    );
  }
}
