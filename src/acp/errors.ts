import * as l10n from '@vscode/l10n';
import { ResponseError } from 'vscode-jsonrpc/node';
import { messageOf } from '../shared/messageOf';
import { compact, cut, texts } from './errorText';

export { ResponseError };

/** An error as it crosses the wire: code, message and optional data (https://agentclientprotocol.com/protocol/error). */
export type AcpError = ResponseError<unknown>;

/** The codes ACP names. Agents also send others, HTTP statuses among them. */
export const errorCodes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  requestCancelled: -32800,
  authRequired: -32000,
  resourceNotFound: -32002,
} as const;

/** The connection to the agent has ended, so what was asked will not be answered. */
export class ConnectionClosedError extends Error {
  override readonly name = 'ConnectionClosedError';

  constructor() {
    super(l10n.t('The agent is no longer connected.'));
  }
}

/**
 * Whether it crossed the wire, or could. Told by its shape, as the others below: every bundle of the extension has its own copy
 * of each class.
 */
export function isAcpError(error: unknown): error is AcpError {
  return error instanceof Error && Object.hasOwn(error, 'data') && 'code' in error && typeof error.code === 'number';
}

/** Whether an error says that the connection has ended. */
export function isConnectionClosed(error: unknown): boolean {
  return error instanceof Error && error.name === 'ConnectionClosedError';
}

/** The agent sent params that the method does not allow. */
export function invalidParams(message: string, data?: unknown): AcpError {
  return new ResponseError(errorCodes.invalidParams, message, data);
}

/** The method is not offered. */
export function methodNotFound(method: string): AcpError {
  return new ResponseError(errorCodes.methodNotFound, `Method not found: ${method}`, { method });
}

/** The file or other resource does not exist. */
export function resourceNotFound(path: string): AcpError {
  return new ResponseError(errorCodes.resourceNotFound, `Resource not found: ${path}`, { path });
}

/** Whether an error says that a file or other resource does not exist. */
export function isResourceNotFound(error: unknown): boolean {
  return isAcpError(error) && error.code === errorCodes.resourceNotFound;
}

/** Something failed on our side; the message says what. */
export function internal(message: string, data?: unknown): AcpError {
  return new ResponseError(errorCodes.internal, message, data);
}

/** The request was cancelled before it was answered. */
export function requestCancelled(): AcpError {
  return new ResponseError(errorCodes.requestCancelled, 'Request cancelled');
}

/** The user has to log in first. */
export function authRequired(message = 'Authentication required'): AcpError {
  return new ResponseError(errorCodes.authRequired, message);
}

/** What a handler threw, as the error its caller is to receive; a plain `Error` becomes an internal error with its text. */
export function toAcpError(error: unknown): AcpError {
  if (error instanceof ResponseError) return error as AcpError;
  const message = error instanceof Error && error.message !== '' ? error.message : 'Internal error';
  return internal(message, { details: messageOf(error) });
}

/** Whether the agent asks for a login; the request may be repeated after it. */
export function isAuthRequired(error: unknown): boolean {
  return isAcpError(error) && error.code === errorCodes.authRequired;
}

/** Whether the request ended because it was cancelled. */
export function isRequestCancelled(error: unknown): boolean {
  return isAcpError(error) && error.code === errorCodes.requestCancelled;
}

/** An error in words: what happened, and what else the agent said about it. */
export interface ReadableError {
  /** Absent when the error did not come from the agent. */
  readonly code?: number;
  readonly message: string;
  /** More text, possibly of several lines; never a repetition of the message. */
  readonly detail?: string;
}

/** Messages that say nothing by themselves: what is in `data` is then the message. */
const emptyMessage = /^(internal (server )?error|(unknown |server )?error|request failed|unhandled exception)?[.!]?$/i;

/**
 * Makes an error readable: agents put the useful text into `message`, into `data`, or into JSON inside either of them
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
