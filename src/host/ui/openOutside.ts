import * as vscode from 'vscode';

/** Opens an address in the browser; resolves to whether VS Code and the user did so. */
export async function openOutside(address: string): Promise<boolean> {
  try {
    // Passed as a string, because a `Uri` would re-encode the address, and logins fail if its escapes change.
    return await vscode.env.openExternal(address as unknown as vscode.Uri);
  } catch {
    // Whoever asked for the page says that it wasn't opened, so the error isn't needed.
    return false;
  }
}
