import * as l10n from '@vscode/l10n';
import { compact } from '../../shared/values/decodeValue';
import type { Attachment, ContentBlock } from '../../shared/transcript/content';
import { splitLineFragment } from '../../shared/text/lineFragment';
import { nameOfUri } from '../../shared/text/uriName';
import type { Prompt } from '../../shared/transcript/transcript';

/** Converts a message to content: its text first, then its attachments. */
export function contentOf({ text, attachments = [] }: Prompt): ContentBlock[] {
  return [{ type: 'text', text }, ...attachments.map(blockOf)];
}

/** Converts content back to the message. */
export function promptOf(content: readonly ContentBlock[]): Prompt {
  const text = content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
  const attachments = content.flatMap((block): Attachment[] => {
    switch (block.type) {
      case 'resource_link':
        return [linkOf(block)];
      case 'resource':
        return [textOf(block)];
      case 'image':
      case 'audio':
        return [mediaOf(block)];
      default:
        return [];
    }
  });
  return attachments.length > 0 ? { text, attachments } : { text };
}

function blockOf(attachment: Attachment): ContentBlock {
  if (attachment.type === 'resource_link') return attachment;
  if (attachment.type === 'resource') return { type: 'resource', uri: attachment.uri, text: attachment.text };
  const { type, data, mimeType, uri } = attachment;
  return { type, data, mimeType, ...compact({ uri }) };
}

function linkOf({ uri, name, linkOnly }: ContentBlock & { type: 'resource_link' }): Attachment {
  return linkOnly ? { type: 'resource_link', uri, name, linkOnly } : { type: 'resource_link', uri, name };
}

/** The text of a file may have changed since, so the file itself is attached again. Lines stay the ones that the message had. */
function textOf({ uri, text }: ContentBlock & { type: 'resource' }): Attachment {
  const name = nameOfUri(uri);
  const isWhole = splitLineFragment(uri).lines === undefined;
  return uri.startsWith('file:') && isWhole
    ? { type: 'resource_link', uri, name }
    : { type: 'resource', uri, name, text };
}

function mediaOf({ type, data, mimeType, uri }: ContentBlock & { type: 'image' | 'audio' }): Attachment {
  const file = uri === undefined ? {} : { uri };
  const name = uri === undefined ? '' : nameOfUri(uri);
  return { type, data, mimeType, name: name || (type === 'image' ? l10n.t('Image') : l10n.t('Audio')), ...file };
}
