import * as vscode from 'vscode';
import { compact } from '../../shared/values/decodeValue';
import type { Freedom } from '../../shared/limits/freedom';
import { asksAlways } from '../../rules/judge/everything';
import { findRuling } from '../../rules/judge/findRuling';
import { ruleName, type SourcedRule } from '../../rules/judge/permissionRule';
import type { PlacedRequest } from '../../rules/request/placedRequest';
import { risksOf } from '../../rules/request/risk';
import { suggestRules } from '../../rules/judge/suggestRule';
import type { Judgment, PermissionCase, PermissionRules } from '../../session/services';
import type { SavedAnswer } from '../../shared/transcript/transcript';
import { assertNever } from '../../shared/values/assert';
import { rootsBeside, workspaceRoots } from '../base/folders';
import type { Log } from '../log/log';
import type { AllowEverything } from './allowEverything';
import { placeRequest } from './judge';
import type { LazyParser } from './lazyParser';
import type { RuleAnswers } from './ruleAnswers';
import type { RuleBook } from './ruleBook';

/** What the rules are judged with. */
export interface RuleServices {
  readonly log: Pick<Log, 'info' | 'error'>;
  readonly book: Pick<RuleBook, 'rulesFor'>;
  readonly everything: Pick<AllowEverything, 'freedomOf'>;
  readonly answers: Pick<RuleAnswers, 'note'>;
  readonly parser: Pick<LazyParser, 'get'>;
  readonly now: () => number;
}

const savedAnswers: readonly SavedAnswer[] = ['allow_once', 'reject_once'];

/** Answers permission requests by the user's rules, and finds out which requests are destructive. */
export class UserPermissionRules implements PermissionRules {
  private readonly services: RuleServices;

  constructor(services: RuleServices) {
    this.services = services;
  }

  answer(request: PermissionCase): Promise<Judgment | undefined> {
    return this.judge(request).catch((error: unknown) => {
      this.services.log.error(`Permission rules: ${String(error)}. The user is asked.`);
      return undefined;
    });
  }

  /** Resolves the paths of a request, as everything in `src/rules` needs it. */
  async place(request: PermissionCase): Promise<PlacedRequest> {
    return placeRequest(request, rootsBeside(request.cwd, workspaceRoots()), await this.services.parser.get());
  }

  private async judge(request: PermissionCase): Promise<Judgment> {
    const placed = await this.place(request);
    const risks = risksOf(placed);
    const asking = { option: undefined, ...(risks.length > 0 ? { risks } : {}) };
    if (!vscode.workspace.isTrusted) return { ...asking, takesRules: [] };
    const rules = this.services.book.rulesFor(request.session);
    const ruling = findRuling(rules, placed, request.options);
    if (ruling?.option) {
      const sources = [ruling.source, ...ruling.others];
      this.note(request, ruling.option, sources.map(sourceName).join(' and '));
      const ids = sources.flatMap(({ id }) => id ?? []);
      this.services.answers.note(ids, {
        at: this.services.now(),
        agent: request.agentName,
        kind: request.entry.toolKind,
      });
      const { id } = ruling.source;
      return { option: ruling.option, rule: ruleName(ruling.source.rule), ...compact({ ruleId: id }) };
    }
    const [once, ...others] = request.options.filter(({ kind }) => kind === 'allow_once');
    const freedom = this.services.everything.freedomOf(request.session);
    if (!ruling && once && others.length === 0 && freedom && isFree(request, placed, freedom)) {
      const what =
        freedom === 'everything' ? 'everything in this session' : 'this session to work freely in its sandbox';
      this.note(request, once, `the user, who allowed ${what}`);
      return { option: once, rule: '', freedom };
    }
    // Each plan is another one, so no rule can stand for the user's review.
    const isPlan = placed.kind === 'switch_mode';
    const takesRules = isPlan ? [] : savedAnswers.filter((answer) => suggestRules(placed, answer, rules) !== undefined);
    return { ...asking, takesRules };
  }

  private note({ agentName, entry }: PermissionCase, { name, kind }: { name: string; kind: string }, by: string): void {
    // The protocol log has the request. The rules are the user's own text.
    this.services.log.info(`${agentName}: ${entry.toolCallId} was answered “${name}” (${kind}) by ${by}.`);
  }
}

/** Returns whether a request needs no answer because of what the user allowed in its session. */
function isFree({ leavesSandbox = false }: PermissionCase, placed: PlacedRequest, freedom: Freedom): boolean {
  return !asksAlways(placed, freedom) && (freedom === 'everything' || !leavesSandbox);
}

function sourceName({ rule, scope, index }: SourcedRule): string {
  const name = ruleName(rule);
  return `rule ${String(index + 1)}${scopeName(scope)}${name === '' ? '' : ` (${name})`}`;
}

function scopeName(scope: SourcedRule['scope']): string {
  switch (scope) {
    case 'user':
      return '';
    case 'workspace':
      return ' of the workspace';
    case 'workspaceSettings':
      return ' of the workspace settings';
    case 'session':
      return ' of the session';
    case 'policy':
      return ' of the policy';
    default:
      return assertNever(scope);
  }
}
