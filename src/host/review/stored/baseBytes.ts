import { hashOf, type BlobHash, type BlobStore } from '../../../baseline/blobStore';
import * as vscode from 'vscode';
import { byteOrderMarkOf, type ByteOrderMark } from '../../../review/files/byteOrderMark';
import { onlyBreak, linesWithBreaks, type FileState, type TextState } from '../../../review/files/fileState';
import { isSameButLineBreaks } from '../../../review/lines/lines';
import { JsonFiles } from '../../storage/jsonFiles';
import type { StorageWindows } from '../../storage/storageWindows';

/** The bytes that a text was decoded from, both by hash. Bytes that are the text's plain UTF-8 aren't stored. */
interface Origin {
  readonly text: BlobHash;
  readonly bytes?: BlobHash;
  /** Editors can't keep mixed line breaks, so a text that differs only in line breaks counts as the same. */
  readonly isMixed: boolean;
}

/** The stored locations of bytes, for use after a reload. A file of another `version` is ignored. */
interface StoredOrigins {
  readonly version: 1;
  readonly origins: readonly (readonly [uri: string, origin: Origin])[];
}

/** Minimum time between two writes of locations that can wait, in milliseconds. */
const calmMs = 200;

/** A window's file has the window's id before the extension. Files of earlier versions have none. */
const fileName = /^origins(?:\.([\da-z-]+))?\.json$/;

/**
 * The bytes of files from when their review began, so that an undo restores them exactly: encoding, byte order mark,
 * line breaks, and binary files.
 */
export class BaseBytes {
  private readonly store: BlobStore;
  private readonly files: JsonFiles;
  private readonly windows: StorageWindows;
  private readonly origins = new Map<string, Origin>();
  private saving: Promise<void> | undefined;
  private saved: Promise<void> | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;

  /**
   * `folder` is used only by this class. Each window that shares it has a file in it with the locations of its bytes.
   */
  constructor(store: BlobStore, folder: string, windows: StorageWindows) {
    this.store = store;
    this.windows = windows;
    this.files = new JsonFiles(folder);
  }

  /** Loads the locations from before a reload, for the files that `isReviewed` accepts. */
  async load(isReviewed: (uri: string) => boolean): Promise<void> {
    const others = await this.windows.others();
    const left = (await this.files.names()).filter((name) => {
      const [isOne, owner] = fileName.exec(name) ?? [];
      return isOne !== undefined && owner !== this.windows.id && (owner === undefined || !others.has(owner));
    });
    for (const name of left) this.adopt(await this.files.read(name), isReviewed);
    if (left.length === 0) return;
    // Save first, so that entries are removed there only once they are stored here.
    await this.save();
    for (const name of left) await this.files.remove(name);
  }

  private adopt(stored: unknown, isReviewed: (uri: string) => boolean): void {
    try {
      const { version, origins } = stored as StoredOrigins;
      if ((version as number) !== 1) return;
      const known = origins.filter(([uri]) => isReviewed(uri) && !this.origins.has(uri));
      for (const [uri, origin] of known) this.origins.set(uri, origin);
    } catch {
      // The file is missing or damaged. Texts are then restored in the encoding of the settings.
    }
  }

  /** Stores the bytes of a file whose review begins. `state` is their decoded form. Rejects if they can't be stored. */
  async keep(uri: string, state: FileState, bytes: Uint8Array): Promise<void> {
    if (state.kind === 'binary') await this.store.save(bytes);
    if (state.kind !== 'text') return;
    const text = textHash(state.text);
    const lines = linesWithBreaks(state.text);
    const isMixed = lines.length > 1 && onlyBreak(lines) === undefined;
    // A text with mixed line breaks is always stored, because an editor's text doesn't have them.
    const isPlain = !isMixed && Buffer.from(state.text, 'utf8').equals(bytes);
    this.origins.set(uri, { text, isMixed, ...(isPlain ? {} : { bytes: await this.store.save(bytes) }) });
    // Without its location, a plain text returns with other line breaks at worst, and thousands may be kept at once.
    if (isPlain) this.saveSoon();
    else await this.save();
  }

  /** Returns a file's first bytes if `state` is its first state. */
  async bytesOf(uri: string, state: FileState): Promise<Uint8Array | undefined> {
    if (state.kind === 'absent') return undefined;
    if (state.kind === 'binary') return this.store.get(state.hash);
    if (state.kind !== 'text') return undefined;
    const bytes = await this.firstBytes(uri, state);
    // Only the text may match the first state, not the byte order mark.
    return bytes && (state.mark ?? byteOrderMarkOf(bytes)) === byteOrderMarkOf(bytes) ? bytes : undefined;
  }

  private async firstMark(uri: string): Promise<ByteOrderMark | undefined> {
    const origin = this.origins.get(uri);
    const first = origin?.bytes === undefined ? undefined : await this.store.get(origin.bytes);
    return first && byteOrderMarkOf(first);
  }

  private async firstBytes(uri: string, state: TextState): Promise<Uint8Array | undefined> {
    const origin = this.origins.get(uri);
    if (!origin) return undefined;
    if (origin.text === textHash(state.text)) return this.read(origin, state.text);
    const bytes = origin.isMixed && origin.bytes !== undefined ? await this.store.get(origin.bytes) : undefined;
    if (!bytes) return undefined;
    const first = await vscode.workspace.decode(bytes, { uri: vscode.Uri.parse(uri) });
    return isSameButLineBreaks(first, state.text) ? bytes : undefined;
  }

  /**
   * Returns the bytes to write for a text: the first ones if it's the first text. Otherwise, encodes it with its byte
   * order mark as the settings say.
   */
  async encode(uri: string, state: TextState): Promise<Uint8Array> {
    const first = await this.bytesOf(uri, state);
    if (first) return first;
    const { text } = state;
    const mark = state.mark ?? (await this.firstMark(uri));
    if (mark !== undefined && mark !== 'none') {
      return vscode.workspace.encode(text, { encoding: mark === 'utf8' ? 'utf8bom' : mark });
    }
    const bytes = await vscode.workspace.encode(text, { uri: vscode.Uri.parse(uri) });
    const isMarked = mark === 'none' && byteOrderMarkOf(bytes) !== 'none';
    return isMarked ? vscode.workspace.encode(text, { encoding: 'utf8' }) : bytes;
  }

  /** Records a file's new URI. */
  rename(from: string, to: string): void {
    const origin = this.origins.get(from);
    if (!origin) return;
    this.origins.delete(from);
    this.origins.set(to, origin);
    // If this write fails, the next save includes it. Otherwise, a reload knows only the text.
    void this.save().catch(() => undefined);
  }

  /**
   * The contents that must not be pruned, for the files that `isReviewed` accepts. The log itself lists binary bases.
   */
  hashes(isReviewed: (uri: string) => boolean): BlobHash[] {
    return [...this.origins].flatMap(([uri, { bytes }]) => (bytes !== undefined && isReviewed(uri) ? [bytes] : []));
  }

  /** Resolves once all locations are on disk. */
  async flush(): Promise<void> {
    if (this.timer === undefined) return;
    clearTimeout(this.timer);
    this.timer = undefined;
    await this.save();
  }

  private saveSoon(): void {
    this.timer ??= setTimeout(() => void this.flush().catch(() => undefined), calmMs);
    this.timer.unref();
  }

  /** Saves the locations. Combines many changes into one write. */
  private save(): Promise<void> {
    this.saving ??= Promise.resolve(this.saved?.catch(() => undefined)).then(async () => {
      this.saving = undefined;
      const origins = [...this.origins];
      this.windows.enter();
      const name = `origins.${this.windows.id}.json`;
      this.saved = this.files.write(name, JSON.stringify({ version: 1, origins } satisfies StoredOrigins));
      await this.saved;
    });
    return this.saving;
  }

  private async read({ bytes }: Origin, text: string): Promise<Uint8Array | undefined> {
    return bytes === undefined ? Buffer.from(text, 'utf8') : this.store.get(bytes);
  }
}

function textHash(text: string): BlobHash {
  return hashOf(Buffer.from(text, 'utf16le'));
}
