import type { ContentBlock, ToolCallContent, ToolCallLocation } from '../../shared/transcript/content';
import type { TerminalId } from '../../shared/values/ids';
import {
  asList,
  asNumber,
  asObject,
  asRaw,
  asString,
  compact,
  decodeTime,
  type JsonObject,
} from '../../shared/values/decodeValue';

/**
 * Reads a content block (https://agentclientprotocol.com/protocol/content). Unknown types, and known types with missing
 * fields, become `unknown`. Returns undefined only if the value isn't an object with a type.
 */
export function decodeContentBlock(value: unknown): ContentBlock | undefined {
  const block = asObject(value);
  if (!block || typeof block['type'] !== 'string') return undefined;
  return knownBlock(block) ?? { type: 'unknown', raw: asRaw(value) };
}

function knownBlock(block: JsonObject): ContentBlock | undefined {
  // Some agents pass on what a model's own interface calls a source.
  const source = asObject(block['source']);
  const mimeType = asString(block['mimeType']) ?? asString(source?.['media_type']) ?? asString(source?.['mimeType']);
  const data = asString(block['data']) ?? asString(source?.['data']);
  const uri = asString(block['uri']);
  switch (block['type']) {
    case 'text': {
      const text = asString(block['text']);
      if (text === undefined) return undefined;
      const audience = asList(asObject(block['annotations'])?.['audience'], asString);
      return audience?.length ? { type: 'text', text, audience } : { type: 'text', text };
    }
    case 'image':
      if (data === undefined || mimeType === undefined) return undefined;
      return { type: 'image', data, mimeType, ...compact({ uri }) };
    case 'audio':
      return data === undefined || mimeType === undefined ? undefined : { type: 'audio', data, mimeType };
    case 'resource_link':
      return uri === undefined ? undefined : resourceLink(block, uri, mimeType);
    case 'resource':
      return embeddedResource(asObject(block['resource']));
    default:
      return undefined;
  }
}

function resourceLink(block: JsonObject, uri: string, mimeType: string | undefined): ContentBlock {
  const title = asString(block['title']);
  const description = asString(block['description']);
  const size = asNumber(block['size']);
  const lastModified = decodeTime(asObject(block['annotations'])?.['lastModified']);
  return {
    type: 'resource_link',
    uri,
    name: asString(block['name']) ?? uri,
    ...compact({ title, description, mimeType, size, lastModified }),
  };
}

function embeddedResource(resource: JsonObject | undefined): ContentBlock | undefined {
  const uri = asString(resource?.['uri']);
  if (!resource || uri === undefined) return undefined;
  const mimeType = asString(resource['mimeType']);
  const common = { uri, ...compact({ mimeType }) };
  const text = asString(resource['text']);
  if (text !== undefined) return { type: 'resource', ...common, text };
  const blob = asString(resource['blob']);
  return blob === undefined ? undefined : { type: 'resource_blob', ...common, blob };
}

/**
 * Reads one content item of a tool call (https://agentclientprotocol.com/protocol/tool-calls#content); see
 * `decodeContentBlock`.
 */
export function decodeToolCallContent(value: unknown): ToolCallContent | undefined {
  const item = asObject(value);
  if (!item || typeof item['type'] !== 'string') return undefined;
  switch (item['type']) {
    case 'content': {
      const content = decodeContentBlock(item['content']);
      return content && { type: 'content', content };
    }
    case 'diff': {
      const path = asString(item['path']);
      const newText = asString(item['newText']);
      // Half a diff is a malformed item with nothing to show, so the list skips it.
      if (path === undefined || newText === undefined) return undefined;
      const oldText = asString(item['oldText']);
      return { type: 'diff', path, newText, ...compact({ oldText }) };
    }
    case 'terminal': {
      const terminalId = asString(item['terminalId']);
      return terminalId === undefined ? undefined : { type: 'terminal', terminalId: terminalId as TerminalId };
    }
    default:
      return { type: 'unknown', raw: asRaw(value) };
  }
}

/** Reads a location in a file. Some agents send line 0 or `null`; both mean no line. */
export function decodeLocation(value: unknown): ToolCallLocation | undefined {
  const location = asObject(value);
  const path = asString(location?.['path']);
  if (!location || path === undefined) return undefined;
  const line = asNumber(location['line']);
  return line !== undefined && line >= 1 ? { path, line: Math.floor(line) } : { path };
}

/** Adds the plan of a call that asks about one. Codex sends it only in the raw input. */
export function withPlan(
  call: JsonObject,
  content: readonly ToolCallContent[] | undefined,
): readonly ToolCallContent[] | undefined {
  if (content?.length || call['kind'] !== 'switch_mode') return content;
  const plan = asString(asObject(call['rawInput'])?.['plan']);
  return plan ? [{ type: 'content', content: { type: 'text', text: plan } }] : content;
}
