import { asObject, isAbsent, type JsonObject } from '../../shared/values/decodeValue';
import { invalidParams } from '../base/errors';

/** The params of `mcp/message` (https://agentclientprotocol.com/rfds/mcp-over-acp). */
export interface McpMessageParams {
  readonly serverId: string;
  readonly requestId: string;
  readonly method: string;
  readonly params?: JsonObject;
}

/** Reads strictly, as all requests of the agent are. */
export function decodeMcpMessage(value: unknown): McpMessageParams {
  const fields = asObject(value);
  const params = asObject(fields?.['params']);
  if (!params && !isAbsent(fields?.['params'])) throw invalidParams('params must be an object', { field: 'params' });
  return {
    serverId: text(fields, 'serverId'),
    requestId: text(fields, 'requestId'),
    method: text(fields, 'method'),
    ...(params ? { params } : {}),
  };
}

function text(fields: JsonObject | undefined, field: string): string {
  const value = fields?.[field];
  if (typeof value !== 'string') throw invalidParams(`${field} must be a string`, { field });
  return value;
}
