import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import type { Attachment } from '../../src/shared/transcript/content';
import { nameWithLines, pathOf } from '../base/attachmentNames';
import { icon } from '../base/icon';

/** The attachments of the message being typed. */
export class Attachments {
  private readonly changed: (all: readonly Attachment[]) => void;
  private readonly findTextless: (uris: readonly string[]) => void;
  private all: readonly Attachment[] = [];
  /** The files that the host was asked about. */
  private readonly asked = new Set<string>();
  private textless: ReadonlySet<string> = new Set();

  /**
   * `changed` is called when the user adds or removes attachments. `findTextless` asks which files have no text to send. The answer arrives
   * through `takeTextless`.
   */
  constructor(changed: (all: readonly Attachment[]) => void, findTextless: (uris: readonly string[]) => void) {
    this.changed = changed;
    this.findTextless = findTextless;
  }

  get list(): readonly Attachment[] {
    return this.all;
  }

  /** Shows the attachments of another draft. */
  show(all: readonly Attachment[]): void {
    this.all = all;
    this.ask();
  }

  /** Takes the files that can't be sent as text, such as large or binary ones. */
  takeTextless(uris: readonly string[]): void {
    this.textless = new Set([...this.textless, ...uris]);
  }

  /** Adds attachments, except duplicates. */
  add(more: readonly Attachment[]): void {
    const added = more.filter((one) => !this.all.some((other) => isSame(one, other)));
    if (added.length > 0) this.set([...this.all, ...added]);
  }

  /** Puts an attachment in the place of another one. Returns whether that one was still there. */
  replace(one: Attachment, by: Attachment): boolean {
    if (!this.all.includes(one)) return false;
    this.set(this.all.flatMap((other) => (other === one ? [by] : isSame(other, by) ? [] : [other])));
    return true;
  }

  /** Removes an attachment. Returns whether it was there. */
  remove(one: Attachment): boolean {
    if (!this.all.includes(one)) return false;
    this.set(this.all.filter((other) => other !== one));
    return true;
  }

  clear(): void {
    if (this.all.length > 0) this.set([]);
  }

  /**
   * Renders the attachments after the one that follows the editor. `afterwards` renders again and moves the focus, which was on the removed
   * button. `preview` shows an attachment. With `takesLinks`, the agent gets links to files instead of their text.
   */
  render(
    followed: TemplateResult | typeof nothing,
    afterwards: (removed: string, one: Attachment) => void,
    preview: (one: Attachment) => void,
    takesLinks: boolean,
  ): TemplateResult | typeof nothing {
    if (this.all.length === 0 && followed === nothing) return nothing;
    return html`<div class="chips">
      ${followed}${this.all.length === 0 ? nothing : this.rows(afterwards, preview, takesLinks)}
    </div>`;
  }

  private rows(
    afterwards: (removed: string, one: Attachment) => void,
    preview: (one: Attachment) => void,
    takesLinks: boolean,
  ): TemplateResult {
    return html`<div class="own" role="list" aria-label=${l10n.t('Attachments')}>
      ${this.all.map((one) => {
        const name = nameOf(one);
        const remove = l10n.t('Remove {0}', name);
        const asLink = this.isSentAsLink(one, takesLinks) ? l10n.t('sent as a link') : '';
        const title = asLink === '' ? titleOf(one) : `${titleOf(one)}\n${l10n.t('Sent as a link, without the text')}`;
        return html`<span class="chip file" role="listitem" title=${title}>
          <button
            type="button"
            class="look"
            aria-haspopup="dialog"
            aria-label=${asLink === '' ? nothing : `${name}, ${asLink}`}
            @click=${() => preview(one)}
          >
            ${icon(glyphOf(one))}<span class="clip">${name}</span
            >${asLink === '' ? nothing : icon('link', 'as-link')}</button
          ><button
            type="button"
            class="x"
            aria-label=${remove}
            title=${remove}
            @click=${() => {
              this.remove(one);
              afterwards(name, one);
            }}
          >
            ${icon('close')}
          </button>
        </span>`;
      })}
    </div>`;
  }

  private set(all: readonly Attachment[]): void {
    this.all = all;
    this.changed(all);
    this.ask();
  }

  private ask(): void {
    const uris = this.all.flatMap((one) => (this.isSentAsLink(one, false) ? [] : (fileUriOf(one) ?? [])));
    const more = uris.filter((uri) => !this.asked.has(uri));
    if (more.length === 0) return;
    for (const uri of more) this.asked.add(uri);
    this.findTextless(more);
  }

  /** Returns whether the agent gets a link alone: always for folders and URLs, and for files without text or if it accepts nothing else. */
  private isSentAsLink(one: Attachment, takesLinks: boolean): boolean {
    if (one.type !== 'resource_link') return false;
    return takesLinks || one.linkOnly === true || fileUriOf(one) === undefined || this.textless.has(one.uri);
  }
}

/** Returns the URI of an attached file, which isn't a folder. */
function fileUriOf(one: Attachment): string | undefined {
  return one.type === 'resource_link' && one.uri.startsWith('file:') && !one.uri.endsWith('/') ? one.uri : undefined;
}

function isSame(one: Attachment, other: Attachment): boolean {
  if (one.type === 'resource_link') return other.type === 'resource_link' && one.uri === other.uri;
  if (one.type === 'resource') return other.type === 'resource' && one.uri === other.uri && one.text === other.text;
  return other.type === one.type && one.data === other.data;
}

function nameOf(one: Attachment): string {
  return one.type === 'resource_link' || one.type === 'resource' ? nameWithLines(one) : one.name;
}

function titleOf(one: Attachment): string {
  return one.type === 'resource_link' || isOfFile(one) ? pathOf(one.uri) : one.name;
}

/** Returns whether an attachment is text of a file, with its lines. */
function isOfFile(one: Attachment): one is Attachment & { readonly type: 'resource' } {
  return one.type === 'resource' && one.uri.startsWith('file:');
}

function glyphOf(one: Attachment): string {
  switch (one.type) {
    case 'resource_link':
      if (/^https?:/.test(one.uri)) return 'globe';
      return one.uri.endsWith('/') ? 'folder' : 'file';
    case 'resource':
      return 'file-code';
    case 'image':
      return 'file-media';
    case 'audio':
      return 'unmute';
  }
}
