import type { TerminalId } from '../../shared/values/ids';
import { isAbsolutePath } from '../decode/decodeClient';
import { asObject, asString, compact, type JsonObject } from '../../shared/values/decodeValue';
import type { CommandParams } from '../dialect/dialect';
import { invalidParams } from '../base/errors';

/** Reads `fs/read_text_file` (https://agentclientprotocol.com/protocol/file-system#reading-files). */
export function decodeReadTextFile(params: unknown): { path: string; line?: number; limit?: number } {
  const object = asObject(params) ?? {};
  const path = absolutePath(object, 'path');
  const line = optionalCount(object, 'line');
  const limit = optionalCount(object, 'limit');
  return { path, ...compact({ line, limit }) };
}

/** Reads `fs/write_text_file` (https://agentclientprotocol.com/protocol/file-system#writing-files). */
export function decodeWriteTextFile(params: unknown): { path: string; content: string } {
  const object = asObject(params) ?? {};
  return { path: absolutePath(object, 'path'), content: requiredString(object, 'content') };
}

/** Reads `terminal/create` (https://agentclientprotocol.com/protocol/terminals#creating-terminals). */
export function decodeCreateTerminal(params: unknown): CommandParams {
  const object = asObject(params) ?? {};
  const command = requiredString(object, 'command');
  if (command.trim() === '') throw invalidParams('command must not be empty', { field: 'command' });
  const cwd = (object['cwd'] ?? undefined) === undefined ? undefined : absolutePath(object, 'cwd');
  const outputByteLimit = optionalCount(object, 'outputByteLimit');
  return {
    command,
    args: strings(object, 'args'),
    env: environment(object, 'env'),
    ...compact({ cwd, outputByteLimit }),
  };
}

/** Reads `terminalId` of the other `terminal/*` requests. */
export function decodeTerminalId(params: unknown): TerminalId {
  return requiredString(asObject(params) ?? {}, 'terminalId') as TerminalId;
}

function requiredString(object: JsonObject, field: string): string {
  const value = object[field];
  if (typeof value !== 'string') throw invalidParams(`${field} must be a string`, { field });
  return value;
}

function absolutePath(object: JsonObject, field: string): string {
  const path = requiredString(object, field);
  if (!isAbsolutePath(path)) throw invalidParams(`${field} must be an absolute path: ${path}`, { field });
  return path;
}

function optionalCount(object: JsonObject, field: string): number | undefined {
  const value = object[field] ?? undefined;
  if (value === undefined) return undefined;
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0) {
    throw invalidParams(`${field} must be a whole number of at least 0`, { field });
  }
  return value;
}

function strings(object: JsonObject, field: string): readonly string[] {
  const value = object[field] ?? [];
  if (!Array.isArray(value) || !value.every((item): item is string => typeof item === 'string')) {
    throw invalidParams(`${field} must be a list of strings`, { field });
  }
  return value;
}

function environment(object: JsonObject, field: string): Readonly<Record<string, string>> {
  const value = object[field] ?? [];
  if (!Array.isArray(value)) throw invalidParams(`${field} must be a list of names and values`, { field });
  const variables = new Map<string, string>();
  for (const item of value as readonly unknown[]) {
    const variable = asObject(item);
    const name = asString(variable?.['name']);
    const content = asString(variable?.['value']);
    // The value may be a secret, so the error contains only the field.
    if (!name || content === undefined) throw invalidParams(`${field} must contain names and values`, { field });
    variables.set(name, content);
  }
  return Object.fromEntries(variables);
}
