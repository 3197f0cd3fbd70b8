import { asList, asObject, asString } from '../../shared/values/decodeValue';
import { parseJsonWithComments } from '../base/jsonc';
import { parseServers, type ParsedServers } from './serverSpec';

/** A value to ask the user for, which replaces `${input:ID}`. */
export interface McpInput {
  readonly id: string;
  readonly description: string;
  readonly password: boolean;
  /** The default value. */
  readonly value: string;
  /** The choices; any text if empty. */
  readonly options: readonly { readonly label: string; readonly value: string }[];
}

/** The contents of an `mcp.json`. */
export interface McpJson extends ParsedServers {
  readonly inputs: readonly McpInput[];
}

/** Parses a file in the format of VS Code's `mcp.json`; throws if it isn't JSON. */
export function parseMcpJson(text: string, origin: string, folder?: string): McpJson {
  const file = asObject(parseJsonWithComments(text));
  const parsed = parseServers(file?.['servers'] ?? file?.['mcpServers'], origin, folder);
  return { ...parsed, inputs: asList(file?.['inputs'], decodeInput) ?? [] };
}

function decodeInput(value: unknown): McpInput | undefined {
  const input = asObject(value);
  const id = asString(input?.['id']);
  const type = asString(input?.['type']) ?? 'promptString';
  // `command` inputs run an editor command, which the user hasn't agreed to.
  if (!input || !id || (type !== 'promptString' && type !== 'pickString')) return undefined;
  const options = type === 'pickString' ? (asList(input['options'], decodeOption) ?? []) : [];
  const description = asString(input['description']) ?? '';
  return { id, description, password: input['password'] === true, value: asString(input['default']) ?? '', options };
}

function decodeOption(value: unknown): McpInput['options'][number] | undefined {
  const text = asString(value) ?? asString(asObject(value)?.['value']);
  return text === undefined ? undefined : { label: asString(asObject(value)?.['label']) ?? text, value: text };
}
