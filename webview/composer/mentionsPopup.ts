import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import type { MentionedFile } from '../../src/shared/messages';
import { icon } from '../base/icon';
import { PopupList, type PopupKey } from './popupList';

/** The word after an `@` that is being typed: the position of the `@`, and the text between it and the cursor. */
export interface MentionWord {
  readonly start: number;
  readonly query: string;
}

/** Returns the word at the cursor if it begins with `@`. Email addresses don't count. */
export function mentionWord(text: string, cursor: number): MentionWord | undefined {
  const found = /(?:^|[\s([{"'`])@([^\s@]*)$/.exec(text.slice(0, cursor));
  return found?.[1] === undefined ? undefined : { start: cursor - found[1].length - 1, query: found[1] };
}

/** The list of files to mention, above the composer, open while a word with `@` is being typed. The host finds the files. */
export class MentionsPopup {
  private readonly list = new PopupList<MentionedFile>();
  private readonly find: (query: string) => void;
  private query: string | undefined;

  constructor(find: (query: string) => void) {
    this.find = find;
  }

  get isOpen(): boolean {
    return this.list.isOpen;
  }

  /** The id of the selected option, for the text field's `aria-activedescendant`. */
  get activeId(): string | undefined {
    return this.isOpen ? optionId(this.list.selected) : undefined;
  }

  follow(text: string, cursor: number): void {
    const query = mentionWord(text, cursor)?.query;
    if (query === this.query) return;
    this.query = query;
    // Shows the previous results until new ones arrive, because a flickering list is unreadable.
    this.list.set(query, query === undefined ? [] : this.list.options, isSame);
    if (query !== undefined) this.find(query);
  }

  /** Handles the host's results. Ignores late ones. Returns whether something changed. */
  take(query: string, files: readonly MentionedFile[]): boolean {
    if (query !== this.query) return false;
    this.list.set(query, files, isSame);
    return true;
  }

  close(): void {
    this.list.close();
  }

  key(event: KeyboardEvent): PopupKey<MentionedFile> {
    return this.list.key(event, () => false);
  }

  render(choose: (file: MentionedFile) => void): TemplateResult | typeof nothing {
    if (!this.isOpen) return nothing;
    return html`<div class="pl-pop above mentions">
      <div class="grp">${l10n.t('Files and folders')}</div>
      <div role="listbox" id=${mentionsId} aria-label=${l10n.t('Mentions')}>
        ${this.list.options.map((file, at) => this.option(file, at, choose))}
      </div>
    </div>`;
  }

  private option(file: MentionedFile, at: number, choose: (file: MentionedFile) => void): TemplateResult {
    return html`<div
      class="opt"
      role="option"
      id=${optionId(at)}
      aria-selected=${String(at === this.list.selected)}
      title=${file.path}
      @mousedown=${(event: Event) => event.preventDefault()}
      @click=${() => choose(file)}
    >
      ${icon(file.isFolder ? 'folder' : 'file')}<span class="name">${file.name}</span
      ><span class="dim xs clip">${folderOf(file)}</span>
    </div>`;
  }
}

/** The id of the list, for the text field's `aria-controls`. */
export const mentionsId = 'pl-mentions';

function optionId(at: number): string {
  return `${mentionsId}-${at}`;
}

function isSame(one: MentionedFile, other: MentionedFile): boolean {
  return one.uri === other.uri;
}

function folderOf({ name, path }: MentionedFile): string {
  return path.endsWith(name) ? path.slice(0, -name.length).replace(/[\\/]$/, '') : path;
}
