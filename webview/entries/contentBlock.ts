import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import type { ContentBlock } from '../../src/shared/content';
import { createCodeBlock } from '../codeBlock';
import { byteSize } from '../format';
import { languageOfPath } from '../highlight';
import { icon } from '../icon';
import { showPath } from '../paths';

const imageTypes = /^image\/(?:png|jpeg|gif|webp|bmp|avif|svg\+xml)$/;
const audioTypes = /^audio\/[\w.+-]+$/;

/** The name of what a URI points at. */
export function nameOfUri(uri: string): string {
  const path = uri.replace(/[?#].*$/, '').replace(/\/+$/, '');
  const name = path.slice(path.lastIndexOf('/') + 1);
  try {
    return decodeURIComponent(name) || uri;
  } catch {
    // Not encoded after all.
    return name || uri;
  }
}

/** Whether a text is meant for the user's eyes (https://agentclientprotocol.com/protocol/content, annotations). */
export function isForUser(block: ContentBlock): boolean {
  return block.type !== 'text' || block.audience === undefined || block.audience.includes('user');
}

/** Any content block but text, as it stands in a message or a tool call. Unknown blocks show as nothing. */
export function contentBlock(block: ContentBlock): TemplateResult | HTMLElement | typeof nothing {
  switch (block.type) {
    case 'image': {
      if (!imageTypes.test(block.mimeType)) return chip('file', block.mimeType, block.uri);
      const alt = block.uri === undefined ? l10n.t('Image') : nameOfUri(block.uri);
      return html`<img class="pl-image" alt=${alt} src=${`data:${block.mimeType};base64,${block.data}`} />`;
    }
    case 'audio':
      if (!audioTypes.test(block.mimeType)) return chip('file', block.mimeType, undefined);
      return html`<audio
        controls
        aria-label=${l10n.t('Audio')}
        src=${`data:${block.mimeType};base64,${block.data}`}
      ></audio>`;
    case 'resource_link':
      return chip('file', block.title ?? block.name, block.uri);
    case 'resource':
      return resource(block.uri, block.text);
    case 'resource_blob':
      return chip('file', `${nameOfUri(block.uri)} · ${byteSize(Math.floor(block.blob.length * 0.75))}`, block.uri);
    default:
      return nothing;
  }
}

/** What the user attached: chips, and small pictures. */
export function attachment(block: ContentBlock): TemplateResult | typeof nothing {
  switch (block.type) {
    case 'resource':
    case 'resource_blob':
      return chip('file', nameOfUri(block.uri), block.uri);
    case 'image':
    case 'audio':
    case 'resource_link': {
      const shown = contentBlock(block);
      return shown instanceof HTMLElement ? nothing : shown;
    }
    default:
      return nothing;
  }
}

function chip(glyph: string, label: string, uri: string | undefined): TemplateResult {
  const content = html`${icon(glyph)}<span class="clip">${label}</span>`;
  if (uri === undefined) return html`<span class="chip file">${content}</span>`;
  return html`<a class="chip file" role="link" tabindex="0" data-href=${uri} title=${uri}>${content}</a>`;
}

function resource(uri: string, text: string): HTMLElement {
  const path = showPath(uri.replace(/^file:\/\//, ''), '');
  const element = createCodeBlock(languageOfPath(path.name), text);
  const label = element.querySelector('.grow');
  if (label) label.textContent = path.name;
  return element;
}
