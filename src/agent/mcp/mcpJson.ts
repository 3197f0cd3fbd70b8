import { asList, asObject, asString } from '../../acp/decodeValue';
import { parseJsonWithComments } from './jsonc';
import { parseServers, type ParsedServers } from './serverSpec';

/** A value that the user is asked for, where `${input:ID}` stands. */
export interface McpInput {
  readonly id: string;
  readonly description: string;
  readonly password: boolean;
  /** What is offered first. */
  readonly value: string;
  /** What there is to choose from; any text when empty. */
  readonly options: readonly { readonly label: string; readonly value: string }[];
}

/** What an `mcp.json` names. */
export interface McpJson extends ParsedServers {
  readonly inputs: readonly McpInput[];
}

/** Reads a file of the form that VS Code gives its `mcp.json`; throws when it is not JSON. */
export function parseMcpJson(text: string, origin: string, folder?: string): McpJson {
  const file = asObject(parseJsonWithComments(text));
  const parsed = parseServers(file?.['servers'] ?? file?.['mcpServers'], origin, folder);
  return { ...parsed, inputs: asList(file?.['inputs'], decodeInput) ?? [] };
}

function decodeInput(value: unknown): McpInput | undefined {
  const input = asObject(value);
  const id = asString(input?.['id']);
  const type = asString(input?.['type']) ?? 'promptString';
  // `command` runs a command of the editor, which nobody has agreed to.
  if (!input || !id || (type !== 'promptString' && type !== 'pickString')) return undefined;
  const options = type === 'pickString' ? (asList(input['options'], decodeOption) ?? []) : [];
  const description = asString(input['description']) ?? '';
  return { id, description, password: input['password'] === true, value: asString(input['default']) ?? '', options };
}

function decodeOption(value: unknown): McpInput['options'][number] | undefined {
  const text = asString(value) ?? asString(asObject(value)?.['value']);
  return text === undefined ? undefined : { label: asString(asObject(value)?.['label']) ?? text, value: text };
}
