import { stat } from 'node:fs/promises';
import * as vscode from 'vscode';
import { splitLineFragment } from '../../shared/lineFragment';
import { openDocument } from '../workspaceFiles/openDocument';
import { presentState } from '../workspaceFiles/presentState';

/** A larger file goes as a link: the agent reads what it needs. Bytes. */
const textLimit = 256_000;

/** The text of an attached file, or of its lines, as the user sees it now; undefined for what is no text, or too large. */
export async function readContext(address: string): Promise<string | undefined> {
  const { uri: file, lines } = splitLineFragment(address);
  const uri = vscode.Uri.parse(file);
  const text = await textOf(uri);
  if (text === undefined || !lines) return text !== undefined && text.length > textLimit ? undefined : text;
  return text
    .split(/(?<=\n)/)
    .slice(lines.start - 1, lines.end)
    .join('');
}

async function textOf(uri: vscode.Uri): Promise<string | undefined> {
  const document = openDocument(uri);
  if (document) return document.getText();
  if (uri.scheme !== 'file') return undefined;
  try {
    // Lines of a file are named by hand, from an editor that can hold it.
    if ((await stat(uri.fsPath)).size > 20 * textLimit) return undefined;
    const state = await presentState(uri);
    return state.kind === 'text' ? state.text : undefined;
  } catch {
    return undefined; // It is gone, or closed to us: the agent gets the link and finds out.
  }
}
