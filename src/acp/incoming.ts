import type { Message } from 'vscode-jsonrpc/node';
import { errorCodes } from './errors';
import { foreignCancelMethod } from './methods';

/** An error answer to something that was no valid request. */
export interface ErrorAnswer extends Message {
  readonly id: number | string | null;
  readonly error: { readonly code: number; readonly message: string };
}

/** What a line turned out to be. `answer` is absent where the sender is better left alone. */
export type Incoming =
  | { readonly kind: 'message'; readonly message: Message }
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
/** No message of the protocol is nested deeper, and the parser's time and memory for one that is are out of proportion. */
const deepest = 20_000;

/**
 * Reads one line and lets through only what a JSON-RPC connection can act on: requests, notifications, and answers to what
 * is pending (https://agentclientprotocol.com/protocol/transports). Agents print banners and warnings, so a line that does
 * not even look like JSON is refused without an answer.
 */
export function readLine(line: string, isPending: (id: unknown) => boolean): Incoming {
  let text = line;
  let first = text.charCodeAt(0);
  if (first !== openingBrace) {
    text = line.trim();
    if (text === '') return blank;
    first = text.charCodeAt(0);
  }
  if (first !== openingBrace && first !== openingBracket) return refused('not a message');
  // Nobody reads a batch, and its end says whether it may be one.
  if (first === openingBracket && text.charCodeAt(text.trimEnd().length - 1) !== closingBracket) return notJson();
  if (first === openingBracket) {
    return refused('a batch', answer(null, errorCodes.invalidRequest, "Batches aren't supported"));
  }
  if (text.length > deepest && isDeeper(text, deepest)) {
    // Whoever waits for this answer must not wait for ever.
    const id = Number(/^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*"?(\d{1,15})/.exec(text)?.[1]);
    if (isPending(id)) return message({ jsonrpc: '2.0', id });
    return refused('nested too deep', answer(null, errorCodes.invalidRequest, 'The message is nested too deeply'));
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return notJson();
  }
  return admit(value as Fields, isPending);
}

/** Whether a text of JSON has more lists and objects in each other than that. Strings are passed over as a whole. */
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

/** Where the string that has its first character at `from` is closed; the end of the text when it isn't. */
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

function admit(fields: Fields, isPending: (id: unknown) => boolean): Incoming {
  if (typeof fields['method'] === 'string') return admitCall(fields, fields['method']);
  const id = fields['id'];
  const isAnswer = 'result' in fields || 'error' in fields;
  if (isPending(id)) return answerMessage(fields, id);
  // Our ids are numbers; an agent that hands one back as text means that one.
  if (isAnswer && typeof id === 'string' && /^\d{1,15}$/.test(id) && isPending(Number(id))) {
    return answerMessage(fields, Number(id));
  }
  if (isAnswer) return refused('an answer to no request of ours');
  if (!isRequestId(id)) return refused('neither a request nor an answer');
  return refused('neither a request nor an answer', answer(id, errorCodes.invalidRequest, 'Invalid request'));
}

/** One without a result or an error makes its request fail; nothing else of it counts. */
function answerMessage(fields: Fields, id: unknown): Incoming {
  const isComplete = fields['result'] !== undefined || Boolean(fields['error']);
  // The library writes out what is incomplete before it rejects what waits, and fails to on something nested deep.
  return message(isComplete ? { ...fields, id } : { jsonrpc: '2.0', id });
}

function admitCall(fields: Fields, method: string): Incoming {
  // vscode-jsonrpc would act on it at once, ahead of what is queued, and fails on one without params.
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
  return { kind: 'refused', reason, ...(errorAnswer === undefined ? {} : { answer: errorAnswer }) };
}

function answer(id: ErrorAnswer['id'], code: number, text: string): ErrorAnswer {
  return { jsonrpc: '2.0', id, error: { code, message: text } };
}
