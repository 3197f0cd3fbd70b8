import * as l10n from '@vscode/l10n';
import { messageOf } from '../../shared/values/messageOf';
import { compact, cut, texts } from './errorText';

/**
 * A JSON-RPC error: code, message, and optional data (https://agentclientprotocol.com/protocol/error). The connection translates it from and to
 * that of its library, which is loaded with the first agent.
 */
export class ResponseError<D> extends Error {
  readonly code: number;
  readonly data: D | undefined;

  constructor(code: number, message: string, data?: D) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** An error of a request or of its answer. */
export type AcpError = ResponseError<unknown>;

/** The error codes of ACP. Agents also send others, including HTTP statuses. */
export const errorCodes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  requestCancelled: -32800,
  authRequired: -32000,
  resourceNotFound: -32002,
  /** Of version 2. */
  unsupportedVersion: -32022,
  // Unstable: MCP through this connection.
  mcpLimitReached: -33000,
  mcpServerUnavailable: -33001,
  mcpBackendFailed: -33002,
} as const;

/** The connection to the agent has ended, so the request won't be answered. */
export class ConnectionClosedError extends Error {
  override readonly name = 'ConnectionClosedError';

  constructor() {
    super(l10n.t('The agent is no longer connected.'));
  }
}

/**
 * Returns whether an error has the shape of a JSON-RPC error. Like the functions below, this checks the shape because
 * every bundle of the extension has its own copy of each class.
 */
export function isAcpError(error: unknown): error is AcpError {
  return error instanceof Error && Object.hasOwn(error, 'data') && 'code' in error && typeof error.code === 'number';
}

/** Returns whether an error means that the connection has ended. */
export function isConnectionClosed(error: unknown): boolean {
  return error instanceof Error && error.name === 'ConnectionClosedError';
}

/** Creates the error for params that the method doesn't allow. */
export function invalidParams(message: string, data?: unknown): AcpError {
  return new ResponseError(errorCodes.invalidParams, message, data);
}

/** Creates the error for an unsupported method. */
export function methodNotFound(method: string): AcpError {
  return new ResponseError(errorCodes.methodNotFound, `Method not found: ${method}`, { method });
}

/** Creates the error for a file or other resource that doesn't exist. */
export function resourceNotFound(path: string): AcpError {
  return new ResponseError(errorCodes.resourceNotFound, `Resource not found: ${path}`, { path });
}

/** Returns whether an error means that a file or other resource doesn't exist. */
export function isResourceNotFound(error: unknown): boolean {
  return isAcpError(error) && error.code === errorCodes.resourceNotFound;
}

/** Creates the error for more MCP requests at the same time than Parley serves. */
export function mcpLimitReached(most: number): AcpError {
  return new ResponseError(errorCodes.mcpLimitReached, `Only ${most} MCP requests can be active at the same time.`);
}

/** Creates the error for a request to an MCP server that Parley no longer serves. */
export function mcpServerUnavailable(): AcpError {
  return new ResponseError(errorCodes.mcpServerUnavailable, 'The MCP server is not available.');
}

/** Creates the error for an MCP request that the server didn't answer. */
export function mcpBackendFailed(message: string): AcpError {
  return new ResponseError(errorCodes.mcpBackendFailed, message);
}

/** Creates the error for a failure in Parley; `message` explains it. */
export function internal(message: string, data?: unknown): AcpError {
  return new ResponseError(errorCodes.internal, message, data);
}

/** Creates the error for a request cancelled before it was answered. */
export function requestCancelled(): AcpError {
  return new ResponseError(errorCodes.requestCancelled, 'Request cancelled');
}

/** Creates the error for a request that requires a login. */
export function authRequired(message = 'Authentication required'): AcpError {
  return new ResponseError(errorCodes.authRequired, message);
}

/**
 * Converts a value thrown by a handler to the error for its caller. A plain `Error` becomes an internal error with its
 * text.
 */
export function toAcpError(error: unknown): AcpError {
  if (error instanceof ResponseError) return error as AcpError;
  const message = error instanceof Error && error.message !== '' ? error.message : 'Internal error';
  return internal(message, { details: messageOf(error) });
}

/** Returns whether the agent requires a login. The request may be repeated after the login. */
export function isAuthRequired(error: unknown): boolean {
  return isAcpError(error) && error.code === errorCodes.authRequired;
}

/** Returns whether an error means that the agent doesn't have the method. */
export function isMethodNotFound(error: unknown): boolean {
  return isAcpError(error) && error.code === errorCodes.methodNotFound;
}

/** Returns whether the request ended because it was cancelled. */
export function isRequestCancelled(error: unknown): boolean {
  return isAcpError(error) && error.code === errorCodes.requestCancelled;
}

/** An error for display: the message, and further details from the agent. */
export interface ReadableError {
  /** Absent if the error didn't come from the agent. */
  readonly code?: number;
  readonly message: string;
  /** More text, possibly several lines; never repeats the message. */
  readonly detail?: string;
}

/** Messages without information. `data` then provides the message. */
const emptyMessage = /^(internal (server )?error|(unknown |server )?error|request failed|unhandled exception)?[.!]?$/i;

/**
 * Makes an error readable. Agents put the useful text into `message`, `data`, or JSON inside either of them
 * (https://agentclientprotocol.com/protocol/error).
 */
export function readableError(error: unknown): ReadableError {
  if (!isAcpError(error)) return withoutCode(error);
  const [said = '', ...more] = texts(error.message);
  const known = new Set([said, ...more]);
  const found = texts(error.data).filter((text) => !known.has(text) && !said.includes(text));
  const rest = [...new Set([...more, ...found])];
  const lines = emptyMessage.test(said) ? rest : [said, ...rest];
  if (lines.length > 0) return split(lines, error.code);
  const fallback = error.data === undefined || error.data === null ? '' : compact(error.data);
  return split([said === '' ? l10n.t('The agent reported an error without a message.') : said, fallback], error.code);
}

function withoutCode(error: unknown): ReadableError {
  const [message = '', ...rest] = texts(error instanceof Error ? error.message : error);
  return split([message === '' ? l10n.t('An unknown error occurred.') : message, ...rest]);
}

function split(lines: readonly string[], code?: number): ReadableError {
  const [first = '', ...rest] = lines;
  const end = first.indexOf('\n');
  const message = end === -1 ? first : first.slice(0, end).trimEnd();
  const detail = [end === -1 ? '' : first.slice(end + 1), ...rest].filter((line) => line !== '').join('\n');
  return {
    ...(code === undefined ? {} : { code }),
    message: cut(message),
    ...(detail === '' ? {} : { detail: cut(detail) }),
  };
}
