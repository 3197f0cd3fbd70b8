import type { AgentCapabilities } from '../decodeAgent';
import type { ReadContext } from '../dialect';
import type { PromptRequest } from '../schema';
import type { ContentBlock } from '../../shared/content';
import { nameOfUri } from '../../shared/uriName';

type WireBlock = PromptRequest['prompt'][number];

/** What of a message an agent takes beside text and links. */
export type PromptCapabilities = Pick<AgentCapabilities, 'image' | 'audio' | 'embeddedContext'>;

/** A message as the agent can take it, and what it cannot. */
export interface PromptContent {
  readonly blocks: WireBlock[];
  readonly unsupportedBlocks: readonly ContentBlock[];
}

/**
 * A message as blocks that the agent has said it takes (https://agentclientprotocol.com/protocol/prompt-turn#1-user-message):
 * files go as their text where it takes that, else as links; pictures and sound only where it takes them. Sound of a file is left out as
 * such, and goes as a link.
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

/** A message of text alone, which needs nobody. */
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
      return can?.image === true ? { type: 'image', data, mimeType, ...(uri === undefined ? {} : { uri }) } : undefined;
    }
    case 'audio':
      return can?.audio === true ? { type: 'audio', data: block.data, mimeType: block.mimeType } : undefined;
    case 'resource_link': {
      const { uri, name } = block;
      const text = can?.embeddedContext === true ? await read(uri) : undefined;
      return text === undefined ? { type: 'resource_link', uri, name } : { type: 'resource', resource: { uri, text } };
    }
    case 'resource': {
      const { uri, text } = block;
      const link = { type: 'resource_link', uri, name: uri } as const;
      return can?.embeddedContext === true ? { type: 'resource', resource: { uri, text } } : link;
    }
    default:
      return undefined;
  }
}
