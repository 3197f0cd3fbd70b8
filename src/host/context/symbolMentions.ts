import { basename } from 'node:path';
import * as vscode from 'vscode';
import { workspacePath } from '../base/folders';
import { withLines } from '../../shared/lineFragment';
import { showHiddenOnOneLine } from '../../shared/visibleText';
import { linesOf } from './attach';
import { matching, type FoundMention, type MentionSource } from './mentionSource';
import { isHiddenIn } from './workspaceFiles';

/** Maximum number of symbols that are offered. */
const shown = 40;
/** Maximum number of symbols of the workspace that are looked at. Language servers have limits of their own. */
const most = 300;

/** Finds symbols of the active editor, and of the workspace once something is typed. */
export class SymbolMentions implements MentionSource {
  async find(typed: string): Promise<readonly FoundMention[]> {
    const own = await documentSymbols();
    const known = new Set(own.map(({ id }) => id));
    const others = typed === '' ? [] : await workspaceSymbols(typed);
    const here = await matching(own, typed, shown);
    const elsewhere = await matching(
      others.filter(({ id }) => !known.has(id)),
      typed,
      shown,
    );
    return [...here, ...elsewhere].slice(0, shown);
  }
}

async function documentSymbols(): Promise<FoundMention[]> {
  const editor = vscode.window.activeTextEditor ?? vscode.window.visibleTextEditors[0];
  const uri = editor?.document.uri;
  if (uri?.scheme !== 'file') return [];
  const symbols = await vscode.commands.executeCommand<
    (vscode.DocumentSymbol | vscode.SymbolInformation)[] | undefined
  >('vscode.executeDocumentSymbolProvider', uri);
  return (symbols ?? []).flatMap((symbol) => withInner(symbol, uri));
}

function withInner(symbol: vscode.DocumentSymbol | vscode.SymbolInformation, uri: vscode.Uri): FoundMention[] {
  // Symbols of both kinds have a location in practice, but only one of them has it alone.
  if (!('range' in symbol)) return [symbolMention(symbol.name, symbol.kind, uri, symbol.location.range)];
  const { name, kind, range, children } = symbol;
  return [symbolMention(name, kind, uri, range), ...children.flatMap((child) => withInner(child, uri))];
}

async function workspaceSymbols(typed: string): Promise<FoundMention[]> {
  const symbols = await vscode.commands.executeCommand<vscode.SymbolInformation[] | undefined>(
    'vscode.executeWorkspaceSymbolProvider',
    typed,
  );
  const found = (symbols ?? []).slice(0, most).map(async ({ name, kind, location }) => {
    const folder = vscode.workspace.getWorkspaceFolder(location.uri);
    if (!folder || location.uri.scheme !== 'file' || (await isHiddenIn(folder, location.uri))) return [];
    return [symbolMention(name, kind, location.uri, location.range)];
  });
  return (await Promise.all(found)).flat();
}

function symbolMention(name: string, kind: vscode.SymbolKind, uri: vscode.Uri, range: vscode.Range): FoundMention {
  const address = withLines(uri.toString(), linesOf(range));
  const label = showHiddenOnOneLine(name);
  return {
    id: `symbol:${name}:${address}`,
    kind: 'symbol',
    group: 'symbol',
    label,
    detail: `${workspacePath(uri)}:${range.start.line + 1}`,
    icon: iconOf(kind),
    attachment: { type: 'resource_link', uri: address, name: label || basename(uri.path) },
  };
}

function iconOf(kind: vscode.SymbolKind): string {
  switch (kind) {
    case vscode.SymbolKind.Class:
    case vscode.SymbolKind.Struct:
      return 'symbol-class';
    case vscode.SymbolKind.Interface:
      return 'symbol-interface';
    case vscode.SymbolKind.Enum:
      return 'symbol-enum';
    case vscode.SymbolKind.Variable:
    case vscode.SymbolKind.Constant:
      return 'symbol-variable';
    case vscode.SymbolKind.Property:
    case vscode.SymbolKind.Field:
      return 'symbol-field';
    default:
      return 'symbol-method';
  }
}
