import { join } from 'node:path';
import type * as vscode from 'vscode';
import type { PermissionCase } from '../../session/services';
import { DisposableStore } from '../../shared/values/disposable';
import { once } from '../../shared/values/once';
import type { Log } from '../log/log';
import type { Settings } from '../settings/settings';
import { AllowEverything } from './allowEverything';
import { LazyParser } from './lazyParser';
import { readPolicy } from './policyFile';
import { RuleAnswers } from './ruleAnswers';
import { RuleBook } from './ruleBook';

export interface PermissionNeeds {
  readonly settings: Settings;
  readonly extensionPath: string;
  /** Stores the rules of this workspace. */
  readonly memory: vscode.Memento;
  /** Stores when rules answered. */
  readonly globalMemory: vscode.Memento;
  readonly log: Log;
}

/** What answers permission requests for the user: rules, the policy of this machine, and what is allowed as a whole. */
export type Permissions = ReturnType<typeof createPermissions>;

export function createPermissions({ settings, extensionPath, memory, globalMemory, log }: PermissionNeeds) {
  const parts = new DisposableStore();
  const policy = readPolicy();
  const allowed = parts.add(new AllowEverything());
  const book = parts.add(new RuleBook({ settings, memory, policy, log }));
  const answers = new RuleAnswers(globalMemory);
  const parser = new LazyParser(join(extensionPath, 'dist', 'tree-sitter'), log);
  // What judges is loaded with the first request.
  const judge = once(async () => {
    const { UserPermissionRules } = await import('./permissionRules');
    return new UserPermissionRules({ log, book, everything: allowed, answers, parser, now: () => Date.now() });
  });
  const rules = {
    answer: async (request: PermissionCase) => (await judge()).answer(request),
    place: async (request: PermissionCase) => (await judge()).place(request),
  };
  return { policy, allowed, book, answers, rules, dispose: () => parts.dispose() };
}
