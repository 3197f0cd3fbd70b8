import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readFile, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Names a content: its SHA-256 in hexadecimal digits. */
export type BlobHash = string;

export function hashOf(bytes: Uint8Array): BlobHash {
  return createHash('sha256').update(bytes).digest('hex');
}

/**
 * File contents under their hash in a folder, each stored once. What is written is whole or not there; what was damaged since
 * reads as missing.
 */
export class BlobStore {
  private readonly folder: string;
  private readonly known = new Set<BlobHash>();
  /** What was stored since the pruning that goes on began: whoever decided what it keeps did not know of it. */
  private spared: Set<BlobHash> | undefined;
  private removal: Promise<void> = Promise.resolve();

  /** `folder` is created when something is stored. */
  constructor(folder: string) {
    this.folder = folder;
  }

  async put(bytes: Uint8Array): Promise<BlobHash> {
    const hash = hashOf(bytes);
    this.spared?.add(hash);
    if (this.known.has(hash)) return hash;
    // It may be this very one.
    await this.removal;
    const file = this.fileOf(hash);
    const isStored = await stat(file).then(
      ({ size }) => size === bytes.byteLength,
      () => false,
    );
    if (isStored) {
      const now = new Date();
      // Counts as used now, so that pruning leaves it alone.
      await utimes(file, now, now);
    } else {
      await mkdir(join(file, '..'), { recursive: true });
      const draft = `${file}.${randomUUID()}`;
      await writeFile(draft, bytes, { mode: 0o600 });
      await rename(draft, file);
    }
    this.known.add(hash);
    return hash;
  }

  async get(hash: BlobHash): Promise<Uint8Array | undefined> {
    try {
      const bytes = await readFile(this.fileOf(hash));
      return hashOf(bytes) === hash ? bytes : undefined;
    } catch {
      // Pruned, or never there.
      return undefined;
    }
  }

  /** Deletes the longest unused contents until at most `limit` bytes are left; those in `keep` stay in any case. */
  async prune(limit: number, keep: ReadonlySet<BlobHash>): Promise<void> {
    this.spared = new Set();
    const blobs = await this.list();
    let total = blobs.reduce((sum, { size }) => sum + size, 0);
    blobs.sort((a, b) => a.usedAt - b.usedAt);
    for (const { hash, file, size } of blobs) {
      if (total <= limit) break;
      if (keep.has(hash) || this.spared.has(hash)) continue;
      // First, so that who stores it meanwhile looks whether it is there.
      this.known.delete(hash);
      // What cannot be removed is tried again the next time.
      this.removal = rm(file, { force: true }).catch(() => undefined);
      await this.removal;
      total -= size;
    }
    this.spared = undefined;
  }

  private async list(): Promise<{ hash: BlobHash; file: string; size: number; usedAt: number }[]> {
    const found = [];
    for (const shelf of await readdir(this.folder).catch(() => [])) {
      for (const name of await readdir(join(this.folder, shelf)).catch(() => [])) {
        const file = join(this.folder, shelf, name);
        const info = await stat(file).catch(() => undefined);
        if (info) found.push({ hash: shelf + name, file, size: info.size, usedAt: info.mtimeMs });
      }
    }
    return found;
  }

  private fileOf(hash: BlobHash): string {
    return join(this.folder, hash.slice(0, 2), hash.slice(2));
  }
}
