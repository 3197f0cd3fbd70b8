import type { Message } from 'vscode-jsonrpc/node';
import { errorCodes } from '../base/errors';
import { foreignCancelMethod } from './methods';

/** An error response to an invalid request. */
export interface ErrorAnswer extends Message {
  readonly id: number | string | null;
  readonly error: { readonly code: number; readonly message: string };
}

/**
 * The result of reading a line. `answer` is absent if the sender should get no response. `before` is what was on the line
 * before the message.
 */
export type Incoming =
  | { readonly kind: 'message'; readonly message: Message; readonly before?: string }
  | { readonly kind: 'blank' }
  | { readonly kind: 'refused'; readonly reason: string; readonly answer?: ErrorAnswer };

type Fields = Readonly<Record<string, unknown>>;

const blank: Incoming = { kind: 'blank' };
const openingBrace = 123;
const openingBracket = 91;
const closingBracket = 93;
const closingBrace = 125;
const quote = 34;
const backslash = 92;
/**
 * Maximum nesting depth. Real messages are never this deep, and parsing deeper ones costs disproportionate time and
 * memory.
 */
const deepest = 20_000;

/**
 * A line, parsed once and not yet judged. `words` is a text that doesn't begin as a message, but may have one behind its
 * first words. `deep` is nested too deeply to parse; its id, if it has one, is a number.
 */
export type ParsedLine =
  | { readonly kind: 'object'; readonly fields: Fields }
  | { readonly kind: 'words'; readonly text: string; readonly otherwise: Incoming }
  | { readonly kind: 'deep'; readonly id: number }
  | { readonly kind: 'other'; readonly incoming: Incoming };

/**
 * Reads one line and accepts only messages that a JSON-RPC connection can handle: requests, notifications, and
 * responses to pending requests (https://agentclientprotocol.com/protocol/transports). Agents print banners and
 * warnings, so a line that doesn't look like JSON is refused without a response.
 */
export function readLine(line: string, isPending: (id: unknown) => boolean): Incoming {
  return admit(parseLine(line), isPending);
}

/** Parses the JSON of a line. */
export function parseLine(line: string): ParsedLine {
  let text = line;
  let first = text.charCodeAt(0);
  if (first !== openingBrace) {
    text = line.trim();
    if (text === '') return { kind: 'other', incoming: blank };
    first = text.charCodeAt(0);
  }
  if (first !== openingBrace && first !== openingBracket) {
    return { kind: 'words', text, otherwise: refused('not a message') };
  }
  // Batches aren't supported; the last character shows whether the line may be one.
  if (first === openingBracket && text.charCodeAt(text.trimEnd().length - 1) !== closingBracket) {
    return { kind: 'words', text: text.trimEnd(), otherwise: notJson() };
  }
  if (first === openingBracket) {
    const error = answer(null, errorCodes.invalidRequest, "Batches aren't supported");
    return { kind: 'other', incoming: refused('a batch', error) };
  }
  if (text.length > deepest && isDeeper(text, deepest)) {
    const id = /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*"?(\d{1,15})/.exec(text)?.[1];
    return { kind: 'deep', id: Number(id) };
  }
  try {
    return { kind: 'object', fields: JSON.parse(text) as Fields };
  } catch {
    return { kind: 'other', incoming: notJson() };
  }
}

/** Returns what a connection does with a parsed line. `isPending` says whether it waits for an answer. */
export function admit(parsed: ParsedLine, isPending: (id: unknown) => boolean): Incoming {
  switch (parsed.kind) {
    case 'object':
      return admitObject(parsed.fields, isPending);
    case 'words':
      return readBehindWords(parsed.text, isPending) ?? parsed.otherwise;
    case 'deep':
      // The request behind this response must not wait forever.
      if (isPending(parsed.id)) return message({ jsonrpc: '2.0', id: parsed.id });
      return refused('nested too deep', answer(null, errorCodes.invalidRequest, 'The message is nested too deeply'));
    case 'other':
      return parsed.incoming;
  }
}

/** How a message begins that says its version. Others are too easily taken for one. */
const messageStart = /\{\s*"(?:jsonrpc|id|method|params|result|error)"\s*:/g;
/** How many places are tried. */
const maxStarts = 3;
/** A program that logs a message writes a mark before it. It isn't meant for us then. */
const logMark = /[:=<>|,;([{\]"'`→←-]\s*$/u;
const controls = /\u001b\[[0-9;?]*[A-Za-z]|\u001b\][^\u0007]*\u0007|[\u0000-\u001f]/g;

/** Reads a message behind words or control sequences that a program printed without a line break. */
function readBehindWords(text: string, isPending: (id: unknown) => boolean): Incoming | undefined {
  if (text.charCodeAt(text.length - 1) !== closingBrace) return undefined;
  let starts = 0;
  for (const { index } of text.matchAll(messageStart)) {
    if (++starts > maxStarts) return undefined;
    const before = text.slice(0, index);
    if (logMark.test(before.replace(controls, ''))) return undefined;
    const rest = text.slice(index);
    const incoming = /"jsonrpc"\s*:\s*"2\.0"/.test(rest) ? readLine(rest, isPending) : undefined;
    if (incoming?.kind === 'message') return { ...incoming, before };
  }
  return undefined;
}

/** Returns whether a JSON text is nested deeper than `limit`. Skips over strings as a whole. */
function isDeeper(text: string, limit: number): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      at = endOfString(text, at + 1);
    } else if (code === openingBrace || code === openingBracket) {
      depth += 1;
      if (depth > limit) return true;
    } else if (code === closingBrace || code === closingBracket) {
      depth -= 1;
    }
  }
  return false;
}

/**
 * Returns the index where the string whose first character is at `from` is closed, or the end of the text if it isn't.
 */
function endOfString(text: string, from: number): number {
  for (let end = text.indexOf('"', from); end !== -1; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text.charCodeAt(end - 1 - escapes) === backslash) escapes += 1;
    if (escapes % 2 === 0) return end;
  }
  return text.length;
}

function notJson(): Incoming {
  return refused('not JSON', answer(null, errorCodes.parseError, 'Parse error'));
}

function admitObject(fields: Fields, isPending: (id: unknown) => boolean): Incoming {
  if (typeof fields['method'] === 'string') return admitCall(fields, fields['method']);
  const id = fields['id'];
  const isAnswer = 'result' in fields || 'error' in fields;
  if (isPending(id)) return answerMessage(fields, id);
  // Parley's ids are numbers. If an agent returns one as a string, the number is meant.
  if (isAnswer && typeof id === 'string' && /^\d{1,15}$/.test(id) && isPending(Number(id))) {
    return answerMessage(fields, Number(id));
  }
  if (isAnswer) return refused('an answer to no request of ours');
  if (!isRequestId(id)) return refused('neither a request nor an answer');
  return refused('neither a request nor an answer', answer(id, errorCodes.invalidRequest, 'Invalid request'));
}

/** Reads a response. Without a result or an error, the request fails and the other fields are ignored. */
function answerMessage(fields: Fields, id: unknown): Incoming {
  const isComplete = fields['result'] !== undefined || Boolean(fields['error']);
  // The library serializes incomplete responses before it rejects the request, which fails if they are deeply nested.
  return message(isComplete ? { ...fields, id } : { jsonrpc: '2.0', id });
}

function admitCall(fields: Fields, method: string): Incoming {
  // vscode-jsonrpc would handle this method immediately, ahead of the queue, and fails if it has no params.
  if (method === foreignCancelMethod) return refused('not a method of this protocol');
  if (fields['id'] === undefined || isRequestId(fields['id'])) return message(fields);
  return refused(
    'a request without a usable id',
    answer(null, errorCodes.invalidRequest, 'The id of a request must be a number or a string'),
  );
}

function isRequestId(id: unknown): id is number | string {
  return typeof id === 'number' || typeof id === 'string';
}

function message(fields: Fields): Incoming {
  return { kind: 'message', message: fields as unknown as Message };
}

function refused(reason: string, errorAnswer?: ErrorAnswer): Incoming {
  return { kind: 'refused', reason, ...(errorAnswer && { answer: errorAnswer }) };
}

function answer(id: ErrorAnswer['id'], code: number, text: string): ErrorAnswer {
  return { jsonrpc: '2.0', id, error: { code, message: text } };
}
