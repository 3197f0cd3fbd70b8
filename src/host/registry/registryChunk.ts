import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { Registry, type RegistryOptions } from './registry';

/** All there is about the registry: a bundle of its own, with its own copy of the translations. */
export function createRegistry(options: RegistryOptions): Registry {
  if (vscode.l10n.bundle) l10n.config({ contents: vscode.l10n.bundle });
  return new Registry(options);
}
