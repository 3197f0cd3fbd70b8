import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import type { Attachment } from '../../src/shared/transcript/content';
import { splitLineFragment } from '../../src/shared/text/lineFragment';
import type { FollowedFile } from '../../src/shared/pages/messages';
import { nameWithLines, pathOf } from '../base/attachmentNames';
import { icon } from '../base/icon';

/**
 * The attachment that follows the editor: the selected lines of the active file, or else a link to the file. The user can turn it off. A
 * file that may not be meant for the agent is off until the user turns it on, for this file only.
 */
export class FollowedChip {
  private readonly ignoredChanged: (isIgnored: boolean) => void;
  private file: FollowedFile | undefined;
  private isIgnored: boolean;
  /** The URI of the withheld file that the user turned on. */
  private agreedTo = '';

  /** `ignoredChanged` is called when the user turns following off or on. */
  constructor(isIgnored: boolean, ignoredChanged: (isIgnored: boolean) => void) {
    this.isIgnored = isIgnored;
    this.ignoredChanged = ignoredChanged;
  }

  follow(file: FollowedFile | undefined): void {
    this.file = file;
  }

  /** Returns what is sent with a message that carries `others` as well. Commands of the agent alone carry nothing more. */
  attachment(others: readonly Attachment[], isCommand: boolean): Attachment | undefined {
    const { file } = this;
    if (!file || !this.isOn(file) || isCommand || isAmong(file, others)) return undefined;
    const link = { type: 'resource_link', uri: file.uri, name: file.name } as const;
    // A whole file with every message would soon fill the agent's context. The agent can read it.
    return splitLineFragment(file.uri).lines ? link : { ...link, linkOnly: true };
  }

  /** `afterwards` is called when the user turns it on or off. */
  render(others: readonly Attachment[], isCommand: boolean, afterwards: () => void): TemplateResult | typeof nothing {
    const { file } = this;
    if (!file || isAmong(file, others)) return nothing;
    const isOn = this.isOn(file) && !isCommand;
    const name = nameWithLines(file);
    return html`<button
      type="button"
      class="chip file follow ${isOn ? '' : 'off'}"
      aria-pressed=${isOn}
      aria-label=${l10n.t('Active editor: {0}', name)}
      title=${`${pathOf(file.uri)}\n${this.sentence(file, isCommand)}`}
      @click=${() => {
        this.toggle(file);
        afterwards();
      }}
    >
      ${icon(isOn ? 'eye' : 'circle-slash')}<span class="clip">${name}</span>
    </button>`;
  }

  private isOn({ uri, withheld }: FollowedFile): boolean {
    return !this.isIgnored && (withheld === undefined || this.agreedTo === fileOf(uri));
  }

  private toggle(file: FollowedFile): void {
    const wasOn = this.isOn(file);
    if (file.withheld) this.agreedTo = wasOn ? '' : fileOf(file.uri);
    if (wasOn === this.isIgnored || (wasOn && file.withheld)) return;
    this.isIgnored = wasOn;
    this.ignoredChanged(this.isIgnored);
  }

  /** Returns what is sent, or why nothing is. */
  private sentence(file: FollowedFile, isCommand: boolean): string {
    if (this.isOn(file)) {
      if (isCommand) return l10n.t('Not sent with a command');
      const { lines } = splitLineFragment(file.uri);
      return lines
        ? l10n.t('Sends the selected lines with your message')
        : l10n.t('Sends a link to this file with your message');
    }
    if (this.isIgnored) return l10n.t('Not sent with your message');
    switch (file.withheld) {
      case 'secret':
        return l10n.t('Not sent, because this file may contain secrets');
      case 'ignored':
        return l10n.t('Not sent, because this file is ignored by git or hidden by settings');
      default:
        return l10n.t('Not sent, because this file is outside the workspace');
    }
  }
}

/** Returns whether a file, or exactly these lines of it, are attached already. */
function isAmong({ uri }: FollowedFile, others: readonly Attachment[]): boolean {
  const isWhole = splitLineFragment(uri).lines === undefined;
  return others.some(({ uri: other = '' }) => (isWhole ? fileOf(other) : other) === uri);
}

function fileOf(uri: string): string {
  return splitLineFragment(uri).uri;
}
