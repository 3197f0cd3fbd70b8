import type { AcpNotification, AcpRequest } from '../base/method';
import {
  asList,
  asNumber,
  asObject,
  asOneOf,
  asString,
  isAbsent,
  type JsonObject,
} from '../../shared/values/decodeValue';

// Next edit suggestions: https://agentclientprotocol.com/rfds/next-edit-suggestions. They have left the schema of version
// 1, but the SDK still has them, so these are the only types of messages that don't come from it.

/** A place in a text. Both count from zero, and characters are UTF-16 units. */
export interface NesPosition {
  readonly line: number;
  readonly character: number;
}

/** `end` is exclusive. */
export interface NesRange {
  readonly start: NesPosition;
  readonly end: NesPosition;
}

export interface NesTextEdit {
  readonly range: NesRange;
  readonly newText: string;
}

/** What an agent suggests to change or to look at next. */
export type NesSuggestion =
  | {
      readonly kind: 'edit';
      readonly id: string;
      readonly uri: string;
      readonly edits: readonly NesTextEdit[];
      /** The cursor after the edit. */
      readonly cursor?: NesPosition;
    }
  | { readonly kind: 'jump'; readonly id: string; readonly uri: string; readonly position: NesPosition }
  | {
      readonly kind: 'rename';
      readonly id: string;
      readonly uri: string;
      readonly position: NesPosition;
      readonly newName: string;
    }
  | {
      readonly kind: 'searchAndReplace';
      readonly id: string;
      readonly uri: string;
      readonly search: string;
      readonly replace: string;
      readonly isRegex: boolean;
    };

export type NesTrigger = 'automatic' | 'diagnostic' | 'manual';

/** Why a suggestion wasn't accepted. */
export type NesRejection = 'rejected' | 'ignored' | 'replaced' | 'cancelled';

export interface NesFile {
  readonly uri: string;
  readonly languageId: string;
}

export interface NesDiagnostic {
  readonly uri: string;
  readonly range: NesRange;
  readonly severity: 'error' | 'warning' | 'information' | 'hint';
  readonly message: string;
}

/** The surroundings of a request. Agents get only what they advertise. */
export interface NesContext {
  readonly recentFiles?: readonly (NesFile & { readonly text: string })[];
  readonly editHistory?: readonly { readonly uri: string; readonly diff: string }[];
  readonly userActions?: readonly {
    readonly action: string;
    readonly uri: string;
    readonly position: NesPosition;
    readonly timestampMs: number;
  }[];
  readonly openFiles?: readonly (NesFile & { readonly visibleRange?: NesRange; readonly lastFocusedMs?: number })[];
  readonly diagnostics?: readonly NesDiagnostic[];
}

/** What an agent wants to know for its suggestions. */
export interface NesCapabilities {
  /** How it counts characters. Parley offers only `utf-16`. */
  readonly positionEncoding: string;
  readonly didOpen: boolean;
  readonly didChange: 'full' | 'incremental' | undefined;
  readonly didClose: boolean;
  readonly didSave: boolean;
  readonly didFocus: boolean;
  /** How many it wants at most; undefined if none. */
  readonly recentFiles: number | undefined;
  readonly editHistory: number | undefined;
  readonly userActions: number | undefined;
  readonly openFiles: boolean;
  readonly diagnostics: boolean;
}

interface InSession {
  readonly sessionId: string;
}

interface InDocument extends InSession {
  readonly uri: string;
}

export interface NesSuggestRequest extends InDocument {
  readonly version: number;
  readonly position: NesPosition;
  readonly selection?: NesRange;
  readonly triggerKind: NesTrigger;
  readonly context?: NesContext;
}

export interface NesStartRequest {
  readonly workspaceUri?: string;
  readonly workspaceFolders: readonly { readonly uri: string; readonly name: string }[];
}

function request<P, R>(method: string): AcpRequest<P, R> {
  return { method };
}

function notification<P>(method: string): AcpNotification<P> {
  return { method };
}

/** The methods of next edit suggestions, all of them to the agent. Their results are unchecked. */
export const nesMethods = {
  start: request<NesStartRequest, unknown>('nes/start'),
  suggest: request<NesSuggestRequest, unknown>('nes/suggest'),
  close: request<InSession, unknown>('nes/close'),
  accept: notification<InSession & { readonly id: string }>('nes/accept'),
  reject: notification<InSession & { readonly id: string; readonly reason: NesRejection }>('nes/reject'),
  didOpen: notification<InDocument & { readonly languageId: string; readonly version: number; readonly text: string }>(
    'document/didOpen',
  ),
  didChange: notification<
    InDocument & {
      readonly version: number;
      readonly contentChanges: readonly { readonly range?: NesRange; readonly text: string }[];
    }
  >('document/didChange'),
  didClose: notification<InDocument>('document/didClose'),
  didSave: notification<InDocument>('document/didSave'),
  didFocus: notification<
    InDocument & { readonly version: number; readonly position: NesPosition; readonly visibleRange: NesRange }
  >('document/didFocus'),
} as const;

/** What Parley advertises: every kind of suggestion, and positions as the editor counts them. */
export const nesClientCapabilities = {
  nes: { jump: {}, rename: {}, searchAndReplace: {} },
  positionEncodings: ['utf-16'],
} as const;

/** How much of each kind of context an agent gets if it names no number, and at most. */
const [usualCount, mostCount] = [10, 50];

/** Reads `agentCapabilities`; undefined if the agent offers no suggestions. */
export function decodeNesCapabilities(agent: JsonObject | undefined): NesCapabilities | undefined {
  const nes = asObject(agent?.['nes']);
  if (!nes) return undefined;
  const document = asObject(asObject(nes['events'])?.['document']);
  const context = asObject(nes['context']);
  const has = (of: JsonObject | undefined, key: string) => asObject(of?.[key]) !== undefined || of?.[key] === true;
  const countOf = (key: string) => {
    if (!has(context, key)) return undefined;
    const count = asNumber(asObject(context?.[key])?.['maxCount']) ?? usualCount;
    return Math.max(0, Math.min(mostCount, Math.floor(count)));
  };
  const change = asObject(document?.['didChange']);
  return {
    positionEncoding: asString(agent?.['positionEncoding']) ?? 'utf-16',
    didOpen: has(document, 'didOpen'),
    didChange: change && (asOneOf(change['syncKind'], ['full', 'incremental']) ?? 'full'),
    didClose: has(document, 'didClose'),
    didSave: has(document, 'didSave'),
    didFocus: has(document, 'didFocus'),
    recentFiles: countOf('recentFiles'),
    editHistory: countOf('editHistory'),
    userActions: countOf('userActions'),
    openFiles: has(context, 'openFiles'),
    diagnostics: has(context, 'diagnostics'),
  };
}

/** Reads the response to `nes/start`. */
export function decodeNesSession(value: unknown): string | undefined {
  return asString(asObject(value)?.['sessionId']) || undefined;
}

/** Reads the response to `nes/suggest`, without what can't be read. `null` means no suggestions. */
export function decodeSuggestions(value: unknown): readonly NesSuggestion[] {
  return asList(asObject(value)?.['suggestions'], decodeSuggestion) ?? [];
}

function decodeSuggestion(value: unknown): NesSuggestion | undefined {
  const item = asObject(value);
  // A version of August 2026 has the other name.
  const id = asString(item?.['id']) ?? asString(item?.['suggestionId']);
  const uri = asString(item?.['uri']);
  if (!item || id === undefined || uri === undefined) return undefined;
  const position = decodePosition(item['position']);
  switch (item['kind']) {
    case 'edit': {
      const edits = asList(item['edits'], decodeEdit);
      // An edit that is only applied in part is another edit.
      if (!edits || edits.length === 0 || edits.length !== (item['edits'] as readonly unknown[]).length)
        return undefined;
      const cursor = decodePosition(item['cursorPosition']);
      return { kind: 'edit', id, uri, edits, ...(cursor ? { cursor } : {}) };
    }
    case 'jump':
      return position && { kind: 'jump', id, uri, position };
    case 'rename': {
      const newName = asString(item['newName']);
      return position && newName ? { kind: 'rename', id, uri, position, newName } : undefined;
    }
    case 'searchAndReplace': {
      const [search, replace] = [asString(item['search']), asString(item['replace'])];
      if (!search || replace === undefined) return undefined;
      return { kind: 'searchAndReplace', id, uri, search, replace, isRegex: item['isRegex'] === true };
    }
    default:
      return undefined;
  }
}

function decodeEdit(value: unknown): NesTextEdit | undefined {
  const edit = asObject(value);
  const range = decodeRange(edit?.['range']);
  const newText = asString(edit?.['newText']);
  return range && newText !== undefined ? { range, newText } : undefined;
}

function decodeRange(value: unknown): NesRange | undefined {
  const range = asObject(value);
  const [start, end] = [decodePosition(range?.['start']), decodePosition(range?.['end'])];
  if (!start || !end) return undefined;
  const isForward = start.line < end.line || (start.line === end.line && start.character <= end.character);
  return isForward ? { start, end } : undefined;
}

function decodePosition(value: unknown): NesPosition | undefined {
  const position = asObject(value);
  if (isAbsent(position)) return undefined;
  const [line, character] = [asNumber(position?.['line']), asNumber(position?.['character'])];
  const isCount = (number: number | undefined): number is number => Number.isInteger(number) && Number(number) >= 0;
  return isCount(line) && isCount(character) ? { line, character } : undefined;
}
