import { readFile, stat } from 'node:fs/promises';
import { extname } from 'node:path';

/** Maximum size of attached images and audio in bytes. Larger ones are attached like other files. */
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

/** An image or audio file as an attachment. */
export interface MediaFile {
  readonly type: 'image' | 'audio';
  readonly mimeType: string;
  /** Base64. */
  readonly data: string;
}

/**
 * Reads a file whose name is that of an image or audio file. Resolves to undefined for other, large, and unreadable
 * files.
 */
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
    return undefined; // The agent gets the link and finds out why.
  }
}

/** Video and audio share a file extension. A video lists its codec before the first frame. */
function hasPictures(webm: Buffer): boolean {
  return /V_(?:VP[89]|AV1|MPEG)/.test(webm.subarray(0, 65_536).toString('latin1'));
}
