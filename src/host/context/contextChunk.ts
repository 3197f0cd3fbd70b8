import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { Context } from './context';

/** What goes along with messages, and what is taken out of them: a bundle of its own, with its own copy of the translations. */
export function createContext(): Context {
  if (vscode.l10n.bundle) l10n.config({ contents: vscode.l10n.bundle });
  return new Context();
}
