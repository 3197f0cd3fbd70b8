import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readFile, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { patiently } from '../disk/patiently';

/** Identifies content by its SHA-256 hash in hexadecimal. */
export type BlobHash = string;

export function hashOf(bytes: Uint8Array): BlobHash {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Stores file contents under their hashes in a folder, each one once. Writes are atomic, and damaged files read as missing. */
export class BlobStore {
  private readonly folder: string;
  private readonly known = new Set<BlobHash>();
  /** Blobs stored since the current prune started. Its keep list is older than they are, so it must not delete them. */
  private spared: Set<BlobHash> | undefined;
  private removal: Promise<void> = Promise.resolve();

  /** `folder` is created on the first write. */
  constructor(folder: string) {
    this.folder = folder;
  }

  async save(bytes: Uint8Array): Promise<BlobHash> {
    const hash = hashOf(bytes);
    this.spared?.add(hash);
    if (this.known.has(hash)) return hash;
    // The file being removed may be this one.
    await this.removal;
    const file = this.fileOf(hash);
    const isStored = await stat(file).then(
      ({ size }) => size === bytes.byteLength,
      () => false,
    );
    if (isStored) {
      const now = new Date();
      // Marks the content as used now, so that pruning doesn't delete it.
      await utimes(file, now, now);
    } else {
      await mkdir(join(file, '..'), { recursive: true });
      const draft = `${file}.${randomUUID()}`;
      await writeFile(draft, bytes, { mode: 0o600 });
      await this.moveIn(draft, file, bytes.byteLength);
    }
    this.known.add(hash);
    return hash;
  }

  async get(hash: BlobHash): Promise<Uint8Array | undefined> {
    try {
      const bytes = await patiently(() => readFile(this.fileOf(hash)));
      return hashOf(bytes) === hash ? bytes : undefined;
    } catch {
      // Pruned, or never stored.
      return undefined;
    }
  }

  /** Deletes the least recently used contents until at most `limit` bytes are left. Contents in `keep` are never deleted. */
  async prune(limit: number, keep: ReadonlySet<BlobHash>): Promise<void> {
    this.spared = new Set();
    const blobs = await this.list();
    let total = blobs.reduce((sum, { size }) => sum + size, 0);
    blobs.sort((a, b) => a.usedAt - b.usedAt);
    for (const { hash, file, size } of blobs) {
      if (total <= limit) break;
      if (keep.has(hash) || this.spared.has(hash)) continue;
      // First, so that a concurrent write checks whether the file exists.
      this.known.delete(hash);
      // Files that can't be removed are tried again at the next prune.
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

  private async moveIn(draft: string, file: string, size: number): Promise<void> {
    try {
      await patiently(() => rename(draft, file));
    } catch (error) {
      await rm(draft, { force: true }).catch(() => undefined);
      // Another window stored the same content, and a program still holds the file.
      const there = await stat(file).catch(() => undefined);
      if (there?.size !== size) throw error;
    }
  }

  private fileOf(hash: BlobHash): string {
    return join(this.folder, hash.slice(0, 2), hash.slice(2));
  }
}
