import { stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import * as vscode from 'vscode';
import { wayBelow } from '../../../disk/paths';
import { worktreeOf } from '../../../worktree/made/worktreeOf';
import { isReplaced, workspacePath } from '../../base/folders';
import { withLines } from '../../../shared/text/lineFragment';
import { showHiddenOnOneLine } from '../../../shared/text/visibleText';
import { linesOf } from '../attachments/attach';
import { matching, type FoundMention, type MentionSource } from './mentionSource';
import { isHiddenIn } from '../search/workspaceFiles';

/** Maximum number of symbols that are offered. */
const shown = 40;
/** Maximum number of symbols of the workspace that are looked at. Language servers have limits of their own. */
const most = 300;
/** Maximum number of files in a worktree whose symbols are read for what is typed. */
const mostRead = 20;

/**
 * Finds symbols of the active editor, and of the workspace once something is typed. Language servers know the workspace's files. For a session
 * in a worktree, symbols of a file that it replaces are looked for in the worktree's file of the same path.
 */
export class SymbolMentions implements MentionSource {
  async find(typed: string, folder?: string): Promise<readonly FoundMention[]> {
    const own = await documentSymbols(folder);
    const known = new Set(own.map(({ id }) => id));
    const others = typed === '' ? [] : await workspaceSymbols(typed, folder);
    const here = await matching(own, typed, shown);
    const elsewhere = await matching(
      others.filter(({ id }) => !known.has(id)),
      typed,
      shown,
    );
    return [...here, ...elsewhere].slice(0, shown);
  }
}

async function documentSymbols(folder: string | undefined): Promise<FoundMention[]> {
  const editor = vscode.window.activeTextEditor ?? vscode.window.visibleTextEditors[0];
  const shown = editor?.document.uri;
  const uri = shown?.scheme === 'file' ? await inSession(shown, folder) : undefined;
  return uri ? symbolsOf(uri) : [];
}

async function symbolsOf(uri: vscode.Uri): Promise<FoundMention[]> {
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

/** Returns the file that a session has in the place of one that its worktree replaces. Undefined if there is none. */
async function inSession(uri: vscode.Uri, folder: string | undefined): Promise<vscode.Uri | undefined> {
  const worktree = folder === undefined ? undefined : worktreeOf(folder);
  if (folder === undefined || !worktree || !isReplaced(folder, uri.fsPath)) return uri;
  const path = wayBelow(worktree.record.from, uri.fsPath);
  const place = path === undefined ? undefined : join(worktree.record.path, path);
  const info = place === undefined ? undefined : await stat(place).catch(() => undefined);
  return place !== undefined && info?.isFile() ? vscode.Uri.file(place) : undefined;
}

async function workspaceSymbols(typed: string, session: string | undefined): Promise<FoundMention[]> {
  const symbols = await vscode.commands.executeCommand<vscode.SymbolInformation[] | undefined>(
    'vscode.executeWorkspaceSymbolProvider',
    typed,
  );
  /** The symbols of files in the worktree, each read once. */
  const there = new Map<string, Promise<readonly FoundMention[]>>();
  const found = (symbols ?? []).slice(0, most).map(async ({ name, kind, location }) => {
    const folder = vscode.workspace.getWorkspaceFolder(location.uri);
    if (!folder || location.uri.scheme !== 'file' || (await isHiddenIn(folder, location.uri))) return [];
    const mention = symbolMention(name, kind, location.uri, location.range);
    const uri = await inSession(location.uri, session);
    if (uri === location.uri) return [mention];
    const key = uri?.toString();
    if (!uri || key === undefined || (!there.has(key) && there.size >= mostRead)) return [];
    const inFile = there.get(key) ?? symbolsOf(uri);
    there.set(key, inFile);
    return (await inFile).filter(({ label, icon }) => label === mention.label && icon === mention.icon).slice(0, 1);
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
