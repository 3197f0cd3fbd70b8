import * as vscode from 'vscode';
import { parsePermissionRules, ruleName, type SourcedRule } from '../../session/rules/permissionRule';
import type { PermissionCase, PermissionRules, RuledOption } from '../../session/services';
import { workspaceRoots } from '../base/folders';
import type { Log } from '../log/log';
import type { Settings } from '../settings/settings';
import { judge } from './judge';

/** Answers permission requests by the rules of `parley.permissions`. */
export class SettingsPermissionRules implements PermissionRules {
  private readonly log: Log;
  private readonly settings: Pick<Settings, 'permissions'>;
  /** The rules that were parsed last, and their source text. */
  private read: { readonly from: string; readonly rules: readonly SourcedRule[] } | undefined;

  constructor(log: Log, settings: Pick<Settings, 'permissions'>) {
    this.settings = settings;
    this.log = log;
  }

  answer(request: PermissionCase): Promise<RuledOption | undefined> | undefined {
    const value = this.settings.permissions;
    if (!vscode.workspace.isTrusted || !Array.isArray(value) || value.length === 0) return undefined;
    return this.judge(value, request).catch((error: unknown) => {
      this.log.error(`Permission rules: ${String(error)}. The user is asked.`);
      return undefined;
    });
  }

  private async judge(value: unknown, request: PermissionCase): Promise<RuledOption | undefined> {
    const ruling = await judge(this.rules(value), request, workspaceRoots());
    if (!ruling?.option) return undefined;
    const { source } = ruling;
    const rule = ruleName(source.rule);
    const { name, kind } = ruling.option;
    // The protocol log has the request. The rule is the user's own text.
    const by = `rule ${String(source.index + 1)}${rule === '' ? '' : ` (${rule})`}`;
    this.log.info(`${request.agentName}: ${request.entry.toolCallId} was answered “${name}” (${kind}) by ${by}.`);
    return { option: ruling.option, rule };
  }

  private rules(value: unknown): readonly SourcedRule[] {
    const from = JSON.stringify(value);
    if (this.read?.from === from) return this.read.rules;
    const { rules, problems } = parsePermissionRules(value);
    for (const problem of problems) this.log.warn(problem);
    const sourced = rules.map((rule, index): SourcedRule => ({ rule, scope: 'user', index }));
    this.read = { from, rules: sourced };
    return sourced;
  }
}
