import { asList, asNumber, asObject, asString, type JsonObject } from '../shared/values/decodeValue';
import type { NesRange, NesTrigger } from '../acp/decode/nesMessages';
import { Disposable } from '../shared/values/disposable';
import { Emitter } from '../shared/values/event';
import { messageOf } from '../shared/values/messageOf';
import type { DocumentChange } from './documents';
import type { NesSession, Suggested } from './nesSession';

/** A JSON-RPC message between the language client and this server, in one process. */
export interface LspMessage {
  readonly jsonrpc: string;
  readonly id?: number | string | null;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

/** The command that the editor runs when it has inserted a suggestion. */
export interface AcceptedCommand {
  readonly command: string;
  /** The arguments before the suggestion's id. */
  readonly arguments: readonly unknown[];
}

const methodNotFound = -32601;
const requestCancelled = -32800;
const internalError = -32603;

/** What the language client is told: it sends documents as increments, and asks for inline completions. */
const capabilities = {
  textDocumentSync: { openClose: true, change: 2, save: { includeText: false } },
  inlineCompletionProvider: {},
} as const;

/**
 * A language server inside the extension host. For the editor's language client it answers in the language server
 * protocol; behind it is an agent's session of next edit suggestions.
 */
export class LanguageServer extends Disposable {
  private readonly session: NesSession;
  private readonly accepted: AcceptedCommand;
  private readonly pending = new Map<unknown, AbortController>();
  private readonly sent = this.register(new Emitter<LspMessage>());
  /** Fires with each message for the language client. */
  readonly onDidSend = this.sent.event;
  private readonly suggested = this.register(new Emitter<Suggested['away']>());
  /** Fires with the suggestions of an answer that aren't at the cursor, also if there are none. */
  readonly onDidSuggestAway = this.suggested.event;

  constructor(session: NesSession, accepted: AcceptedCommand) {
    super();
    this.session = session;
    this.accepted = accepted;
  }

  /** Takes a message of the language client. Never throws. */
  receive({ id, method, params }: LspMessage): void {
    if (method === undefined) return;
    const object = asObject(params) ?? {};
    if (id === undefined || id === null) this.notified(method, object);
    else void this.answer(id, method, object);
  }

  override dispose(): void {
    for (const request of this.pending.values()) request.abort();
    super.dispose();
  }

  private async answer(id: number | string, method: string, params: JsonObject): Promise<void> {
    if (method === 'initialize') this.send({ id, result: { capabilities } });
    else if (method === 'shutdown') this.send({ id, result: null });
    else if (method !== 'textDocument/inlineCompletion') {
      this.send({ id, error: { code: methodNotFound, message: `Unknown method ${method}` } });
    } else {
      const request = new AbortController();
      this.pending.set(id, request);
      try {
        this.send({ id, result: await this.complete(params, request.signal) });
      } catch (error) {
        const code = request.signal.aborted ? requestCancelled : internalError;
        this.send({ id, error: { code, message: messageOf(error) } });
      } finally {
        this.pending.delete(id);
      }
    }
  }

  private async complete(params: JsonObject, signal: AbortSignal): Promise<unknown> {
    const uri = uriOf(params);
    const position = asObject(params['position']);
    const [line, character] = [asNumber(position?.['line']), asNumber(position?.['character'])];
    if (uri === undefined || line === undefined || character === undefined) return [];
    // Invoked is 1, automatic is 2.
    const trigger: NesTrigger = asObject(params['context'])?.['triggerKind'] === 1 ? 'manual' : 'automatic';
    const { inline, away } = await this.session.suggest(uri, { line, character }, trigger, signal);
    this.suggested.fire(away);
    const { command, arguments: args } = this.accepted;
    return inline.map(({ id, range, insertText }) => ({
      insertText,
      range,
      command: { title: '', command, arguments: [...args, id] },
    }));
  }

  private notified(method: string, params: JsonObject): void {
    const document = asObject(params['textDocument']);
    const uri = uriOf(params);
    if (method === '$/cancelRequest') this.pending.get(params['id'])?.abort();
    if (uri === undefined) return;
    const version = asNumber(document?.['version']) ?? 0;
    if (method === 'textDocument/didOpen') {
      const languageId = asString(document?.['languageId']) ?? '';
      this.session.open(uri, languageId, version, asString(document?.['text']) ?? '');
    } else if (method === 'textDocument/didChange') {
      this.session.change(uri, version, asList(params['contentChanges'], changeOf) ?? []);
    } else if (method === 'textDocument/didSave') this.session.save(uri);
    else if (method === 'textDocument/didClose') this.session.close(uri);
  }

  private send(message: Omit<LspMessage, 'jsonrpc'>): void {
    if (!this.isDisposed) this.sent.fire({ jsonrpc: '2.0', ...message });
  }
}

/** The language client is part of the extension, so its ranges are right. */
function changeOf(value: unknown): DocumentChange | undefined {
  const change = asObject(value);
  const text = asString(change?.['text']);
  if (text === undefined) return undefined;
  const range = change?.['range'] as NesRange | undefined;
  return range ? { range, text } : { text };
}

function uriOf(params: JsonObject): string | undefined {
  return asString(asObject(params['textDocument'])?.['uri']);
}
