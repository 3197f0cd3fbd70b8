import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { Providers, type ProvidersOptions } from './providers';

/** All there is about providers of models: a bundle of its own, with its own copy of the translations. */
export function createProviders(options: ProvidersOptions): Providers {
  if (vscode.l10n.bundle) l10n.config({ contents: vscode.l10n.bundle });
  return new Providers(options);
}
