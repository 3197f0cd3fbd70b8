import * as vscode from 'vscode';
import { parsePermissionRules, ruleName, type RuleScope, type SourcedRule } from '../../session/rules/permissionRule';
import type { PermissionCase, PermissionRules, RuledOption } from '../../session/services';
import { workspaceRoots } from '../base/folders';
import type { Log } from '../log/log';
import type { Settings } from '../settings/settings';
import { judge } from './judge';
import type { LazyParser } from './lazyParser';

/** Answers permission requests by the rules of `parley.permissions`. */
export class SettingsPermissionRules implements PermissionRules {
  private readonly log: Log;
  private readonly settings: Pick<Settings, 'permissionsByScope'>;
  private readonly parser: Pick<LazyParser, 'get'>;
  /** The rules that were parsed last, and their source text. */
  private read: { readonly from: string; readonly rules: readonly SourcedRule[] } | undefined;

  constructor(log: Log, settings: Pick<Settings, 'permissionsByScope'>, parser: Pick<LazyParser, 'get'>) {
    this.settings = settings;
    this.log = log;
    this.parser = parser;
  }

  answer(request: PermissionCase): Promise<RuledOption | undefined> | undefined {
    if (!vscode.workspace.isTrusted) return undefined;
    const rules = this.rules();
    if (rules.length === 0) return undefined;
    return this.judge(rules, request).catch((error: unknown) => {
      this.log.error(`Permission rules: ${String(error)}. The user is asked.`);
      return undefined;
    });
  }

  private async judge(rules: readonly SourcedRule[], request: PermissionCase): Promise<RuledOption | undefined> {
    const ruling = await judge(rules, request, workspaceRoots(), await this.parser.get());
    if (!ruling?.option) return undefined;
    const { name, kind } = ruling.option;
    // The protocol log has the request. The rules are the user's own text.
    const by = [ruling.source, ...ruling.others].map(sourceName).join(' and ');
    this.log.info(`${request.agentName}: ${request.entry.toolCallId} was answered “${name}” (${kind}) by ${by}.`);
    return { option: ruling.option, rule: ruleName(ruling.source.rule) };
  }

  private rules(): readonly SourcedRule[] {
    const { user, workspace } = this.settings.permissionsByScope;
    const from = JSON.stringify([user, workspace]);
    if (this.read?.from === from) return this.read.rules;
    const rules = [...this.parse(user, 'user'), ...this.parse(workspace, 'workspace')];
    this.read = { from, rules };
    return rules;
  }

  private parse(value: unknown, scope: RuleScope): readonly SourcedRule[] {
    const { rules, problems } = parsePermissionRules(value);
    for (const problem of problems) this.log.warn(problem);
    return rules.map((rule, index) => ({ rule, scope, index }));
  }
}

function sourceName({ rule, scope, index }: SourcedRule): string {
  const name = ruleName(rule);
  const place = scope === 'user' ? '' : ` of the ${scope}`;
  return `rule ${String(index + 1)}${place}${name === '' ? '' : ` (${name})`}`;
}
