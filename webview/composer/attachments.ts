import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import type { Attachment } from '../../src/shared/content';
import { splitLineFragment } from '../../src/shared/lineFragment';
import { icon } from '../base/icon';

/** The attachments of the message being typed. */
export class Attachments {
  private readonly changed: (all: readonly Attachment[]) => void;
  private all: readonly Attachment[] = [];

  /** `changed` is called when the user adds or removes attachments. */
  constructor(changed: (all: readonly Attachment[]) => void) {
    this.changed = changed;
  }

  get list(): readonly Attachment[] {
    return this.all;
  }

  /** Shows the attachments of another draft. */
  show(all: readonly Attachment[]): void {
    this.all = all;
  }

  /** Adds attachments, except duplicates. */
  add(more: readonly Attachment[]): void {
    const added = more.filter((one) => !this.all.some((other) => isSame(one, other)));
    if (added.length > 0) this.set([...this.all, ...added]);
  }

  clear(): void {
    if (this.all.length > 0) this.set([]);
  }

  /** Renders the attachments. `afterwards` renders again and moves the focus, which was on the removed button. */
  render(afterwards: (removed: string) => void): TemplateResult | typeof nothing {
    if (this.all.length === 0) return nothing;
    return html`<div class="chips" role="list" aria-label=${l10n.t('Attachments')}>
      ${this.all.map((one) => {
        const name = nameOf(one);
        const remove = l10n.t('Remove {0}', name);
        return html`<span class="chip file" role="listitem" title=${titleOf(one)}>
          ${icon(one.type === 'resource_link' ? 'file' : one.type === 'image' ? 'file-media' : 'unmute')}<span
            class="clip"
            >${name}</span
          ><button
            type="button"
            class="x"
            aria-label=${remove}
            title=${remove}
            @click=${() => {
              this.set(this.all.filter((other) => other !== one));
              afterwards(name);
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
  }
}

/** Resolves to the images and audio in a clipboard or a drop as attachments. Skips files that are too large. */
export async function mediaIn(files: readonly File[]): Promise<Attachment[]> {
  const media = files.filter(({ type, size }) => /^(image|audio)\//.test(type) && size <= maxMedia);
  return Promise.all(
    media.map(async (file): Promise<Attachment> => {
      const data = await base64(file);
      const type = file.type.startsWith('image/') ? 'image' : 'audio';
      // Browsers use different names for some types.
      const mimeType = file.type.replace('audio/x-m4a', 'audio/mp4').replace(/^audio\/x-/, 'audio/');
      return { type, data, mimeType, name: file.name || (type === 'image' ? l10n.t('Image') : l10n.t('Audio')) };
    }),
  );
}

/** Returns the URIs of the files in a drop: from VS Code's own lists, or from the standard list otherwise. */
export function droppedUris(data: DataTransfer | null): string[] {
  const list = data?.getData('application/vnd.code.uri-list') || data?.getData('text/uri-list') || '';
  return list.split(/\r?\n/).filter((line) => line !== '' && !line.startsWith('#'));
}

/** Maximum size of an attached image or audio file in bytes. Agents reject larger ones. */
const maxMedia = 5_000_000;

function base64(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve((reader.result as string).replace(/^[^,]*,/, ''));
    reader.onerror = () => reject(new Error(reader.error?.message ?? ''));
    reader.readAsDataURL(file);
  });
}

function isSame(one: Attachment, other: Attachment): boolean {
  if (one.type === 'resource_link') return other.type === 'resource_link' && one.uri === other.uri;
  return other.type === one.type && one.data === other.data;
}

function nameOf(one: Attachment): string {
  if (one.type !== 'resource_link') return one.name;
  const { lines } = splitLineFragment(one.uri);
  return lines ? `${one.name}:${lines.start}–${lines.end}` : one.name;
}

function titleOf(one: Attachment): string {
  return one.type === 'resource_link' ? decodeURI(one.uri.replace(/^file:\/\//, '')) : one.name;
}
