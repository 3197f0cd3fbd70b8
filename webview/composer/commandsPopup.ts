import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import type { PromptListing } from '../../src/shared/pages/prompts';
import type { AvailableCommand } from '../../src/shared/transcript/transcript';
import { commandQuery, matchNames, type NameMatch } from './commandFilter';
import { PopupList, type PopupKey } from './popupList';

/** An option after `/`: a command of the agent, or a prompt of the library. */
export type SlashOption =
  | { readonly kind: 'command'; readonly id: string; readonly match: NameMatch<AvailableCommand> }
  | { readonly kind: 'prompt'; readonly id: string; readonly match: NameMatch<PromptListing> };

/** Options under one heading, which follow each other. */
interface Group {
  readonly heading: string;
  readonly options: readonly SlashOption[];
}

/**
 * The list above the composer while the user types `/` and a word at the start of the message: the agent's commands, the
 * user's prompts, and those of the workspace.
 */
export class CommandsPopup {
  private readonly list = new PopupList<SlashOption>();
  private groups: readonly Group[] = [];

  get isOpen(): boolean {
    return this.list.isOpen;
  }

  /** The id of the selected option, for the text field's `aria-activedescendant`. */
  get activeId(): string | undefined {
    return this.isOpen ? optionId(this.list.selected) : undefined;
  }

  /** Updates the list for the text, the cursor, the agent's commands, and the prompts. */
  follow(
    { agentName, commands }: { readonly agentName: string; readonly commands: readonly AvailableCommand[] },
    prompts: readonly PromptListing[],
    text: string,
    cursor: number,
  ): void {
    const query = commandQuery(text, cursor);
    this.groups = query === undefined ? [] : findGroups(agentName, commands, prompts, query);
    const options = this.groups.flatMap((group) => group.options);
    this.list.set(query, options, (one, other) => one.kind === other.kind && one.id === other.id);
  }

  close(): void {
    this.list.close();
  }

  /** Handles a key. Enter on a complete command without input isn't a choice; it sends the message. */
  key(event: KeyboardEvent, text: string): PopupKey<SlashOption> {
    return this.list.key(
      event,
      ({ kind, match }) => kind === 'command' && text === `/${match.item.name}` && match.item.hint === undefined,
    );
  }

  render(choose: (option: SlashOption) => void): TemplateResult | typeof nothing {
    if (!this.isOpen) return nothing;
    let from = 0;
    // A press on a heading must not take the cursor from the text, which would close the list.
    return html`<div class="pl-pop above commands" @mousedown=${(event: Event) => event.preventDefault()}>
      <div role="listbox" id=${listId} tabindex="0" aria-label=${l10n.t('Commands')}>
        ${this.groups.map(({ heading, options }, at) => {
          const first = from;
          from += options.length;
          return html`<div role="group" aria-labelledby=${`${listId}-of-${at}`}>
            <div class="grp" id=${`${listId}-of-${at}`} role="presentation">${heading}</div>
            ${options.map((option, index) => this.option(option, first + index, choose))}
          </div>`;
        })}
      </div>
    </div>`;
  }

  private option(option: SlashOption, at: number, choose: (option: SlashOption) => void): TemplateResult {
    const more = detailOf(option);
    return html`<div
      class="opt"
      role="option"
      id=${optionId(at)}
      aria-selected=${String(at === this.list.selected)}
      title=${more}
      @click=${() => choose(option)}
    >
      <span class="name">/${marked(option.match)}</span><span class="dim xs clip" dir="auto">${more}</span>
    </div>`;
  }
}

/** The id of the list, for the text field's `aria-controls`. */
export const listId = 'pl-commands';

function optionId(at: number): string {
  return `${listId}-${at}`;
}

/** Returns the options under their headings; the heading with the best match comes first. */
function findGroups(
  agentName: string,
  commands: readonly AvailableCommand[],
  prompts: readonly PromptListing[],
  query: string,
): readonly Group[] {
  const found = [
    {
      heading: l10n.t('Commands from {0}', agentName),
      options: matchNames(commands, query).map((match): SlashOption => ({
        kind: 'command',
        id: match.item.name,
        match,
      })),
    },
    ...[...new Set(prompts.map(({ folder }) => folder))].map((folder) => ({
      heading: folder === '' ? l10n.t('Your prompts') : l10n.t('Prompts of {0}', folder),
      options: matchNames(
        prompts.filter((prompt) => prompt.folder === folder),
        query,
      ).map((match): SlashOption => ({ kind: 'prompt', id: match.item.id, match })),
    })),
  ];
  const rank = ({ options: [first] }: Group) => first?.match.rank ?? 0;
  return found.filter(({ options }) => options.length > 0).sort((a, b) => rank(a) - rank(b));
}

function detailOf({ kind, match }: SlashOption): string {
  if (kind === 'command') {
    const { hint, description } = match.item;
    return hint === undefined ? description : `${description} <${hint}>`;
  }
  return [match.item.title, match.item.description].filter((text) => text !== '').join(' · ');
}

function marked({ item, marks }: NameMatch<{ readonly name: string }>): TemplateResult[] {
  const parts: TemplateResult[] = [];
  let from = 0;
  for (const [start, end] of marks) {
    parts.push(html`${item.name.slice(from, start)}<b>${item.name.slice(start, end)}</b>`);
    from = end;
  }
  parts.push(html`${item.name.slice(from)}`);
  return parts;
}
