import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import type { Attachment, ContentBlock, SavableBlock } from '../../../src/shared/transcript/content';
import { nameOfUri } from '../../../src/shared/text/uriName';
import { iconButton } from '../../code/codeBar';
import { createCodeBlock } from '../../code/codeBlock';
import { nameWithLines, pathOf } from '../../base/attachmentNames';
import { byteSize } from '../../base/format';
import { languageOfPath } from '../../code/highlight';
import { fileName } from '../../base/fileName';
import { icon } from '../../base/icon';
import { showPath } from '../../base/paths';

const imageTypes = /^image\/(?:png|jpeg|gif|webp|bmp|avif|svg\+xml)$/;
const audioTypes = /^audio\/[\w.+-]+$/;

/** Returns whether a block is meant for the user (https://agentclientprotocol.com/protocol/content, annotations). */
export function isForUser(block: ContentBlock): boolean {
  return block.type !== 'text' || block.audience === undefined || block.audience.includes('user');
}

/** Renders any content block except text, as in a message or a tool call. Unknown blocks are skipped. */
export function contentBlock(block: ContentBlock): TemplateResult | HTMLElement | typeof nothing {
  switch (block.type) {
    case 'image': {
      const name = block.uri === undefined ? l10n.t('Image') : nameOfUri(block.uri);
      if (!imageTypes.test(block.mimeType)) return withSave(chip('file', block.mimeType, block.uri), block, name);
      return withSave(image(block, name), block, name);
    }
    case 'audio':
      return withSave(sound(block), block, l10n.t('Audio'));
    case 'resource_link':
      return chip('file', block.title ?? block.name, block.uri, block.lastModified);
    case 'resource':
      return resource(block);
    case 'resource_blob':
      return withSave(blob(block), block, nameOfUri(block.uri));
    default:
      return nothing;
  }
}

/** Renders an attachment of the user as a chip or a small image. A click shows it. */
export function attachment(block: ContentBlock): TemplateResult | typeof nothing {
  switch (block.type) {
    case 'resource':
      return previewChip('file-code', {
        type: 'resource',
        uri: block.uri,
        name: nameOfUri(block.uri),
        text: block.text,
      });
    case 'resource_blob':
      return chip('file', nameOfUri(block.uri), block.uri);
    case 'image':
      return image(block, l10n.t('Image'));
    case 'audio':
      return sound(block);
    case 'resource_link':
      return previewChip(block.uri.endsWith('/') ? 'folder' : 'file', {
        type: 'resource_link',
        uri: block.uri,
        name: block.title ?? block.name,
      });
    default:
      return nothing;
  }
}

/** Renders an image as a button that opens it large. */
function image({ mimeType, data }: ContentBlock & { type: 'image' }, alt: string): TemplateResult {
  return html`<button type="button" class="pl-zoom" title=${l10n.t('Enlarge')} aria-haspopup="dialog">
    <img class="pl-image" alt=${alt} src=${`data:${mimeType};base64,${data}`} />
  </button>`;
}

function sound({ mimeType, data, uri }: ContentBlock & { type: 'audio' }): TemplateResult {
  const name = uri === undefined ? l10n.t('Audio') : nameOfUri(uri);
  if (!audioTypes.test(mimeType)) return chip('file', mimeType, undefined);
  return html`<audio controls aria-label=${name} title=${name} src=${`data:${mimeType};base64,${data}`}></audio>`;
}

function blob({ uri, blob: data }: ContentBlock & { type: 'resource_blob' }): TemplateResult {
  const bytes = Math.floor(data.replace(/=+$/, '').length * 0.75);
  return html`<span class="chip file" title=${uri}
    >${icon('file')}<span class="clip">${nameOfUri(uri)} · ${byteSize(bytes)}</span></span
  >`;
}

/** Adds a save button. The transcript handles its clicks and reads the data to save from the button. */
function withSave(shown: TemplateResult, block: SavableBlock, name: string): TemplateResult {
  return html`<div class="pl-media">
    ${shown}<button type="button" class="btn link sm" data-act="saveContent" .block=${block}>
      ${l10n.t('Save…')}<span class="sr"> ${name}</span>
    </button>
  </div>`;
}

function chip(glyph: string, label: string, uri: string | undefined, lastModified?: number): TemplateResult {
  const content = html`${icon(glyph)}<span class="clip">${fileName(label)}</span>`;
  if (uri === undefined) return html`<span class="chip file">${content}</span>`;
  const title =
    lastModified === undefined
      ? uri
      : l10n.t('{0}, modified {1}', uri, new Date(lastModified).toLocaleString(document.documentElement.lang || 'en'));
  return html`<a class="chip file" role="link" tabindex="0" data-href=${uri} title=${title}>${content}</a>`;
}

/** Renders an attachment whose preview opens with a click. */
function previewChip(
  glyph: string,
  attachment: Extract<Attachment, { type: 'resource' | 'resource_link' }>,
): TemplateResult {
  const title = attachment.uri.startsWith('file:') ? pathOf(attachment.uri) : attachment.name;
  return html`<button
    type="button"
    class="chip file"
    data-act="preview"
    aria-haspopup="dialog"
    title=${title}
    .attachment=${attachment}
  >
    ${icon(glyph)}<span class="clip">${fileName(nameWithLines(attachment))}</span>
  </button>`;
}

function resource(block: ContentBlock & { type: 'resource' }): HTMLElement {
  const { uri, text } = block;
  const path = showPath(uri.replace(/^file:\/\//, ''), '');
  const element = createCodeBlock(languageOfPath(path.name), text, true);
  const label = element.querySelector('.grow');
  if (label) label.textContent = path.name;
  label?.after(Object.assign(iconButton('go-to-file', l10n.t('Open'), 'openText'), { block }));
  return element;
}
