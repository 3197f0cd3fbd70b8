import * as vscode from 'vscode';
import type { ProblemText } from './problemText';

const severities = ['error', 'warning', 'info', 'hint'] as const;

/** A problem of a file, as a language service reported it. */
export interface FoundProblem {
  readonly uri: vscode.Uri;
  readonly diagnostic: vscode.Diagnostic;
}

/** Returns the problems that language services report for a file now, or for all files. */
export function problemsNow(uri?: vscode.Uri): FoundProblem[] {
  const found: [vscode.Uri, readonly vscode.Diagnostic[]][] = uri
    ? [[uri, vscode.languages.getDiagnostics(uri)]]
    : vscode.languages.getDiagnostics();
  return found.flatMap(([at, diagnostics]) =>
    at.scheme === 'file' ? diagnostics.map((diagnostic) => ({ uri: at, diagnostic })) : [],
  );
}

/** Hints are marks of the editor rather than problems: they're shown as dots, and not in the Problems view. */
export function isProblem({ severity }: vscode.Diagnostic): boolean {
  return severity !== vscode.DiagnosticSeverity.Hint;
}

/** Returns what a tool says about a problem. */
export function problemOf({ range, message, severity, source = '', code }: vscode.Diagnostic): ProblemText {
  const id = typeof code === 'object' ? code.value : code;
  return {
    line: range.start.line + 1,
    column: range.start.character + 1,
    severity: severities[severity],
    message,
    source: [source, id === undefined ? '' : String(id)].filter((part) => part !== '').join(' '),
  };
}
