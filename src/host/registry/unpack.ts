import { createReadStream } from 'node:fs';
import { copyFile, mkdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import * as l10n from '@vscode/l10n';
import { extract, type Header } from 'tar-stream';
import unbzip2 from 'unbzip2-stream';
import { openPromise, type Entry } from 'yauzl';
import type { ArchiveKind } from '../../agent/registry/registryAgent';
import { reasonOf, RegistryError } from './registryFailures';
import { UnpackTarget } from './unpackTarget';

/** A downloaded file, and where to unpack it. */
export interface Unpacking {
  readonly file: string;
  readonly kind: ArchiveKind;
  /** An empty folder that only this installation uses. */
  readonly folder: string;
  /** The path in the folder for a file that isn't an archive, including its folders. */
  readonly cmd: string;
  readonly signal: AbortSignal;
}

/** Unpacks a download. Rejects if it's damaged or unsafe. The folder's content must not be used then. */
export async function unpack({ file, kind, folder, cmd, signal }: Unpacking): Promise<void> {
  if (kind === 'raw') {
    const path = join(folder, cmd);
    await mkdir(dirname(path), { recursive: true });
    await copyFile(file, path);
    return;
  }
  const target = new UnpackTarget(folder, (await stat(file)).size, signal);
  try {
    if (kind === 'zip') await unzip(file, target);
    else await untar(file, kind === 'tar.gz' ? createGunzip() : unbzip2(), target, signal);
    await target.finish();
  } catch (error) {
    if (signal.aborted || error instanceof RegistryError) throw error;
    throw new RegistryError(l10n.t('Couldn’t unpack the archive: {0}. Nothing was installed.', reasonOf(error)));
  }
}

const fileKind = { mask: 0o170000, folder: 0o040000, file: 0o100000, link: 0o120000 };

async function unzip(file: string, target: UnpackTarget): Promise<void> {
  const zip = await openPromise(file, { lazyEntries: true });
  try {
    for await (const entry of zip.eachEntry()) {
      const name = entry.fileName;
      const mode = unixMode(entry);
      if (name.endsWith('/') || (mode & fileKind.mask) === fileKind.folder) {
        await target.addFolder(name);
        continue;
      }
      const isLink = (mode & fileKind.mask) === fileKind.link;
      if (!isLink && ![0, fileKind.file].includes(mode & fileKind.mask)) target.refuse(name);
      if (isLink && entry.uncompressedSize > 4096) target.refuse(name);
      const content = await zip.openReadStreamPromise(entry);
      if (isLink) target.addLink(name, (await buffer(content)).toString());
      else {
        const counted = counting(target);
        content.on('error', (error) => counted.destroy(error)).pipe(counted);
        await target.addFile(name, mode, counted);
        content.destroy();
      }
    }
  } finally {
    // A rejected entry leaves the file open.
    zip.close();
  }
}

/** Returns the Unix mode of an entry, or 0 if it was packed on another system. */
function unixMode({ versionMadeBy, externalFileAttributes }: Entry): number {
  return [3, 19].includes(versionMadeBy >>> 8) ? externalFileAttributes >>> 16 : 0;
}

async function untar(
  file: string,
  decompress: NodeJS.ReadWriteStream,
  target: UnpackTarget,
  signal: AbortSignal,
): Promise<void> {
  const reader = extract();
  let refusal: unknown;
  const take = async () => {
    for await (const entry of reader) {
      try {
        await takeEntry(entry.header, entry as AsyncIterable<Uint8Array>, target);
        entry.resume();
      } catch (error) {
        // Leaving the loop also ends the pipeline, but with a less specific error.
        refusal = error;
        throw error;
      }
    }
  };
  const ends = await Promise.allSettled([
    // Placed before the reader, because the reader collects long names and headers in memory.
    pipeline(createReadStream(file), decompress, counting(target), reader, { signal }),
    take(),
  ]);
  const failed = ends.find((end) => end.status === 'rejected');
  if (failed) throw refusal ?? failed.reason;
}

/** Passes data through until the target's limit is reached. */
function counting(target: UnpackTarget): Transform {
  return new Transform({
    transform: (chunk: Uint8Array, _encoding, done) => {
      try {
        target.count(chunk.byteLength);
        done(null, chunk);
      } catch (error) {
        done(error as Error);
      }
    },
  });
}

async function takeEntry(
  { name, type, mode, linkname }: Header,
  content: AsyncIterable<Uint8Array>,
  target: UnpackTarget,
): Promise<void> {
  switch (type) {
    case 'file':
    case 'contiguous-file':
      await target.addFile(name, mode, Readable.from(content));
      break;
    case 'directory':
      await target.addFolder(name);
      break;
    case 'symlink':
      target.addLink(name, linkname);
      break;
    case 'link':
      target.addHardLink(name, linkname);
      break;
    default:
      target.refuse(name);
  }
}
