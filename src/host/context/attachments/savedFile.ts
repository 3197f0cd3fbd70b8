import * as l10n from '@vscode/l10n';
import type { SavableBlock } from '../../../shared/transcript/content';
import { decoded } from '../../../shared/text/uriName';
import { saveAs } from '../../ui/saveAs';

const endings: Readonly<Record<string, string>> = {
  'image/png': '.png',
  'image/jpeg': '.jpg',
  'image/gif': '.gif',
  'image/webp': '.webp',
  'image/svg+xml': '.svg',
  'audio/mpeg': '.mp3',
  'audio/wav': '.wav',
  'audio/x-wav': '.wav',
  'audio/ogg': '.ogg',
  'audio/mp4': '.m4a',
  'audio/flac': '.flac',
  'audio/webm': '.webm',
  'application/pdf': '.pdf',
  'application/zip': '.zip',
};

/** Longer names are cut, because file systems allow 255 bytes. */
const longest = 100;

/**
 * Returns a file name for a content: the last part of its URI without invalid characters. Never returns a path or a
 * hidden file.
 */
export function savedName(block: SavableBlock): string {
  const { mimeType = '' } = block;
  const last = (block.uri ?? '').replace(/[?#].*$/, '').replace(/[/\\]+$/, '');
  const name = decoded(last.slice(Math.max(last.lastIndexOf('/'), last.lastIndexOf('\\'), last.lastIndexOf(':')) + 1))
    // Removes path separators and invisible characters, such as marks that change the text direction.
    .replace(/[/\\<>:"|?*\p{C}]/gu, '')
    .replace(/^[.\s]+|[.\s]+$/g, '');
  const dot = name.lastIndexOf('.');
  const ending =
    dot > 0 ? name.slice(dot).slice(0, 20) : (endings[mimeType.split(';', 1)[0]?.toLowerCase() ?? ''] ?? '');
  const stem = dot > 0 ? name.slice(0, dot) : name;
  const fallback = { image: l10n.t('image'), audio: l10n.t('audio'), resource_blob: l10n.t('file') }[block.type];
  // Don't cut a character in half.
  return `${stem.slice(0, longest).replace(/[\ud800-\udbff]$/, '') || fallback}${ending}`;
}

/** Returns the bytes of a content, or undefined if they aren't valid base64. */
export function savedBytes(block: SavableBlock): Uint8Array | undefined {
  const text = (block.type === 'resource_blob' ? block.blob : block.data).replace(/\s/g, '');
  return /^[\w+/-]*={0,2}$/.test(text) ? Buffer.from(text, 'base64') : undefined;
}

/** Saves content from an agent where the user chooses. Rejects with a sentence. */
export async function saveContent(block: SavableBlock): Promise<void> {
  const name = savedName(block);
  const bytes = savedBytes(block);
  if (!bytes) {
    throw new Error(l10n.t('The file “{0}” from the agent is corrupted. Ask the agent to send it again.', name));
  }
  await saveAs(name, bytes);
}
