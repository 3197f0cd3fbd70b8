import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import type { AvailableCommand } from '../../src/shared/transcript';
import { commandQuery, matchCommands, type CommandMatch } from './commandFilter';
import { PopupList, type PopupKey } from './popupList';

/** The list of slash commands above the composer, open while the user types a slash command as the first word. */
export class CommandsPopup {
  private readonly list = new PopupList<CommandMatch>();

  get isOpen(): boolean {
    return this.list.isOpen;
  }

  /** The id of the selected option, for the text field's `aria-activedescendant`. */
  get activeId(): string | undefined {
    return this.isOpen ? optionId(this.list.selected) : undefined;
  }

  /** Updates the list for the text, the cursor, and the agent's commands. */
  follow(commands: readonly AvailableCommand[], text: string, cursor: number): void {
    const query = commandQuery(text, cursor);
    const matches = query === undefined ? [] : matchCommands(commands, query);
    this.list.set(query, matches, (one, other) => one.command.name === other.command.name);
  }

  close(): void {
    this.list.close();
  }

  /** Handles a key. Enter on a complete command without input isn't a choice; it sends the message. */
  key(event: KeyboardEvent, text: string): PopupKey<CommandMatch> {
    return this.list.key(event, ({ command }) => text === `/${command.name}` && command.hint === undefined);
  }

  render(agentName: string, choose: (name: string) => void): TemplateResult | typeof nothing {
    if (!this.isOpen) return nothing;
    return html`<div class="pl-pop above commands">
      <div class="grp" id="pl-commands-of">${l10n.t('Commands from {0}', agentName)}</div>
      <div role="listbox" id=${listId} aria-label=${l10n.t('Commands')}>
        ${this.list.options.map((match, at) => this.option(match, at, choose))}
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
      aria-selected=${String(at === this.list.selected)}
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
