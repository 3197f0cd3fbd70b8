import * as vscode from 'vscode';

/** Absolute path of the project's folder. The extension can run from a copy of what ships (test/runner/product.mjs). */
export function projectFolder(): string {
  const named = process.env['PARLEY_PROJECT'];
  if (named !== undefined) return named;
  const extension = vscode.extensions.getExtension('parley.parley-acp');
  if (!extension) throw new Error('Parley is not installed.');
  return extension.extensionPath;
}
