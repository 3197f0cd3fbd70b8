import { extname } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { FileState } from '../../../review/files/fileState';
import type { HunkId } from '../../../review/hunks/hunk';
import { hunksAsCells } from '../../../review/shown/notebookHunks';
import { hunksToShow } from '../../../review/hunks/reviewHunks';
import type { ReviewLog } from '../../../review/log/reviewLog';
import type { TrackedFile } from '../../../review/log/trackedFile';
import type { HunkWish, ReviewContent, ReviewImage, ReviewPageHunk } from '../../../shared/changes/reviewPage';
import { whyNotUndone } from '../../../shared/changes/reviewWords';
import { bytesOnDisk } from '../../workspaceFiles/workspaceFile';
import type { BaseBytes } from '../stored/baseBytes';
import { traitWords } from '../shown/changeWords';

/** Larger images are opened in an editor instead. */
const largestImage = 5_000_000;

const imageTypes: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
  '.bmp': 'image/bmp',
  '.ico': 'image/x-icon',
  '.avif': 'image/avif',
};

/** Returns what a page shows of a file's changes. */
export async function reviewContent(
  log: ReviewLog,
  bases: BaseBytes,
  uri: string,
  ids: readonly HunkId[],
  wishes: readonly HunkWish[],
): Promise<ReviewContent> {
  const file = log.file(uri);
  if (!file) return { kind: 'lines', hunks: [] };
  const { base, current } = file;
  if (base.kind === 'unread') return { kind: 'words', words: whyNotUndone(base.reason) };
  if (base.kind === 'binary' || current.kind === 'binary') {
    return (await imagesOf(bases, uri, file)) ?? { kind: 'words', words: l10n.t('Binary file') };
  }
  const isLines = [base, current].every(({ kind }) => kind === 'text' || kind === 'absent');
  if (!isLines) return { kind: 'words', words: placeWords(base, current) };
  if (file.isWhole) return { kind: 'words', words: l10n.t('This change is too large to show here.') };
  const chosen = new Set(ids);
  const traits = file.traitChanges.filter(({ id }) => chosen.has(id));
  const hunks = [
    ...traits.map((change) => wordsOnly(change.id, traitWords(change))),
    ...hunksAsCells(file.snapshot.text, hunksToShow(file.snapshot.text, chosen, wishes)),
  ];
  return { kind: 'lines', hunks };
}

/** A change without lines. */
function wordsOnly(id: string, words: string): ReviewPageHunk {
  return {
    id,
    stamp: words,
    oldLine: 1,
    newLine: 1,
    oldEnd: 1,
    newEnd: 1,
    before: [],
    removed: [],
    added: [],
    after: [],
    hidden: 0,
    hiddenAfter: 0,
    unfolded: 0,
    cut: 0,
    heading: '',
    words,
    hasUserText: false,
  };
}

async function imagesOf(bases: BaseBytes, uri: string, file: TrackedFile): Promise<ReviewContent | undefined> {
  const type = imageTypes[extname(vscode.Uri.parse(uri).path).toLowerCase()];
  if (type === undefined) return undefined;
  const from = await imageOf(type, file.base, () => bases.bytesOf(uri, file.base));
  const to = await imageOf(type, file.current, () => bytesOnDisk(vscode.Uri.parse(uri)));
  if (!from && !to) return undefined;
  return { kind: 'images', ...(from ? { before: from } : {}), ...(to ? { after: to } : {}) };
}

async function imageOf(
  type: string,
  state: FileState,
  read: () => Promise<Uint8Array | undefined>,
): Promise<ReviewImage | undefined> {
  if (state.kind !== 'binary' || state.size > largestImage) return undefined;
  const bytes = await read();
  if (!bytes || bytes.length > largestImage) return undefined;
  return { source: `data:${type};base64,${Buffer.from(bytes).toString('base64')}`, size: bytes.length };
}

function placeWords(base: FileState, current: FileState): string {
  if (current.kind === 'link') return l10n.t('Symbolic link to {0}', current.target);
  if (base.kind === 'link') return l10n.t('Was a symbolic link to {0}', base.target);
  if (current.kind === 'folder' || base.kind === 'folder') return l10n.t('Folder');
  return l10n.t('The contents can’t be shown here.');
}
