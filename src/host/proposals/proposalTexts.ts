import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { isSameButLineBreaks } from '../../review/lines/lines';
import { compact } from '../../shared/values/decodeValue';
import { Disposable } from '../../shared/values/disposable';
import { Emitter } from '../../shared/values/event';
import { fields, list, number, oneOf, optional, text } from '../../shared/values/shape';
import { fromLaterVersion, isOfLaterVersion, JsonFiles } from '../storage/jsonFiles';
import { Records } from '../storage/records';
import type { StoragePlace } from '../storage/storageTroubles';
import { plainTitle } from '../ui/labels';

/** The scheme of texts that an agent proposes and the user can edit. */
export const proposalScheme = 'parley-proposal';

/** Texts that weren't used for longer than this are removed, unless one is open. In milliseconds. */
const keptMs = 30 * 24 * 60 * 60 * 1000;
/** How long typed text waits for more before it is stored, in milliseconds. */
const gatherMs = 300;

/** A text that an agent proposes, and the user's version of it. */
export interface ProposalText<About = unknown> {
  readonly id: string;
  /** The name of the file, for its tab and its language. */
  readonly name: string;
  readonly before: string;
  readonly agents: string;
  readonly mine: string;
  /** Versions of the user's that were closed without saving them, the latest last. */
  readonly unsaved?: readonly string[];
  /** What it is about. Belongs to the part that added it. */
  readonly about: About;
  /** When it was last changed, in milliseconds since the epoch. */
  readonly at: number;
}

/** A text that was saved in the editor, and when. */
interface Saved {
  readonly text: string;
  readonly at: number;
}

/** The side of a text in the editor. Only `mine` can be changed. */
type Side = 'before' | 'agents' | 'mine';

const shape = fields({
  version: oneOf(1),
  window: text,
  id: text,
  name: text,
  before: text,
  agents: text,
  mine: text,
  unsaved: optional(list(text)),
  about: fields({ kind: text }),
  at: number,
  saved: fields({ text: text, at: number }),
});

/**
 * The texts that agents propose, as files of a scheme of their own: editable, but in no workspace. They are in Parley's storage, so that what
 * the user typed survives a reload of the window.
 */
export class ProposalTexts extends Disposable implements vscode.FileSystemProvider {
  private readonly texts = new Map<string, ProposalText>();
  /** Texts that were removed while the editor had them open. They can be read and saved until it closes them. */
  private readonly leaving = new Map<string, ProposalText>();
  /** What the editor has last saved. It compares that with unsaved text after a reload, so it is stored, too. */
  private readonly saved = new Map<string, Saved>();
  private readonly records: Records;
  private readonly place: StoragePlace;
  private readonly scheme: string;
  private readonly loading: Promise<void>;
  private readonly files = this.register(new vscode.EventEmitter<vscode.FileChangeEvent[]>());
  readonly onDidChangeFile = this.files.event;
  private readonly typed = this.register(new Emitter<string>());
  /** Fires with the id of a text that the user changed. */
  readonly onDidType = this.typed.event;
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** `scheme` is that of the texts. A window has one provider for each. */
  constructor(place: StoragePlace, scheme = proposalScheme, now: () => number = () => Date.now()) {
    super();
    this.scheme = scheme;
    this.place = place;
    const { storage, windows, troubles } = place;
    const files = new JsonFiles(join(storage, 'proposals'), (path) => troubles.setAside('proposals', path));
    this.records = this.register(new Records(files, 'proposals', troubles, () => windows.enter()));
    this.loading = this.load(now());
    this.register({ dispose: () => clearTimeout(this.timer) });
    this.register(vscode.workspace.registerFileSystemProvider(scheme, this, { isCaseSensitive: true }));
    this.register(
      vscode.workspace.onDidChangeTextDocument(({ document, reason }) => {
        const id = this.idOf(document.uri);
        const text = id === undefined ? undefined : this.texts.get(id);
        if (!text) return;
        const mine = document.getText();
        // "Don't Save" and "Revert File" bring the saved text back. Nothing that the user typed may get lost by that.
        const saved = this.saved.get(text.id)?.text ?? text.mine;
        const isReverted = !document.isDirty && reason === undefined && isSameButLineBreaks(mine, saved);
        const { unsaved = [] } = text;
        const isLost = isReverted && text.mine !== mine && text.mine !== text.agents;
        this.change(text.id, { mine, ...(isLost ? { unsaved: [...unsaved, text.mine] } : {}) }, now());
        this.typed.fire(text.id);
      }),
    );
    this.register(
      vscode.workspace.onDidCloseTextDocument(({ uri }) => {
        const id = this.find(uri)?.text.id;
        // Both sides of a diff close one after the other.
        if (id !== undefined && !this.isOpen(id) && this.leaving.delete(id)) this.saved.delete(id);
      }),
    );
  }

  /** Resolves once the texts of earlier windows are known. */
  get loaded(): Promise<void> {
    return this.loading;
  }

  /** Returns the user's version as it is now. */
  mine({ id, mine }: ProposalText): string {
    const open = vscode.workspace.textDocuments.find(({ uri, isClosed }) => !isClosed && this.idOf(uri) === id);
    return open?.getText() ?? this.texts.get(id)?.mine ?? mine;
  }

  get all(): readonly ProposalText[] {
    return [...this.texts.values()];
  }

  get(id: string): ProposalText | undefined {
    return this.texts.get(id);
  }

  /** Adds a text, which the user hasn't changed yet. */
  add(text: Omit<ProposalText, 'id' | 'mine' | 'at'>, now: number = Date.now()): ProposalText {
    const added = { ...text, id: randomUUID().slice(0, 8), mine: text.agents, at: now };
    this.texts.set(added.id, added);
    this.saved.set(added.id, { text: added.mine, at: now });
    this.schedule(added.id);
    return added;
  }

  /** Changes what a text is about, or the user's version of it. */
  change(
    id: string,
    fields: Partial<Pick<ProposalText, 'about' | 'mine' | 'unsaved'>>,
    now: number = Date.now(),
  ): void {
    const text = this.texts.get(id);
    if (!text) return;
    this.texts.set(id, { ...text, ...fields, at: now });
    this.schedule(id);
  }

  /** Makes the version that was closed last without saving it the user's version again. The one of now stays behind it. */
  restoreUnsaved(id: string, now: number = Date.now()): void {
    const text = this.texts.get(id);
    const last = text?.unsaved?.at(-1);
    if (!text || last === undefined) return;
    const present = this.mine(text);
    const unsaved = (text.unsaved ?? []).slice(0, -1);
    this.saved.set(id, { text: last, at: now });
    this.change(id, { mine: last, unsaved: present === text.agents ? unsaved : [present, ...unsaved] }, now);
    this.files.fire([{ type: vscode.FileChangeType.Changed, uri: this.uriOf(text, 'mine') }]);
  }

  /** Removes a text. If the editor has it open, it closes without an error or a question afterward. */
  remove(id: string): void {
    const text = this.texts.get(id);
    if (!text) return;
    this.texts.delete(id);
    if (this.isOpen(id)) this.leaving.set(id, text);
    else this.saved.delete(id);
    this.records.remove(`${id}.json`);
    void this.records.flush();
  }

  /** Returns the address of a side. Its path is the file's name alone, because the editor shows it above the text. */
  uriOf({ id, name }: ProposalText, side: Side): vscode.Uri {
    return vscode.Uri.from({ scheme: this.scheme, authority: `${id}.${side}`, path: `/${name}` });
  }

  /** Returns the id of the text whose editable side has this address. */
  idOf(uri: vscode.Uri): string | undefined {
    const found = this.find(uri);
    return found?.side === 'mine' ? found.text.id : undefined;
  }

  /** Opens the user's version of a text as the right side of a diff. */
  async showMine(text: ProposalText, left: vscode.Uri, options: vscode.TextDocumentShowOptions = {}): Promise<void> {
    this.prepare(text.id);
    const title = plainTitle(l10n.t('{0} (your version)', text.name));
    const shown = { preview: false, ...options };
    await vscode.commands.executeCommand('vscode.diff', left, this.uriOf(text, 'mine'), title, shown);
  }

  /** Must be called before a text is opened: if it isn't open yet, it opens with what the user typed last. */
  prepare(id: string, now: number = Date.now()): void {
    const text = this.texts.get(id);
    const isShown = this.tabsOf([id]).length > 0;
    // If it is open, the editor compares what is unsaved with what was saved.
    if (!text || isShown || this.isOpen(id) || this.saved.get(id)?.text === text.mine) return;
    this.saved.set(id, { text: text.mine, at: now });
    this.schedule(id);
  }

  /** Saves what was typed in the editor and closes the tabs of these texts, without a question. */
  async close(ids: readonly string[]): Promise<void> {
    for (const document of vscode.workspace.textDocuments) {
      if (document.isDirty && this.isOf(document.uri, ids)) await document.save();
    }
    const tabs = this.tabsOf(ids);
    if (tabs.length > 0) await vscode.window.tabGroups.close(tabs, true);
  }

  /** Resolves once everything typed up to now is on disk. */
  flush(): Promise<void> {
    return this.records.flush();
  }

  /** Writes synchronously from now on. */
  flushNow(): Promise<void> {
    return this.records.flushNow();
  }

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => undefined);
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const { text, side } = await this.required(uri);
    const { mtime, bytes } = await this.content(text, side, uri);
    const stat = { type: vscode.FileType.File, ctime: mtime, mtime, size: bytes.length };
    return side === 'mine' ? stat : { ...stat, permissions: vscode.FilePermission.Readonly };
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    const { text, side } = await this.required(uri);
    return (await this.content(text, side, uri)).bytes;
  }

  async writeFile(uri: vscode.Uri, content: Uint8Array): Promise<void> {
    const { text, side } = await this.required(uri);
    if (side !== 'mine') throw vscode.FileSystemError.NoPermissions(uri);
    const mine = await vscode.workspace.decode(content, { uri });
    const at = Date.now();
    this.saved.set(text.id, { text: mine, at });
    this.change(text.id, { mine }, at);
    this.files.fire([{ type: vscode.FileChangeType.Changed, uri }]);
  }

  readDirectory(): [string, vscode.FileType][] {
    return [];
  }

  createDirectory(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  delete(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  rename(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  private isOpen(id: string): boolean {
    return vscode.workspace.textDocuments.some(({ uri, isClosed }) => !isClosed && this.isOf(uri, [id]));
  }

  private isOf(uri: vscode.Uri, ids: readonly string[]): boolean {
    const [id = ''] = uri.scheme === this.scheme ? uri.authority.split('.') : [];
    return ids.includes(id);
  }

  private tabsOf(ids: readonly string[]): readonly vscode.Tab[] {
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    return tabs.filter(({ input }) => {
      if (input instanceof vscode.TabInputTextDiff) return this.isOf(input.modified, ids);
      return input instanceof vscode.TabInputText && this.isOf(input.uri, ids);
    });
  }

  private async content(
    text: ProposalText,
    side: Side,
    uri: vscode.Uri,
  ): Promise<{ mtime: number; bytes: Uint8Array }> {
    const saved = this.saved.get(text.id) ?? { text: text.mine, at: 0 };
    const content = side === 'mine' ? saved.text : text[side];
    // The editor reads it with the encoding that the user has set for files.
    return { mtime: side === 'mine' ? saved.at : 0, bytes: await vscode.workspace.encode(content, { uri }) };
  }

  private async required(uri: vscode.Uri): Promise<{ readonly text: ProposalText; readonly side: Side }> {
    await this.loading;
    const found = this.find(uri);
    if (!found) throw vscode.FileSystemError.FileNotFound(uri);
    return found;
  }

  private find(uri: vscode.Uri): { readonly text: ProposalText; readonly side: Side } | undefined {
    const [id = '', side] = uri.scheme === this.scheme ? uri.authority.split('.') : [];
    const text = this.texts.get(id) ?? this.leaving.get(id);
    return text && (side === 'before' || side === 'agents' || side === 'mine') ? { text, side } : undefined;
  }

  private schedule(id: string): void {
    this.records.set(`${id}.json`, () => {
      const text = this.texts.get(id);
      const saved = this.saved.get(id);
      return text && JSON.stringify({ version: 1, window: this.place.windows.id, ...text, saved });
    });
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      void this.records.flush();
    }, gatherMs);
  }

  /** Loads the texts that closed windows have left. */
  private async load(now: number): Promise<void> {
    const [names, others] = await Promise.all([this.records.names(), this.place.windows.others()]);
    for (const name of names) {
      const read = await this.records.load(name, parse);
      if (!read || others.has(read.window) || this.texts.has(read.text.id)) continue;
      const { text, saved } = read;
      if (now - text.at > keptMs) {
        this.records.remove(name);
        continue;
      }
      this.texts.set(text.id, text);
      this.saved.set(text.id, saved);
      this.schedule(text.id);
    }
  }
}

interface StoredText {
  readonly window: string;
  readonly text: ProposalText;
  readonly saved: Saved;
}

function parse(json: unknown): StoredText | typeof fromLaterVersion | undefined {
  if (isOfLaterVersion(json, 1)) return fromLaterVersion;
  if (!shape(json)) return undefined;
  const { window, id, name, before, agents, mine, unsaved, about, at, saved } = json;
  return { window, text: { id, name, before, agents, mine, about, at, ...compact({ unsaved }) }, saved };
}

export function isEdited({ agents, mine }: Pick<ProposalText, 'agents' | 'mine'>): boolean {
  return !isSameButLineBreaks(agents, mine);
}
