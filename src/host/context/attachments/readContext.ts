import { stat } from 'node:fs/promises';
import * as vscode from 'vscode';
import { splitLineFragment } from '../../../shared/text/lineFragment';
import { openDocument } from '../../workspaceFiles/openDocument';
import { presentState } from '../../workspaceFiles/presentState';

/** Maximum size of attached text in bytes. A larger file is sent as a link, and the agent reads what it needs. */
export const textLimit = 256_000;

/**
 * Returns the text of an attached file, or of its lines, as the user sees it now. Resolves to undefined if the file is
 * too large or isn't text.
 */
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
    // Lines are selected by the user in an editor, so a larger file can still be read for them.
    if ((await stat(uri.fsPath)).size > 20 * textLimit) return undefined;
    const state = await presentState(uri);
    return state.kind === 'text' ? state.text : undefined;
  } catch {
    return undefined; // The file is missing or not readable. The agent gets the link and finds out why.
  }
}
