import { basename } from 'node:path';
import * as l10n from '@vscode/l10n';
import type { Attachment } from '../../../shared/transcript/content';
import { Disposable } from '../../../shared/values/disposable';
import { mentionKinds, type Mention, type MentionKind } from '../../../shared/pages/messages';
import type { FoundMention, MentionSource } from './mentionSource';
import type { FileKind, FoundFile, WorkspaceFiles } from '../search/workspaceFiles';

/** Maximum number of options in the popup. */
const shown = 40;
/** Maximum number of symbols among files. */
const symbolsShown = 10;
/** With so many letters, a kind or a symbol is meant if its name begins with them. */
const meantLetters = 3;
/** How many lists of options can still be chosen from, because a page may be behind. */
const listsKept = 4;

/** The sources of the kinds that aren't files. */
export type MentionSources = Readonly<Partial<Record<MentionKind, MentionSource>>>;

/**
 * Finds what a message can mention. What is typed after `@` is a part of a file's or folder's path, the beginning of a
 * kind's name, a part of a symbol's name, a URL, or a kind and a colon followed by letters of a name.
 */
export class Mentions extends Disposable {
  private readonly files: WorkspaceFiles;
  private readonly sources: MentionSources;
  private readonly here: () => readonly FoundMention[];
  private readonly lists: (readonly FoundMention[])[] = [];

  /** `here` returns what can be mentioned without typing a name. */
  constructor(files: WorkspaceFiles, sources: MentionSources, here: () => readonly FoundMention[] = () => []) {
    super();
    this.files = files;
    this.sources = sources;
    this.here = here;
  }

  /**
   * Calls `answer` with what is found, and again when the workspace is read if it wasn't before, and when symbols are
   * found. Stops once `isStale` returns true.
   */
  async find(query: string, answer: (mentions: readonly Mention[]) => void, isStale = () => false): Promise<void> {
    let symbols: readonly FoundMention[] = [];
    const answerNow = async () => {
      const found = await this.look(query, symbols, isStale);
      if (!found || isStale()) return;
      this.lists.unshift(found);
      this.lists.length = Math.min(this.lists.length, listsKept);
      answer(found.map((mention) => plain(mention)));
    };
    await answerNow();
    const withSymbols = async () => {
      symbols = isStale() ? [] : await this.findSymbols(query);
      if (symbols.length > 0 && !isStale()) await answerNow();
    };
    const withAllFiles = async () => {
      if ((await this.files.settled()) && !isStale()) await answerNow();
    };
    await Promise.all([withSymbols(), withAllFiles()]);
  }

  /** Resolves to the attachments of a found mention. Rejects with a sentence. */
  async take(id: string): Promise<readonly Attachment[]> {
    const mention = this.lists.flat().find((one) => one.id === id);
    if (!mention) throw new Error(l10n.t('This is no longer available. Type @ again.'));
    if (mention.attachment) return [mention.attachment];
    return (await mention.take?.()) ?? [];
  }

  private async look(
    query: string,
    symbols: readonly FoundMention[],
    isStale: () => boolean,
  ): Promise<readonly FoundMention[] | undefined> {
    if (isAddress(query)) return links(query);
    const [kind, typed] = kindIn(query);
    if (kind === 'file' || kind === 'folder') return this.findFiles(typed, kind, isStale);
    const source = kind && this.sources[kind];
    if (source) return source.find(typed, this.files.folder);
    if (query === '') {
      const recent = await this.files.findRecent('');
      return [...recent.map(fileMention), ...this.kinds(), ...this.here()];
    }
    const found = await this.findFiles(query, 'all', isStale);
    if (!found) return undefined;
    const files = found.map((file) => (file.group === 'recent' ? file : inPaths(file)));
    const kinds = [...this.kinds(), ...this.here()].filter(({ id, label }) =>
      isBegunBy(query, id.slice(id.indexOf(':') + 1), ...label.split(' '), label),
    );
    // A file whose name is typed comes before symbols, and a symbol whose name is typed before files that match somehow.
    const isSymbolMeant = !files.some(({ label }) => isBegunBy(query, label));
    const ofNames = isSymbolMeant ? symbols.filter(({ label }) => isBegunBy(query, label)) : [];
    const others = symbols.filter((symbol) => !ofNames.includes(symbol));
    return query.length >= meantLetters
      ? [...kinds, ...ofNames, ...files, ...others]
      : [...ofNames, ...files, ...others, ...kinds];
  }

  /** Finds symbols for what is typed without a kind. A language server may be slow or broken, so it's asked for more than a letter. */
  private async findSymbols(query: string): Promise<readonly FoundMention[]> {
    const source = this.sources.symbol;
    if (!source || query.length < meantLetters || isAddress(query) || kindIn(query)[0] || /[/\\.]/.test(query))
      return [];
    try {
      return (await source.find(query, this.files.folder)).slice(0, symbolsShown);
    } catch {
      return [];
    }
  }

  private async findFiles(
    typed: string,
    kind: FileKind,
    isStale: () => boolean,
  ): Promise<readonly FoundMention[] | undefined> {
    const [named, found] = await Promise.all([
      this.files.at(typed, kind),
      this.files.find(typed, shown, kind, isStale),
    ]);
    if (!found || !named || found.some(({ uri }) => uri.fsPath === named.uri.fsPath)) return found?.map(fileMention);
    return [named, ...found].map(fileMention);
  }

  /** Returns the kinds to choose from. */
  private kinds(): FoundMention[] {
    const labels: Record<MentionKind, readonly [label: string, icon: string]> = {
      file: [l10n.t('Files'), 'file'],
      folder: [l10n.t('Folders'), 'folder'],
      symbol: [l10n.t('Symbols'), 'symbol-method'],
      problem: [l10n.t('Problems'), 'warning'],
      change: [l10n.t('Git changes'), 'diff'],
      commit: [l10n.t('Git commits'), 'git-commit'],
      terminal: [l10n.t('Terminal output'), 'terminal'],
      session: [l10n.t('Earlier sessions'), 'comment-discussion'],
      link: [l10n.t('URL'), 'link'],
    };
    const own: readonly MentionKind[] = ['file', 'folder'];
    return mentionKinds.flatMap((kind) => {
      if (!own.includes(kind) && !this.sources[kind]) return [];
      const [label, icon] = labels[kind];
      const insert = kind === 'link' ? 'https://' : `${kind}:`;
      const detail = `@${kind}:`;
      return [{ id: `kinds:${kind}`, kind, group: 'kinds', label, insert, continues: true, detail, icon } as const];
    });
  }
}

/** Files and folders that are offered together are under one heading. */
function inPaths(file: FoundMention): FoundMention {
  return { ...file, group: 'path' };
}

function isAddress(query: string): boolean {
  return /^https?:\/\//i.test(query);
}

/** Returns the kind whose name and a colon begin a query, if there is one, and what follows them. */
function kindIn(query: string): readonly [kind: MentionKind | undefined, typed: string] {
  const [, prefix, typed = ''] = /^([a-z]+):(.*)$/s.exec(query) ?? [];
  return [mentionKinds.find((one) => one === prefix), typed];
}

function isBegunBy(typed: string, ...words: readonly string[]): boolean {
  return words.some((word) => word.toLowerCase().startsWith(typed.toLowerCase()));
}

function plain({ take: _, ...mention }: FoundMention): Mention {
  return mention;
}

/** Finds the URL that is typed. */
export const linkMentions: MentionSource = { find: (typed) => Promise.resolve(links(typed)) };

/** Returns the URL that is typed as a mention. Nothing is read from there. */
function links(address: string): FoundMention[] {
  if (!URL.canParse(address)) return [];
  const { href, host } = new URL(address);
  const attachment = { type: 'resource_link', uri: href, name: host, linkOnly: true } as const;
  return [{ id: `link:${href}`, kind: 'link', group: 'link', label: address, detail: '', icon: 'link', attachment }];
}

function fileMention({ uri, name, path, isFolder, isRecent, letters }: FoundFile): FoundMention {
  const kind = isFolder ? 'folder' : 'file';
  const address = uri.toString();
  return {
    id: `${kind}:${address}`,
    kind,
    group: isRecent ? 'recent' : kind,
    label: name,
    detail: path.slice(0, -name.length).replace(/\/$/, ''),
    icon: kind,
    letters,
    attachment: { type: 'resource_link', uri: isFolder ? `${address}/` : address, name: basename(uri.path) },
  };
}
