import * as l10n from '@vscode/l10n';
import type { ToolCallEntry } from '../../src/shared/transcript';

/** A call of one of the editor's tools, in words: what it does, and with which symbol, file, or text. */
export interface EditorToolWords {
  readonly verb: string;
  readonly object: string;
}

/** Agents join the names of a server and its tool in their own ways. */
const patterns = [/^mcp__editor__(\w+)$/, /^mcp\.editor\.(\w+)$/, /^(\w+) \(editor MCP Server\)$/, /^editor[_-](\w+)$/];

/** Returns the words for a call that has started. Requests show what the agent sent. */
export function editorToolWords(
  { title, name = '', rawInput }: Pick<ToolCallEntry, 'title' | 'name' | 'rawInput'>,
  isDone: boolean,
): EditorToolWords | undefined {
  const tool = patterns.map((pattern) => (pattern.exec(title.trim()) ?? pattern.exec(name))?.[1]).find(Boolean);
  const verb = tool === undefined ? undefined : verbs().get(tool)?.[isDone ? 1 : 0];
  if (verb === undefined) return undefined;
  const input =
    typeof rawInput === 'object' && rawInput !== null ? (rawInput as Readonly<Record<string, unknown>>) : {};
  const object = [input['symbol'], input['query'], input['path'], input['name']].find((one) => typeof one === 'string');
  return { verb, object: typeof object === 'string' ? object : l10n.t('the editor') };
}

function verbs(): ReadonlyMap<string, readonly [now: string, done: string]> {
  return new Map<string, readonly [now: string, done: string]>(
    Object.entries({
      getDiagnostics: [l10n.t('Checking problems in'), l10n.t('Checked problems in')],
      getSelection: [l10n.t('Reading the selection in'), l10n.t('Read the selection in')],
      getOpenEditors: [l10n.t('Listing open files in'), l10n.t('Listed open files in')],
      readBuffer: [l10n.t('Reading unsaved text of'), l10n.t('Read unsaved text of')],
      findReferences: [l10n.t('Looking up references of'), l10n.t('Looked up references of')],
      goToDefinition: [l10n.t('Looking up the definition of'), l10n.t('Looked up the definition of')],
      documentSymbols: [l10n.t('Reading the outline of'), l10n.t('Read the outline of')],
      workspaceSymbols: [l10n.t('Looking up symbols like'), l10n.t('Looked up symbols like')],
      hover: [l10n.t('Looking up the type of'), l10n.t('Looked up the type of')],
      findImplementations: [l10n.t('Looking up implementations of'), l10n.t('Looked up implementations of')],
      callHierarchy: [l10n.t('Looking up calls of'), l10n.t('Looked up calls of')],
      renameSymbol: [l10n.t('Renaming'), l10n.t('Renamed')],
    }),
  );
}
