import { isAbsolute, join, relative, sep } from 'node:path';
import * as vscode from 'vscode';
import { compact } from '../../shared/values/decodeValue';
import { fileKey, isInside, resolveNamed, type FileTarget } from '../base/filePaths';
import { readDisk } from '../files/diskText';
import { editorUri, findDocument, followDisk, sessionFolders } from '../files/documents';
import { countOf, requiredText, textOf, ToolProblem, type ToolCall, type ToolSession } from './tool';

/** How long a document may take to follow its file, in milliseconds. */
const followMs = 3000;
/** Maximum length of a line in a result. */
const longestLine = 200;

/** A position in a file that a call refers to. */
export interface Place {
  readonly document: vscode.TextDocument;
  readonly position: vscode.Position;
}

/** Resolves the path of a call. Rejects paths outside of the session's folders. */
export async function fileOf(call: ToolCall, path = requiredText(call, 'path')): Promise<FileTarget> {
  if (!vscode.workspace.isTrusted) {
    throw new ToolProblem("The workspace isn't trusted, so its files aren't available to agents.");
  }
  const { cwd } = call.context;
  const target = await resolveNamed(isAbsolute(path) ? path : join(cwd, path), cwd);
  const folders = await sessionFolders(cwd, call.folders);
  if (!folders.some(({ realPath }) => isInside(fileKey(realPath), target.key))) {
    throw new ToolProblem(`${path} is outside this session's folders. Use a path inside ${cwd}.`);
  }
  return target;
}

/** Resolves the path of a call like `fileOf`. Rejects what the agent's sandbox hides, too. */
async function shownFile(call: ToolCall, path?: string): Promise<FileTarget> {
  const target = await fileOf(call, path);
  if (call.services.hides?.(call.context, target.realPath))
    throw new ToolProblem(`The sandbox hides ${shownPath(call, target.path)}. Use readBuffer, which asks the user.`);
  return target;
}

/**
 * Returns whether a path may be inside the session's folders, without a look at the disk: for many files, of which few
 * are shown. `fileOf` decides, because links can lead elsewhere.
 */
export async function ownByPath(call: ToolCall): Promise<(path: string) => boolean> {
  const folders = await sessionFolders(call.context.cwd, call.folders);
  const keys = folders.flatMap(({ path, realPath }) => [fileKey(path), fileKey(realPath)]);
  return (path) => keys.some((folder) => isInside(folder, fileKey(path)));
}

/** Opens the document of a call without showing it. Its text is the user's, or else that of the disk. */
export async function documentOf(call: ToolCall, path?: string): Promise<vscode.TextDocument> {
  const target = await shownFile(call, path);
  const open = await findDocument(target);
  try {
    const document = open ?? (await vscode.workspace.openTextDocument(await editorUri(target)));
    await followDisk(document, target.realPath, followMs);
    await call.language.ready(document, call.signal);
    return document;
  } catch {
    const shown = shownPath(call, target.path);
    throw new ToolProblem(`${shown} can't be opened as text. Check that the file exists, and use its path.`);
  }
}

/** Finds the symbol of a call, in the given line or near it. */
export async function placeOf(call: ToolCall): Promise<Place> {
  const document = await documentOf(call);
  const symbol = textOf(call, 'symbol');
  const line = countOf(call, 'line', 0, 1);
  if (line > document.lineCount) {
    throw new ToolProblem(`The file has only ${document.lineCount} lines. Read it again and use a line that it has.`);
  }
  if (symbol === undefined) {
    if (line === 0) throw new ToolProblem('Name a “symbol”, and the “line” it is in.');
    const { firstNonWhitespaceCharacterIndex: first } = document.lineAt(line - 1);
    return { document, position: new vscode.Position(line - 1, first) };
  }
  const exact = line > 0 ? columnOf(document.lineAt(line - 1).text, symbol) : -1;
  if (exact >= 0) return { document, position: new vscode.Position(line - 1, exact) };
  const others = linesWith(document, symbol);
  const [only] = others;
  // Without a line, the first occurrence is as good as any: the language service knows what it is.
  if (only !== undefined && (line === 0 || others.length === 1)) {
    return { document, position: new vscode.Position(only, columnOf(document.lineAt(only).text, symbol)) };
  }
  const shown = shownPath(call, document.uri.fsPath);
  if (only === undefined)
    throw new ToolProblem(`“${symbol}” isn't in ${shown}. Check the name, or use workspaceSymbols.`);
  const numbers = others.slice(0, 10).map((number) => number + 1);
  throw new ToolProblem(`“${symbol}” isn't in line ${line} of ${shown}. It is in line ${numbers.join(', ')}.`);
}

function linesWith(document: vscode.TextDocument, symbol: string): number[] {
  return document
    .getText()
    .split(/\r\n|\n|\r/)
    .flatMap((text, line) => (columnOf(text, symbol) >= 0 ? [line] : []));
}

/** Prefers the whole word to a part of another. */
function columnOf(text: string, symbol: string): number {
  for (let at = text.indexOf(symbol); at >= 0; at = text.indexOf(symbol, at + 1)) {
    const around = `${text[at - 1] ?? ' '}${text[at + symbol.length] ?? ' '}`;
    if (!/[\p{L}\p{N}_$]/u.test(around)) return at;
  }
  return -1;
}

/** Returns a path as the agent should write it: relative to the session's folder if it is inside. */
export function shownPath({ context: { cwd } }: Pick<ToolSession, 'context'>, path: string): string {
  return isInside(cwd, path) ? relative(cwd, path).split(sep).join('/') : path;
}

/** A place in a result. */
export interface Found extends Record<string, unknown> {
  readonly path: string;
  readonly line: number;
  readonly text?: string;
}

/** Returns places with their lines. Files outside of the session's folders are named only. */
export async function foundAt(
  call: ToolCall,
  locations: readonly { readonly uri: vscode.Uri; readonly range: vscode.Range }[],
): Promise<readonly Found[]> {
  const texts = new Map<string, Promise<readonly string[] | undefined>>();
  return Promise.all(
    locations.map(async ({ uri, range: { start } }) => {
      const key = uri.toString();
      const lines = texts.get(key) ?? linesOf(call, uri);
      texts.set(key, lines);
      const text = (await lines)?.[start.line]?.trim().slice(0, longestLine);
      const path = uri.scheme === 'file' ? shownPath(call, uri.fsPath) : uri.toString();
      return { path, line: start.line + 1, ...compact({ text }) };
    }),
  );
}

async function linesOf(call: ToolCall, uri: vscode.Uri): Promise<readonly string[] | undefined> {
  if (uri.scheme !== 'file') return undefined;
  try {
    const target = await shownFile(call, uri.fsPath);
    const text = (await findDocument(target))?.getText() ?? (await readDisk(target.realPath, uri))?.text;
    return text?.split(/\r\n|\n|\r/);
  } catch {
    return undefined;
  }
}

export function foundLine({ path, line, text = '' }: Found): string {
  return text === '' ? `${path}:${line}` : `${path}:${line}: ${text}`;
}
