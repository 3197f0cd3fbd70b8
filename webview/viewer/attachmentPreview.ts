import * as l10n from '@vscode/l10n';
import { html, nothing, render, type TemplateResult } from 'lit-html';
import type { Attachment } from '../../src/shared/transcript/content';
import { splitLineFragment } from '../../src/shared/text/lineFragment';
import type { FromWebview, ToWebview } from '../../src/shared/pages/messages';
import { nameWithLines, pathOf } from '../base/attachmentNames';
import type { AttachmentUse } from '../base/attachmentUse';
import type { ImageViewer } from './imageViewer';

/** Maximum number of UTF-16 units to show. An editor shows the rest. */
const shownLength = 100_000;

/** What the preview shows: a text, why there is none, or nothing yet. */
interface Shown {
  readonly text?: string;
  readonly problem?: string;
}

/**
 * Shows an attachment in a dialog: its text, its lines of a file as the user sees them now, or its sound. Images are shown by the image
 * viewer. Escape closes it, and the focus returns to where it was.
 */
export class AttachmentPreview {
  private readonly dialog = document.createElement('dialog');
  private readonly images: ImageViewer;
  private readonly post: (message: FromWebview) => void;
  private attachment: Attachment | undefined;
  private use: AttachmentUse | undefined;

  constructor(root: HTMLElement, images: ImageViewer, post: (message: FromWebview) => void) {
    this.images = images;
    this.post = post;
    this.dialog.className = 'pl-preview';
    this.dialog.setAttribute('aria-labelledby', 'pl-preview-title');
    // The event comes late: the dialog may be open again.
    this.dialog.addEventListener('close', () => {
      if (!this.dialog.open) this.clear();
    });
    root.append(this.dialog);
  }

  /** Opens the preview. `use` is for an attachment of the message being typed. */
  open(attachment: Attachment, use?: AttachmentUse): void {
    if (attachment.type === 'image') {
      const { data, mimeType, name } = attachment;
      this.images.open({ src: `data:${mimeType};base64,${data}`, name });
      return;
    }
    this.attachment = attachment;
    this.use = use;
    if (attachment.type === 'resource_link') {
      this.show({});
      if (isWebAddress(attachment.uri)) this.show({ problem: attachment.uri });
      else this.post({ type: 'previewAttachment', uri: attachment.uri });
    } else {
      this.show(attachment.type === 'resource' ? { text: attachment.text } : {});
    }
    if (!this.dialog.open) this.dialog.showModal();
  }

  /** Handles the answer for the open preview. Returns false for all other messages. */
  take(message: ToWebview): boolean {
    if (message.type !== 'attachmentPreview') return false;
    if (this.attachment?.type === 'resource_link' && this.attachment.uri === message.uri) this.show(message);
    return true;
  }

  private clear(): void {
    this.attachment = undefined;
    this.use = undefined;
    render(nothing, this.dialog);
  }

  private show(shown: Shown): void {
    const { attachment, use } = this;
    if (!attachment) return;
    const isLink = attachment.type === 'resource_link';
    const name = isLink || attachment.type === 'resource' ? nameWithLines(attachment) : attachment.name;
    const path = attachment.uri?.startsWith('file:') ? pathOf(attachment.uri) : undefined;
    render(
      html`<h2 id="pl-preview-title" tabindex="-1" autofocus><bdi>${name}</bdi></h2>
        ${path === undefined ? nothing : html`<p class="dim xs path">${path}</p>`}
        ${attachment.type === 'audio' ? sound(attachment) : use?.edit ? this.field(shown, use.edit) : text(shown)}
        <div class="btns">
          ${
            attachment.type === 'audio'
              ? nothing
              : html`<button type="button" class="btn primary" @click=${() => this.openInEditor(attachment)}>
                  ${l10n.t('Open')}
                </button>`
          }
          ${
            use
              ? html`<button
                  type="button"
                  class="btn"
                  @click=${() => {
                    this.dialog.close();
                    use.insert();
                  }}
                >
                  ${l10n.t('Insert as text')}
                </button>`
              : nothing
          }
          <button type="button" class="btn" @click=${() => this.dialog.close()}>${l10n.t('Close')}</button>
        </div>`,
      this.dialog,
    );
  }

  /** Renders the text for editing, with its length. It is what the agent gets. */
  private field({ text = '' }: Shown, edit: (text: string) => void): TemplateResult {
    const change = ({ currentTarget }: Event) => {
      if (!(currentTarget instanceof HTMLTextAreaElement)) return;
      const { value } = currentTarget;
      edit(value);
      if (this.attachment?.type === 'resource') this.attachment = { ...this.attachment, text: value };
      const size = this.dialog.querySelector('.size');
      if (size) size.textContent = sizeWords(value);
    };
    return html`<textarea class="text" aria-label=${l10n.t('Text')} .value=${text} @input=${change}></textarea>
      <p class="dim xs size">${sizeWords(text)}</p>`;
  }

  private openInEditor(attachment: Attachment): void {
    this.dialog.close();
    const { uri = '' } = attachment;
    if (isWebAddress(uri)) this.post({ type: 'openLink', href: uri });
    else if (attachment.type === 'resource' && !uri.startsWith('file:'))
      this.post({ type: 'openText', uri, text: attachment.text });
    else this.post({ type: 'openAttachment', uri });
  }
}

function text({ text, problem }: Shown): TemplateResult {
  if (problem !== undefined) return html`<p class="said">${problem}</p>`;
  const shown = text?.slice(0, shownLength) ?? '';
  return html`<pre class="text" tabindex="0" role="region" aria-label=${l10n.t('Text')} aria-busy=${text === undefined}>
${shown}</pre>
    ${
      shown.length < (text?.length ?? 0)
        ? html`<p class="dim xs">${l10n.t('Only the beginning is shown. Use Open to see the rest.')}</p>`
        : nothing
    }`;
}

function sound({ mimeType, data, name }: Attachment & { readonly type: 'image' | 'audio' }): TemplateResult {
  return html`<audio controls aria-label=${name} src=${`data:${mimeType};base64,${data}`}></audio>`;
}

function sizeWords(text: string): string {
  return l10n.t('{0} characters, sent with your message as shown', text.length.toLocaleString());
}

function isWebAddress(uri: string): boolean {
  return /^https?:/i.test(splitLineFragment(uri).uri);
}
