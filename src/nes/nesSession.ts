import * as l10n from '@vscode/l10n';
import type { AcpNotification, AcpRequest } from '../acp/base/method';
import {
  decodeNesSession,
  decodeSuggestions,
  nesMethods,
  type NesCapabilities,
  type NesContext,
  type NesDiagnostic,
  type NesPosition,
  type NesRange,
  type NesRejection,
  type NesStartRequest,
  type NesTrigger,
} from '../acp/decode/nesMessages';
import { Disposable } from '../shared/values/disposable';
import { Emitter } from '../shared/values/event';
import { Documents, type DocumentChange } from './documents';
import { awaySuggestion, inlineEdit, type AwaySuggestion, type InlineEdit } from './placement';

/** The connection to the agent. */
export interface NesAgent {
  ask<P, R>(method: AcpRequest<P, R>, params: NoInfer<P>, signal?: AbortSignal): Promise<R>;
  tell<P>(method: AcpNotification<P>, params: NoInfer<P>): void;
}

/** What the editor knows around the documents. */
export interface NesSurroundings {
  /** Returns the URI as the editor spells it; undefined if the agent may not see the file. */
  served(uri: string): string | undefined;
  /** Returns the version of an open document that the editor has now, which may be ahead of what was sent. */
  versionOf(uri: string): number | undefined;
  openFiles(): NonNullable<NesContext['openFiles']>;
  diagnostics(): readonly NesDiagnostic[];
  /** Returns the selection in this document, if there is one. */
  selectionIn(uri: string): NesRange | undefined;
  /** Milliseconds since the epoch. */
  now(): number;
}

/** Longer documents aren't sent, in UTF-16 units. */
const longestDocument = 1_000_000;
const mostDiagnostics = 100;
/** The rest of an answer is ignored. */
const mostSuggestions = 20;

/** The suggestions that an agent returned: for the cursor, and for everywhere else. */
export interface Suggested {
  readonly inline: readonly InlineEdit[];
  readonly away: readonly AwaySuggestion[];
}

const nothing: Suggested = { inline: [], away: [] };

/**
 * A session of next edit suggestions with an agent. It sends what the agent advertises that it wants and nothing else,
 * and answers for every suggestion exactly once, unless the user accepts one that was replaced.
 */
export class NesSession extends Disposable {
  private readonly agent: NesAgent;
  private readonly can: NesCapabilities;
  private readonly surroundings: NesSurroundings;
  private readonly id: string;
  private readonly documents: Documents;
  /** The suggestions that are offered to the user: their documents by their ids. */
  private readonly offered = new Map<string, string>();
  /** Accepted suggestions whose change of the document hasn't been sent yet, in the same form. */
  private readonly accepted = new Map<string, string>();
  private readonly settled = this.register(new Emitter<string>());
  /** Fires with the id of a suggestion that is no longer offered. */
  readonly onDidSettle = this.settled.event;

  private constructor(agent: NesAgent, can: NesCapabilities, surroundings: NesSurroundings, id: string) {
    super();
    this.agent = agent;
    this.can = can;
    this.surroundings = surroundings;
    this.id = id;
    this.documents = new Documents(() => surroundings.now());
  }

  /** Starts a session; rejects as the request does, and if the agent counts positions in another way. */
  static async start(
    agent: NesAgent,
    can: NesCapabilities,
    surroundings: NesSurroundings,
    params: NesStartRequest,
  ): Promise<NesSession> {
    if (can.positionEncoding !== 'utf-16') {
      throw new Error(l10n.t('The agent counts characters in {0}, which isn’t supported.', can.positionEncoding));
    }
    const id = decodeNesSession(await agent.ask(nesMethods.start, params));
    if (id === undefined) throw new Error(l10n.t('The agent didn’t return a session ID.'));
    return new NesSession(agent, can, surroundings, id);
  }

  private hasEnded(): boolean {
    return this.isDisposed;
  }

  open(uri: string, languageId: string, version: number, text: string): void {
    if (this.surroundings.served(uri) === undefined || text.length > longestDocument) return;
    this.documents.open(uri, languageId, version, text);
    if (this.can.didOpen) this.agent.tell(nesMethods.didOpen, { sessionId: this.id, uri, languageId, version, text });
  }

  change(uri: string, version: number, changes: readonly DocumentChange[]): void {
    if (!this.documents.get(uri)) return;
    this.documents.change(uri, version, changes);
    const document = this.documents.get(uri);
    if (!document || this.can.didChange === undefined) {
      this.tellAccepted();
      return;
    }
    const contentChanges = this.can.didChange === 'full' ? [{ text: document.getText() }] : changes;
    this.agent.tell(nesMethods.didChange, { sessionId: this.id, uri, version, contentChanges });
    this.tellAccepted();
  }

  save(uri: string): void {
    if (this.can.didSave && this.documents.get(uri)) this.agent.tell(nesMethods.didSave, { sessionId: this.id, uri });
  }

  close(uri: string): void {
    if (!this.documents.get(uri)) return;
    this.documents.close(uri);
    this.tellAccepted();
    if (this.can.didClose) this.agent.tell(nesMethods.didClose, { sessionId: this.id, uri });
  }

  /** Tells where the user is. */
  focus(uri: string, position: NesPosition, visibleRange: NesRange): void {
    const document = this.documents.get(uri);
    if (!document) return;
    this.documents.moved(uri, position);
    const { version } = document;
    if (this.can.didFocus) {
      this.agent.tell(nesMethods.didFocus, { sessionId: this.id, uri, version, position, visibleRange });
    }
  }

  /**
   * Asks for suggestions. Those before are replaced, or ignored if there are none. Suggestions for a text that has
   * changed meanwhile are dropped.
   */
  async suggest(uri: string, position: NesPosition, trigger: NesTrigger, signal: AbortSignal): Promise<Suggested> {
    const asked = this.documents.get(uri);
    if (!asked || this.hasEnded()) return nothing;
    const { version } = asked;
    const versions = this.documents.versions;
    const selection = this.surroundings.selectionIn(uri);
    const context = this.contextFor(uri);
    const answer = await this.agent.ask(
      nesMethods.suggest,
      {
        sessionId: this.id,
        uri,
        version,
        position,
        ...(selection ? { selection } : {}),
        triggerKind: trigger,
        ...(context ? { context } : {}),
      },
      signal,
    );
    const suggestions = decodeSuggestions(answer);
    const document = this.documents.get(uri);
    if (this.hasEnded()) return nothing;
    if (!document || this.isBehind(uri, version) || signal.aborted) {
      for (const { id } of suggestions) this.tellRejected(id, 'cancelled');
      return nothing;
    }
    this.dropOffered(suggestions.length > 0 ? 'replaced' : 'ignored');
    const inline: InlineEdit[] = [];
    const away: AwaySuggestion[] = [];
    for (const [index, suggestion] of suggestions.entries()) {
      const target = this.surroundings.served(suggestion.uri);
      const found = target === undefined || index >= mostSuggestions ? undefined : { ...suggestion, uri: target };
      const atCursor = found && inlineEdit(found, document, position);
      const there = found && this.documents.get(found.uri);
      const isSame = there === undefined || !this.isBehind(there.uri, versions.get(there.uri));
      const placed = found && !atCursor && isSame ? awaySuggestion(found, there) : undefined;
      if (atCursor) inline.push(atCursor);
      else if (placed) away.push(placed);
      else {
        this.tellRejected(suggestion.id, 'ignored');
        continue;
      }
      this.offered.set(suggestion.id, target ?? uri);
    }
    return { inline, away };
  }

  /** Tells the agent that the user accepted a suggestion, after what that changed. */
  accept(id: string): void {
    if (!this.isDisposed) this.accepted.set(id, this.offered.get(id) ?? '');
    this.offered.delete(id);
    this.tellAccepted();
    this.settled.fire(id);
  }

  /** Does nothing if the suggestion is no longer offered. */
  reject(id: string, reason: NesRejection): void {
    if (!this.offered.delete(id)) return;
    this.tellRejected(id, reason);
    this.settled.fire(id);
  }

  /** Ends the session; resolves when the agent knows. Never rejects. */
  async end(): Promise<void> {
    if (this.isDisposed) return;
    this.dropOffered('cancelled');
    this.tellAccepted(() => true);
    this.dispose();
    await this.agent.ask(nesMethods.close, { sessionId: this.id }).catch(() => undefined);
  }

  /** Returns whether a document has changed since this version, here or in the editor. */
  private isBehind(uri: string, version: number | undefined): boolean {
    const now = this.surroundings.versionOf(uri) ?? this.documents.get(uri)?.version;
    return now !== version || this.documents.get(uri)?.version !== version;
  }

  private dropOffered(reason: NesRejection): void {
    for (const id of [...this.offered.keys()]) this.reject(id, reason);
  }

  private tellAccepted(isSent = (uri: string) => !this.isAhead(uri)): void {
    for (const [id, uri] of this.accepted) {
      if (!isSent(uri)) continue;
      this.accepted.delete(id);
      this.agent.tell(nesMethods.accept, { sessionId: this.id, id });
    }
  }

  /** Returns whether the editor has changed a document since the last change that was sent. */
  private isAhead(uri: string): boolean {
    const sent = this.documents.get(uri)?.version;
    const now = this.surroundings.versionOf(uri);
    return sent !== undefined && now !== undefined && now > sent;
  }

  private tellRejected(id: string, reason: NesRejection): void {
    this.agent.tell(nesMethods.reject, { sessionId: this.id, id, reason });
  }

  private contextFor(uri: string): NesContext | undefined {
    const { recentFiles, editHistory, userActions, openFiles, diagnostics } = this.can;
    const seen = <T extends { readonly uri: string }>(items: readonly T[]) =>
      items.filter((item) => this.surroundings.served(item.uri) !== undefined);
    const context: NesContext = {
      ...(recentFiles === undefined ? {} : { recentFiles: this.documents.recentFiles(recentFiles, uri) }),
      ...(editHistory === undefined ? {} : { editHistory: this.documents.lastEdits(editHistory) }),
      ...(userActions === undefined ? {} : { userActions: this.documents.lastActions(userActions) }),
      ...(openFiles ? { openFiles: seen(this.surroundings.openFiles()) } : {}),
      ...(diagnostics ? { diagnostics: seen(this.surroundings.diagnostics()).slice(0, mostDiagnostics) } : {}),
    };
    return Object.keys(context).length > 0 ? context : undefined;
  }
}
