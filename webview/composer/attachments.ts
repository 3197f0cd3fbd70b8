import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import type { Attachment } from '../../src/shared/content';
import { splitLineFragment } from '../../src/shared/lineFragment';
import { icon } from '../base/icon';

/** What goes along with the message that is being written. */
export class Attachments {
  private readonly changed: (all: readonly Attachment[]) => void;
  private all: readonly Attachment[] = [];

  /** `changed` is told of what the user adds and takes away. */
  constructor(changed: (all: readonly Attachment[]) => void) {
    this.changed = changed;
  }

  get list(): readonly Attachment[] {
    return this.all;
  }

  /** Shows those of another draft. */
  show(all: readonly Attachment[]): void {
    this.all = all;
  }

  /** Adds what is not there yet. */
  add(more: readonly Attachment[]): void {
    const added = more.filter((one) => !this.all.some((other) => isSame(one, other)));
    if (added.length > 0) this.set([...this.all, ...added]);
  }

  clear(): void {
    if (this.all.length > 0) this.set([]);
  }

  /** `afterwards` draws anew and takes the focus, which the button had. */
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

/** Pictures and sound in a clipboard or a drop, as attachments; what is too large stays out. */
export async function mediaIn(files: readonly File[]): Promise<Attachment[]> {
  const media = files.filter(({ type, size }) => /^(image|audio)\//.test(type) && size <= maxMedia);
  return Promise.all(
    media.map(async (file): Promise<Attachment> => {
      const data = await base64(file);
      const type = file.type.startsWith('image/') ? 'image' : 'audio';
      // Browsers have names of their own for some.
      const mimeType = file.type.replace('audio/x-m4a', 'audio/mp4').replace(/^audio\/x-/, 'audio/');
      return { type, data, mimeType, name: file.name || (type === 'image' ? l10n.t('Image') : l10n.t('Audio')) };
    }),
  );
}

/** Addresses of the files in a drop: from VS Code's own lists, else from elsewhere. */
export function droppedUris(data: DataTransfer | null): string[] {
  const list = data?.getData('application/vnd.code.uri-list') || data?.getData('text/uri-list') || '';
  return list.split(/\r?\n/).filter((line) => line !== '' && !line.startsWith('#'));
}

/** Bytes of a picture or sound that goes along; agents refuse larger ones. */
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
