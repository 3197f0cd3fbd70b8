import { compact } from '../../shared/values/decodeValue';
import type { AgentCapabilities } from '../decode/decodeAgent';
import type { ReadContext } from './dialect';
import type { PromptRequest } from '../schema';
import type { ContentBlock } from '../../shared/transcript/content';
import { splitLineFragment } from '../../shared/text/lineFragment';
import { nameOfUri, pathOfFileUri } from '../../shared/text/uriName';

type WireBlock = PromptRequest['prompt'][number];

/** The kinds of content that an agent accepts besides text and links. */
export type PromptCapabilities = Pick<AgentCapabilities, 'image' | 'audio' | 'embeddedContext'>;

/** The parts of a message that the agent supports, and those that it doesn't. */
export interface PromptContent {
  readonly blocks: WireBlock[];
  readonly unsupportedBlocks: readonly ContentBlock[];
}

/**
 * Converts a message to blocks that the agent supports
 * (https://agentclientprotocol.com/protocol/prompt-turn#1-user-message). Files are embedded as text if the agent
 * supports that, and are links otherwise. Images and audio are sent only if supported. An unsupported audio file is
 * reported as unsupported and sent as a link.
 */
export async function promptContent(
  content: readonly ContentBlock[],
  can: PromptCapabilities | undefined,
  read: ReadContext,
): Promise<PromptContent> {
  const blocks: WireBlock[] = [];
  const unsupportedBlocks: ContentBlock[] = [];
  for (const block of content) {
    const wire = await wireBlock(block, can, read);
    if (wire) blocks.push(wire);
    else unsupportedBlocks.push(block);
    if (!wire && block.type === 'audio' && block.uri !== undefined) {
      blocks.push({ type: 'resource_link', uri: block.uri, name: nameOfUri(block.uri), mimeType: block.mimeType });
    }
  }
  return { blocks, unsupportedBlocks };
}

/** Converts a message that has only text, which needs no file contents. */
export function plainContent(content: readonly ContentBlock[]): PromptContent {
  const blocks = content.flatMap((block) =>
    block.type === 'text' ? [{ type: 'text' as const, text: block.text }] : [],
  );
  return { blocks, unsupportedBlocks: [] };
}

async function wireBlock(
  block: ContentBlock,
  can: PromptCapabilities | undefined,
  read: ReadContext,
): Promise<WireBlock | undefined> {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.text };
    case 'image': {
      const { data, mimeType, uri } = block;
      return can?.image === true ? { type: 'image', data, mimeType, ...compact({ uri }) } : undefined;
    }
    case 'audio':
      return can?.audio === true ? { type: 'audio', data: block.data, mimeType: block.mimeType } : undefined;
    case 'resource_link': {
      const { uri, name } = block;
      const isEmbedded = can?.embeddedContext === true && block.linkOnly !== true;
      const text = isEmbedded ? await read(uri) : undefined;
      return text === undefined ? { type: 'resource_link', uri, name } : { type: 'resource', resource: { uri, text } };
    }
    case 'resource': {
      const { uri, text } = block;
      if (can?.embeddedContext === true) return { type: 'resource', resource: { uri, text } };
      // The agent can't read it from anywhere else.
      return { type: 'text', text: quotedText(placeOf(uri), text) };
    }
    default:
      return undefined;
  }
}

/** Returns the name of a text. Lines of a file have the file's path. */
function placeOf(uri: string): string {
  const { uri: file, lines } = splitLineFragment(uri);
  if (!lines || !file.startsWith('file:')) return nameOfUri(uri);
  const range = lines.end > lines.start ? `${lines.start}-${lines.end}` : String(lines.start);
  return `${pathOfFileUri(file)}:${range}`;
}

/** Returns a text in a code block under its name. The fence is longer than any in the text. */
function quotedText(name: string, text: string): string {
  const longest = Math.max(2, ...(text.match(/`{3,}/g) ?? []).map((fence) => fence.length));
  const fence = '`'.repeat(longest + 1);
  return `${name}:\n${fence}\n${text.replace(/\n$/, '')}\n${fence}`;
}
