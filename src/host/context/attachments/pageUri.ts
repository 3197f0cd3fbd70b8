import * as vscode from 'vscode';

/**
 * Converts a URI of the window, as it arrives with a drop, to the one that means the same here. In a remote window,
 * agents and this code run on the remote machine: its files are `vscode-remote:` in the window and `file:` here, and
 * the files of the user's machine are `file:` in the window and `vscode-local:` here.
 */
export function uriOfWindow(uri: vscode.Uri, remoteName: string | undefined): vscode.Uri {
  if (remoteName === undefined) return uri;
  if (uri.scheme === 'vscode-remote' && isIn(uri.authority, remoteName)) {
    return uri.with({ scheme: 'file', authority: '' });
  }
  return uri.scheme === 'file' ? uri.with({ scheme: 'vscode-local' }) : uri;
}

/** The name of a remote is the part of its authority before the plus, or the whole authority. */
function isIn(authority: string, remoteName: string): boolean {
  const lower = authority.toLowerCase();
  const name = remoteName.toLowerCase();
  return lower === name || lower.startsWith(`${name}+`);
}

/**
 * Splits a dropped URI into the file and the place in it: a search result or a problem has its place as a fragment,
 * such as `10,5-12,1`.
 */
export function splitPlace(uri: vscode.Uri): { readonly uri: vscode.Uri; readonly place?: vscode.Selection } {
  const found = /^L?(\d+)(?:,(\d+))?(?:-L?(\d+)(?:,(\d+))?)?$/.exec(uri.fragment);
  if (!found) return { uri };
  const line = (part: string | undefined, otherwise: number) => (part === undefined ? otherwise : Number(part) - 1);
  const start = line(found[1], 0);
  const end = Math.max(start, line(found[3], start));
  // Whole lines are attached, so that an empty range is more than nothing.
  return { uri: uri.with({ fragment: '' }), place: new vscode.Selection(start, 0, end + 1, 0) };
}
