import { readFile, stat } from 'node:fs/promises';
import { extname } from 'node:path';

/** Bytes of a picture or sound that goes along as such; a larger one is a file like others. */
const maxBytes = 5_000_000;

const types: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
  '.mp3': 'audio/mpeg',
  '.wav': 'audio/wav',
  '.ogg': 'audio/ogg',
  '.oga': 'audio/ogg',
  '.opus': 'audio/ogg',
  '.m4a': 'audio/mp4',
  '.flac': 'audio/flac',
  '.webm': 'audio/webm',
  '.weba': 'audio/webm',
};

/** A picture or sound as it goes along. */
export interface MediaFile {
  readonly type: 'image' | 'audio';
  readonly mimeType: string;
  /** Base64. */
  readonly data: string;
}

/** Reads a file that is a picture or sound by its name; undefined for others, for large ones, and for what cannot be read. */
export async function readMedia(path: string): Promise<MediaFile | undefined> {
  const mimeType = types[extname(path).toLowerCase()];
  if (mimeType === undefined) return undefined;
  try {
    if ((await stat(path)).size > maxBytes) return undefined;
    const bytes = await readFile(path);
    if (mimeType === 'audio/webm' && hasPictures(bytes)) return undefined;
    const type = mimeType.startsWith('image/') ? 'image' : 'audio';
    return { type, mimeType, data: bytes.toString('base64') };
  } catch {
    return undefined; // The agent finds out what became of it.
  }
}

/** Films and sound have the same name; a film names the codec of its pictures before the first of them. */
function hasPictures(webm: Buffer): boolean {
  return /V_(?:VP[89]|AV1|MPEG)/.test(webm.subarray(0, 65_536).toString('latin1'));
}
