import * as l10n from '@vscode/l10n';
import type { Attachment } from '../../src/shared/transcript/content';
import { scaledDown } from './scaledDown';
import { isRecord } from '../../src/shared/values/isRecord';
import { showHiddenOnOneLine } from '../../src/shared/text/visibleText';

/** Maximum size of an attached image or audio file in bytes. Agents reject more than 5 MB in base64, which is a third longer. */
const maxMedia = 3_700_000;
/** Maximum size of an image that is scaled down, in bytes. */
const maxScaled = 20_000_000;
/** Maximum size of an attached text in bytes. */
const maxText = 256_000;
/** Maximum number of files taken from a paste or a drop. */
const maxFiles = 50;
/** Folders with generated files, which are skipped in a dropped folder. */
const generated = ['node_modules', '.git', '.hg', '.svn'];

/** The attachments made of files, and the number of files that can't be attached. */
export interface TakenFiles {
  readonly attachments: readonly Attachment[];
  readonly skipped: number;
  /** Whether an image was made smaller. */
  readonly scaled: boolean;
}

/** A file with its path in the folder that was dropped. */
interface NamedFile {
  readonly path: string;
  readonly file: File;
}

/**
 * Returns the URIs of the files in a drop: from VS Code's own lists, or from the standard list otherwise. Files of another program arrive as
 * bytes, so their list isn't used.
 */
export function droppedUris(data: DataTransfer | null): string[] {
  if (!data) return [];
  const own = lines(data.getData('application/vnd.code.uri-list'));
  if (own.length > 0) return own;
  const resources = strings(data.getData('resourceurls'));
  if (resources.length > 0) return resources;
  return data.files.length > 0 ? [] : lines(data.getData('text/uri-list'));
}

/**
 * Returns what tools say about the problems in a drop from the Problems view, one per line. The view lists their places as URIs besides.
 */
export function droppedProblems(data: DataTransfer | null): Attachment | undefined {
  const problems = listIn(data?.getData('application/vnd.code.diagnostics') ?? '').flatMap((problem) => {
    if (!isRecord(problem) || typeof problem['message'] !== 'string') return [];
    const { message, resource, startLineNumber: line, source } = problem;
    const path = isRecord(resource) && typeof resource['path'] === 'string' ? resource['path'] : '';
    const tool = typeof source === 'string' ? ` (${source})` : '';
    return [showHiddenOnOneLine(`${path}:${typeof line === 'number' ? line : 1}: ${message}${tool}`)];
  });
  if (problems.length === 0) return undefined;
  const name = problems.length === 1 ? l10n.t('1 problem') : l10n.t('{0} problems', problems.length);
  const uri = `attachment:///${encodeURIComponent(name)}.txt`;
  return { type: 'resource', uri, name: `${name}.txt`, text: `${problems.join('\n')}\n` };
}

/**
 * Returns a function that reads the files of a paste or a drop, also of folders: images, audio, and text. It must be created during the
 * event, because the data is gone afterwards.
 */
export function filesIn(data: DataTransfer | null): (() => Promise<TakenFiles>) | undefined {
  const entries = [...(data?.items ?? [])].flatMap((item) => {
    const entry = item.kind === 'file' ? item.webkitGetAsEntry() : null;
    return entry?.isDirectory ? [entry] : [];
  });
  const folderNames = new Set(entries.map(({ name }) => name));
  // A folder is also in the list of files, as a file without content.
  const files = [...(data?.files ?? [])].filter((file) => !(folderNames.has(file.name) && file.type === ''));
  if (files.length === 0 && entries.length === 0) return undefined;
  return async () => {
    const found: NamedFile[] = files.map((file) => ({ path: file.name, file }));
    for (const entry of entries) await addFolder(entry, entry.name, found);
    const taken = await Promise.all(found.slice(0, maxFiles).map((one) => attachmentOf(one)));
    const attachments = taken.filter((one) => one !== undefined);
    const scaled = found.slice(0, maxFiles).some(({ file }) => isScaled(file)) && attachments.length > 0;
    return { attachments, skipped: found.length - attachments.length, scaled };
  };
}

async function addFolder(entry: FileSystemEntry, path: string, found: NamedFile[]): Promise<void> {
  // One more than the limit, so that the caller knows that there are more.
  if (found.length > maxFiles) return;
  if (isFile(entry)) {
    const file = await new Promise<File | undefined>((resolve) => entry.file(resolve, () => resolve(undefined)));
    if (file) found.push({ path, file });
    return;
  }
  if (generated.includes(entry.name)) return;
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve) => reader.readEntries(resolve, () => resolve([])));
    if (some.length === 0) return;
    for (const inner of some) await addFolder(inner, `${path}/${inner.name}`, found);
  }
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile;
}

async function attachmentOf({ path, file }: NamedFile): Promise<Attachment | undefined> {
  if (isScaled(file)) {
    const smaller = await scaledDown(file, maxMedia);
    return smaller && media(smaller);
  }
  if (/^(image|audio)\//.test(file.type)) return file.size > maxMedia ? undefined : media(file);
  if (file.size > maxText) return undefined;
  const text = textIn(await file.arrayBuffer());
  if (text === undefined) return undefined;
  const name = path || l10n.t('Text');
  const uri = `attachment:///${name.split('/').map(encodeURIComponent).join('/')}`;
  return { type: 'resource', uri, name, text };
}

/** Whether a file is an image that is too large as it is, and can be drawn smaller. */
function isScaled({ type, size }: File): boolean {
  return /^image\/(?!svg)/.test(type) && size > maxMedia && size <= maxScaled;
}

async function media(file: File): Promise<Attachment> {
  const data = await base64(file);
  const type = file.type.startsWith('image/') ? 'image' : 'audio';
  // Browsers use different names for some types.
  const mimeType = file.type.replace('audio/x-m4a', 'audio/mp4').replace(/^audio\/x-/, 'audio/');
  return { type, data, mimeType, name: file.name || (type === 'image' ? l10n.t('Image') : l10n.t('Audio')) };
}

/** Returns the text of a file, or undefined if it isn't text in UTF-8. */
export function textIn(bytes: ArrayBuffer): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}

function base64(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve((reader.result as string).replace(/^[^,]*,/, ''));
    reader.onerror = () => reject(new Error(reader.error?.message ?? ''));
    reader.readAsDataURL(file);
  });
}

/** Returns the entries of a list of URIs (https://www.rfc-editor.org/rfc/rfc2483#section-5). */
function lines(list: string): string[] {
  return list.split(/\r?\n/).filter((line) => line !== '' && !line.startsWith('#'));
}

function strings(json: string): string[] {
  return listIn(json).filter((item) => typeof item === 'string');
}

/** Returns a list in JSON, which is empty if there is none. */
function listIn(json: string): unknown[] {
  try {
    const list: unknown = JSON.parse(json === '' ? '[]' : json);
    return Array.isArray(list) ? list : [];
  } catch {
    return [];
  }
}
