import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import type { AvailableCommand } from '../src/shared/transcript';
import { commandQuery, matchCommands, type CommandMatch } from './commandFilter';

/** What a key did in the popup: nothing, something inside it, or a command was chosen. */
export type PopupKey =
  { readonly did: 'nothing' | 'moved' | 'closed' } | { readonly did: 'chose'; readonly name: string };

/**
 * The agent's slash commands above the composer, while a first word with a slash is being typed. Escape closes it for this
 * word; it comes back when the word is gone and a new one begins.
 */
export class CommandsPopup {
  private matches: readonly CommandMatch[] = [];
  private selected = 0;
  private isDismissed = false;
  private query: string | undefined;

  get isOpen(): boolean {
    return this.matches.length > 0 && !this.isDismissed;
  }

  /** The id of the selected option, for the text field's `aria-activedescendant`. */
  get activeId(): string | undefined {
    return this.isOpen ? optionId(this.selected) : undefined;
  }

  /** Follows the text, the text cursor and the agent's list. */
  follow(commands: readonly AvailableCommand[], text: string, cursor: number): void {
    const query = commandQuery(text, cursor);
    const before = this.matches[this.selected]?.command.name;
    this.matches = query === undefined ? [] : matchCommands(commands, query);
    if (query === undefined) this.isDismissed = false;
    // What the user moved to stays selected when the agent sends its list anew, but not when the word changes.
    const same = query === this.query ? this.matches.findIndex(({ command }) => command.name === before) : 0;
    this.selected = Math.max(0, same);
    this.query = query;
  }

  close(): void {
    this.isDismissed = true;
  }

  /** Enter on a word that is the whole command and wants nothing more is not a choice any more: it sends. */
  key(event: KeyboardEvent, text: string): PopupKey {
    if (!this.isOpen || event.ctrlKey || event.altKey || event.metaKey) return { did: 'nothing' };
    const last = this.matches.length - 1;
    switch (event.key) {
      case 'ArrowDown':
        this.selected = this.selected === last ? 0 : this.selected + 1;
        return { did: 'moved' };
      case 'ArrowUp':
        this.selected = this.selected === 0 ? last : this.selected - 1;
        return { did: 'moved' };
      case 'Escape':
        this.close();
        return { did: 'closed' };
      case 'Enter':
      case 'Tab': {
        const command = this.matches[this.selected]?.command;
        if (!command || event.shiftKey) return { did: 'nothing' };
        const isComplete = text === `/${command.name}` && command.hint === undefined;
        if (event.key === 'Enter' && isComplete) return { did: 'nothing' };
        return { did: 'chose', name: command.name };
      }
      default:
        return { did: 'nothing' };
    }
  }

  render(agentName: string, choose: (name: string) => void): TemplateResult | typeof nothing {
    if (!this.isOpen) return nothing;
    return html`<div class="pl-pop above commands">
      <div class="grp" id="pl-commands-of">${l10n.t('Commands of {0}', agentName)}</div>
      <div role="listbox" id=${listId} aria-label=${l10n.t('Commands')}>
        ${this.matches.map((match, at) => this.option(match, at, choose))}
      </div>
    </div>`;
  }

  private option(match: CommandMatch, at: number, choose: (name: string) => void): TemplateResult {
    const { command } = match;
    const more = command.hint === undefined ? command.description : `${command.description} <${command.hint}>`;
    return html`<div
      class="opt"
      role="option"
      id=${optionId(at)}
      aria-selected=${String(at === this.selected)}
      title=${more}
      @mousedown=${(event: Event) => event.preventDefault()}
      @click=${() => choose(command.name)}
    >
      <span class="name">/${marked(match)}</span><span class="dim xs clip">${more}</span>
    </div>`;
  }
}

/** The id of the list, for the text field's `aria-controls`. */
export const listId = 'pl-commands';

function optionId(at: number): string {
  return `${listId}-${at}`;
}

function marked({ command, marks }: CommandMatch): TemplateResult[] {
  const parts: TemplateResult[] = [];
  let from = 0;
  for (const [start, end] of marks) {
    parts.push(html`${command.name.slice(from, start)}<b>${command.name.slice(start, end)}</b>`);
    from = end;
  }
  parts.push(html`${command.name.slice(from)}`);
  return parts;
}
