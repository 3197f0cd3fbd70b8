import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import type { Mention, MentionGroup } from '../../src/shared/pages/messages';
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

/**
 * The list of what can be mentioned, above the composer, open while a word with `@` is being typed. The host finds the
 * options. Each heading's options follow each other.
 */
export class MentionsPopup {
  private readonly list = new PopupList<Mention>();
  private readonly find: (query: string) => void;
  private query: string | undefined;
  /** Whether the host has found nothing for the current word. */
  private isWithoutResult = false;
  /** Where the button inserted an `@`, while the word is empty: the kinds come first. */
  openedAt: number | undefined;

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

  /** The user wants to see what there is, with the `@` at a position. Opens the list even if it was closed for this word. */
  openAt(position: number): void {
    this.openedAt = position;
    this.query = undefined;
    this.list.set(undefined, [], isSame);
  }

  follow(text: string, cursor: number): void {
    const query = mentionWord(text, cursor)?.query;
    if (query === this.query) return;
    if (query !== '') this.openedAt = undefined;
    this.query = query;
    this.isWithoutResult = false;
    // Shows the previous results until new ones arrive, because a flickering list is unreadable.
    this.list.set(query, query === undefined ? [] : this.list.options, isSame);
    if (query !== undefined) this.find(query);
  }

  /** Handles the host's results. Ignores late ones. Returns whether something changed. */
  take(query: string, mentions: readonly Mention[]): boolean {
    if (query !== this.query) return false;
    this.isWithoutResult = mentions.length === 0;
    this.list.set(query, this.openedAt === undefined ? mentions : kindsFirst(mentions), isSame);
    return true;
  }

  close(): void {
    this.list.close();
  }

  key(event: KeyboardEvent): PopupKey<Mention> {
    return this.list.key(event, () => false);
  }

  render(choose: (mention: Mention) => void): TemplateResult | typeof nothing {
    if (!this.isOpen) return this.isWithoutResult && this.hasKind ? noResult() : nothing;
    const groups = inGroups(this.list.options);
    // A press on a heading must not take the cursor from the text, which would close the list.
    return html`<div class="pl-pop above mentions" @mousedown=${(event: Event) => event.preventDefault()}>
      <div role="listbox" id=${mentionsId} tabindex="0" aria-label=${l10n.t('Mentions')}>
        ${groups.map(
          ({ group, from, options }) =>
            html`<div role="group" aria-labelledby=${`${mentionsId}-of-${from}`}>
              <div class="grp" id=${`${mentionsId}-of-${from}`} role="presentation">${headingOf(group)}</div>
              ${options.map((mention, at) => this.option(mention, from + at, choose))}
            </div>`,
        )}
      </div>
      ${this.query === '' ? html`<div class="grp foot">${l10n.t('To drop files here, hold Shift')}</div>` : nothing}
    </div>`;
  }

  private get hasKind(): boolean {
    return this.query?.includes(':') === true;
  }

  private option(mention: Mention, at: number, choose: (mention: Mention) => void): TemplateResult {
    const { label, detail, letters = [] } = mention;
    return html`<div
      class="opt"
      role="option"
      id=${optionId(at)}
      aria-selected=${String(at === this.list.selected)}
      title=${detail === '' ? label : `${label} · ${detail}`}
      @click=${() => choose(mention)}
    >
      ${icon(mention.icon)}<span class="name">${emphasized(label, letters)}</span
      ><span class="dim xs clip">${detail}</span>
    </div>`;
  }
}

/** The id of the list, for the text field's `aria-controls`. */
export const mentionsId = 'pl-mentions';

function noResult(): TemplateResult {
  return html`<div class="pl-pop above mentions">
    <div class="grp none" role="status">${l10n.t('No results')}</div>
  </div>`;
}

function optionId(at: number): string {
  return `${mentionsId}-${at}`;
}

function isSame(one: Mention, other: Mention): boolean {
  return one.id === other.id;
}

function kindsFirst(mentions: readonly Mention[]): readonly Mention[] {
  const isKind = ({ group }: Mention) => group === 'kinds';
  return [...mentions.filter(isKind), ...mentions.filter((mention) => !isKind(mention))];
}

interface Group {
  readonly group: MentionGroup;
  /** The position of the first option. */
  readonly from: number;
  readonly options: Mention[];
}

function inGroups(mentions: readonly Mention[]): readonly Group[] {
  const groups: Group[] = [];
  for (const [from, mention] of mentions.entries()) {
    const last = groups.at(-1);
    if (last?.group === mention.group) last.options.push(mention);
    else groups.push({ group: mention.group, from, options: [mention] });
  }
  return groups;
}

function headingOf(group: MentionGroup): string {
  switch (group) {
    case 'recent':
      return l10n.t('Open and recent files');
    case 'path':
      return l10n.t('Files and folders');
    case 'kinds':
      return l10n.t('More context');
    case 'file':
      return l10n.t('Files');
    case 'folder':
      return l10n.t('Folders');
    case 'symbol':
      return l10n.t('Symbols');
    case 'problem':
      return l10n.t('Problems');
    case 'change':
      return l10n.t('Git changes');
    case 'commit':
      return l10n.t('Git commits');
    case 'terminal':
      return l10n.t('Terminal output');
    case 'session':
      return l10n.t('Earlier sessions');
    case 'link':
      return l10n.t('URL');
  }
}

/** Returns a label with its matched letters emphasized. */
function emphasized(label: string, letters: readonly number[]): readonly (string | TemplateResult)[] {
  const matched = new Set(letters);
  const parts: (string | TemplateResult)[] = [];
  for (let from = 0; from < label.length;) {
    const isMatched = matched.has(from);
    let end = from + 1;
    while (end < label.length && matched.has(end) === isMatched) end++;
    const text = label.slice(from, end);
    parts.push(isMatched ? html`<b>${text}</b>` : text);
    from = end;
  }
  return parts;
}
