import { createHash } from 'node:crypto';
import { join, resolve } from 'node:path';
import { allSettings } from './git';
import { readOrdinary, type GitPlace } from './gitPlace';

/** What a pointer of Git LFS says about a file. */
export interface LfsPointer {
  readonly sha256: string;
  readonly size: number;
}

/** An LFS pointer is shorter. In bytes. */
export const pointerBytes = 1024;

/** Reads an LFS pointer (https://github.com/git-lfs/git-lfs/blob/main/docs/spec.md) without extensions, which convert the object. */
export function readPointer(text: string): LfsPointer | undefined {
  const match = /^version https:\/\/git-lfs\.github\.com\/spec\/v1\noid sha256:([0-9a-f]{64})\nsize (\d+)\n$/.exec(
    text,
  );
  return match?.[1] === undefined ? undefined : { sha256: match[1], size: Number(match[2]) };
}

/** Returns the file in which LFS stores an object. */
export function lfsObject(storage: string, { sha256 }: LfsPointer): string {
  return join(storage, 'objects', sha256.slice(0, 2), sha256.slice(2, 4), sha256);
}

/** Reads the file that a pointer stands for, without LFS's own program. Undefined if it isn't there. */
export async function lfsContent(place: GitPlace, pointer: LfsPointer): Promise<Buffer | undefined> {
  const storage = new Map(await allSettings(place)).get('lfs.storage') ?? 'lfs';
  const bytes = await readOrdinary(lfsObject(resolve(place.common, storage), pointer), pointer.size);
  return bytes && createHash('sha256').update(bytes).digest('hex') === pointer.sha256 ? bytes : undefined;
}
