import * as vscode from 'vscode';
import type { EditorToolName } from '../../shared/pages/editorTools';
import { problemOf, problemsNow } from '../editor/problems';
import { documentOf, fileOf, foundAt, foundLine, ownByPath, placeOf, shownPath, type Found } from './places';
import {
  countOf,
  paged,
  requiredText,
  textOf,
  ToolProblem,
  type ToolCall,
  type ToolResult,
  type ToolRun,
} from './tool';

const mostProblems = 100;
const mostPlaces = 50;
const mostSymbols = 200;
/** Maximum length of a text in a result. */
const longest = 8000;

/** The tools that only read. */
export const readTools = {
  getDiagnostics: diagnostics,
  getSelection: selection,
  getOpenEditors: openEditors,
  readBuffer: buffer,
  findReferences: (call) => locations(call, 'vscode.executeReferenceProvider'),
  goToDefinition: (call) => locations(call, 'vscode.executeDefinitionProvider'),
  documentSymbols,
  workspaceSymbols,
  hover,
  findImplementations: (call) => locations(call, 'vscode.executeImplementationProvider'),
  callHierarchy,
} as const satisfies Partial<Record<EditorToolName, ToolRun>>;

async function locations(call: ToolCall, command: string): Promise<ToolResult> {
  const { document, position } = await placeOf(call);
  const found = await vscode.commands.executeCommand<(vscode.Location | vscode.LocationLink)[] | undefined>(
    command,
    document.uri,
    position,
  );
  const places = (found ?? []).map((one) =>
    'targetUri' in one ? new vscode.Location(one.targetUri, one.targetSelectionRange ?? one.targetRange) : one,
  );
  return listed(call, places, requiredText(call, 'symbol'));
}

async function listed(
  call: ToolCall,
  places: readonly { readonly uri: vscode.Uri; readonly range: vscode.Range }[],
  name: string,
) {
  const { page, hint, ...counts } = paged(call, places, mostPlaces);
  const found = await foundAt(call, page);
  if (counts.total === 0) {
    const text = `The language service found nothing for “${name}”. Search for the text instead.`;
    return { text, data: { total: 0, places: [] } };
  }
  return { text: `${found.map(foundLine).join('\n')}${hint}`, data: { ...counts, places: found } };
}

async function diagnostics(call: ToolCall): Promise<ToolResult> {
  const document = textOf(call, 'path') === undefined ? undefined : await documentOf(call);
  return call.language.withProblems(document, call.signal, (isSettled) => problemsOf(call, document, isSettled));
}

async function problemsOf(call: ToolCall, document: vscode.TextDocument | undefined, isSettled: boolean) {
  const mayBeOwn = await ownByPath(call);
  const all = problemsNow(document?.uri).filter(({ uri }) => mayBeOwn(uri.fsPath));
  all.sort((a, b) => a.diagnostic.severity - b.diagnostic.severity);
  const { page: chosen, hint, ...counts } = paged(call, all, mostProblems);
  const isLinkedElsewhere = await elsewhere(
    call,
    chosen.map(({ uri }) => uri),
  );
  const page = chosen
    .filter(({ uri }) => !isLinkedElsewhere.has(uri.toString()))
    .map(({ uri, diagnostic }) => ({ path: shownPath(call, uri.fsPath), ...problemOf(diagnostic) }));
  const lines = page.map((one) => {
    const source = one.source === '' ? '' : ` [${one.source}]`;
    return `${one.path}:${one.line}:${one.column} ${one.severity}: ${one.message}${source}`;
  });
  const note = isSettled ? '' : '\nThe language services are still working, so this may be incomplete.';
  const text = `${lines.length === 0 ? 'No problems.' : lines.join('\n')}${hint}${note}`;
  return { text, data: { ...counts, settled: isSettled, problems: page } };
}

/** Returns the URIs of these that are links to files outside of the session's folders. */
async function elsewhere(call: ToolCall, uris: readonly vscode.Uri[]): Promise<ReadonlySet<string>> {
  const files = new Map(uris.map((uri) => [uri.toString(), uri]));
  const found = await Promise.all([...files].map(async ([key, uri]) => ((await isOwn(call, uri)) ? '' : key)));
  return new Set(found);
}

async function isOwn(call: ToolCall, uri: vscode.Uri): Promise<boolean> {
  return fileOf(call, uri.fsPath).then(
    () => true,
    () => false,
  );
}

async function selection(call: ToolCall) {
  const editor = call.services.shown()?.editor;
  const document = editor?.document;
  if (!editor || !document || !(await isOwn(call, document.uri))) {
    return { text: "No file of this session's folders is open in the active editor.", data: { isOpen: false } };
  }
  const { selection: selected } = editor;
  const file = shownPath(call, document.uri.fsPath);
  const text = document.getText(selected).slice(0, longest);
  const [start, end] = [selected.start.line + 1, selected.end.line + 1];
  const where = `${file}:${start === end ? start : `${start}-${end}`}`;
  return {
    text: text === '' ? `${where}, nothing is selected.` : `${where}\n${text}`,
    data: { isOpen: true, path: file, startLine: start, endLine: end, text, isDirty: document.isDirty },
  };
}

async function openEditors(call: ToolCall) {
  const editors = [];
  for (const tab of vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs)) {
    const { input } = tab;
    const isText = input instanceof vscode.TabInputText || input instanceof vscode.TabInputNotebook;
    if (!isText || input.uri.scheme !== 'file' || !(await isOwn(call, input.uri))) continue;
    const isActive = tab.isActive && tab.group.isActive;
    editors.push({ path: shownPath(call, input.uri.fsPath), isDirty: tab.isDirty, isActive });
  }
  const lines = editors.map((one) => `${one.path}${one.isActive ? ' (active)' : ''}${one.isDirty ? ' (unsaved)' : ''}`);
  return { text: lines.length === 0 ? 'No files are open.' : lines.join('\n'), data: { editors } };
}

async function buffer(call: ToolCall) {
  // The same limits and questions as when an agent reads a file of the editor.
  const target = await fileOf(call);
  const first = countOf(call, 'line', 1, 1);
  const limit = countOf(call, 'limit', 2000, 1);
  const params = { path: target.path, line: first, limit };
  const text = await call.services.read(call.context, params, call.signal);
  return { text, data: { path: shownPath(call, target.path), line: first, text } };
}

async function documentSymbols(call: ToolCall) {
  const document = await documentOf(call);
  const found = await vscode.commands.executeCommand<(vscode.DocumentSymbol | vscode.SymbolInformation)[] | undefined>(
    'vscode.executeDocumentSymbolProvider',
    document.uri,
  );
  if (!found) throw new ToolProblem('The editor has no outline for this kind of file. Read the file instead.');
  const { page, hint, ...counts } = paged(
    call,
    found.flatMap((one) => outlined(one, 0)),
    mostSymbols,
  );
  const lines = page.map(({ level, startLine, kind, name }) => `${'  '.repeat(level)}${startLine}: ${kind} ${name}`);
  return { text: `${lines.join('\n')}${hint}`, data: { ...counts, symbols: page } };
}

interface Outlined {
  readonly name: string;
  readonly kind: string;
  readonly level: number;
  readonly startLine: number;
  readonly endLine: number;
}

function outlined(one: vscode.DocumentSymbol | vscode.SymbolInformation, level: number): Outlined[] {
  const range = 'range' in one ? one.range : one.location.range;
  const { name, kind } = one;
  const lines = { startLine: range.start.line + 1, endLine: range.end.line + 1 };
  const inner = 'children' in one ? one.children.flatMap((child) => outlined(child, level + 1)) : [];
  return [{ name, kind: kindName(kind), level, ...lines }, ...inner];
}

function kindName(kind: vscode.SymbolKind): string {
  return ((vscode.SymbolKind[kind] as string | undefined) ?? 'symbol').toLowerCase();
}

async function workspaceSymbols(call: ToolCall) {
  const query = requiredText(call, 'query');
  const found = await vscode.commands.executeCommand<vscode.SymbolInformation[] | undefined>(
    'vscode.executeWorkspaceSymbolProvider',
    query,
  );
  const own = [];
  for (const { name, kind, containerName, location } of found ?? []) {
    if (location.uri.scheme !== 'file' || !(await isOwn(call, location.uri))) continue;
    const at = { path: shownPath(call, location.uri.fsPath), line: location.range.start.line + 1 };
    own.push({ name, kind: kindName(kind), container: containerName, ...at });
  }
  const { page, hint, ...counts } = paged(call, own, mostPlaces);
  const lines = page.map((one) => `${one.path}:${one.line}: ${one.kind} ${one.name}`);
  const none = `The language services found no symbol like “${query}”. Open a file of that language, or search for text.`;
  return { text: lines.length === 0 ? none : `${lines.join('\n')}${hint}`, data: { ...counts, symbols: page } };
}

async function hover(call: ToolCall) {
  const { document, position } = await placeOf(call);
  const found = await vscode.commands.executeCommand<vscode.Hover[] | undefined>(
    'vscode.executeHoverProvider',
    document.uri,
    position,
  );
  const parts = (found ?? []).flatMap(({ contents }) => contents.map((one) => markdownOf(one)));
  const text = parts
    .filter((part) => part.trim() !== '')
    .join('\n\n')
    .slice(0, longest);
  if (text === '') throw new ToolProblem('The editor knows nothing about this place. Check “line” and “symbol”.');
  return { text, data: { contents: text } };
}

async function callHierarchy(call: ToolCall) {
  const { document, position } = await placeOf(call);
  const [item] =
    (await vscode.commands.executeCommand<vscode.CallHierarchyItem[] | undefined>(
      'vscode.prepareCallHierarchy',
      document.uri,
      position,
    )) ?? [];
  if (!item) throw new ToolProblem('This is not a function that the language service knows. Use findReferences.');
  const isOutgoing = call.args['outgoing'] === true;
  const command = isOutgoing ? 'vscode.provideOutgoingCalls' : 'vscode.provideIncomingCalls';
  const calls =
    (await vscode.commands.executeCommand<
      (vscode.CallHierarchyIncomingCall | vscode.CallHierarchyOutgoingCall)[] | undefined
    >(command, item)) ?? [];
  const found: (Found & { readonly name: string })[] = calls.map((one) => {
    const other = 'from' in one ? one.from : one.to;
    const at = 'from' in one ? (one.fromRanges[0] ?? other.selectionRange) : other.selectionRange;
    return { name: other.name, path: shownPath(call, other.uri.fsPath), line: at.start.line + 1 };
  });
  const { page, hint, ...counts } = paged(call, found, mostPlaces);
  const lines = page.map((one) => `${one.path}:${one.line}: ${one.name}`);
  const none = isOutgoing ? 'It calls nothing.' : 'Nothing calls it.';
  return { text: lines.length === 0 ? none : `${lines.join('\n')}${hint}`, data: { ...counts, calls: page } };
}

/** Hovers have texts of several shapes, some of them old. */
function markdownOf(content: vscode.Hover['contents'][number]): string {
  if (content instanceof vscode.MarkdownString) return content.value;
  return typeof content === 'string' ? content : '';
}
