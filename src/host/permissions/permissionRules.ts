import * as vscode from 'vscode';
import { findRuling } from '../../session/rules/findRuling';
import { isUnplaced, lastingObstacle } from '../../session/rules/obstacles';
import { ruleName, type SourcedRule } from '../../session/rules/permissionRule';
import type { PlacedRequest } from '../../session/rules/placedRequest';
import { riskOf } from '../../session/rules/risk';
import type { Judgment, PermissionCase, PermissionRules } from '../../session/services';
import { assertNever } from '../../shared/assert';
import { workspaceRoots } from '../base/folders';
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
  readonly everything: Pick<AllowEverything, 'isOnIn'>;
  readonly answers: Pick<RuleAnswers, 'note'>;
  readonly parser: Pick<LazyParser, 'get'>;
  readonly now: () => number;
}

/** Why a request can do more than can be read in it. It asks even where everything is allowed. */
const unreadable: ReadonlySet<string> = new Set(['unclear', 'guarded', 'environment', 'dynamic', 'unparsed']);

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

  /** Resolves the paths of a request, as everything in `src/session/rules` needs it. */
  async place(request: PermissionCase): Promise<PlacedRequest> {
    return placeRequest(request, workspaceRoots(), await this.services.parser.get());
  }

  private async judge(request: PermissionCase): Promise<Judgment> {
    const placed = await this.place(request);
    const risk = riskOf(placed);
    const asking = { option: undefined, ...(risk ? { risk } : {}) };
    if (!vscode.workspace.isTrusted) return { ...asking, takesRules: false };
    const ruling = findRuling(this.services.book.rulesFor(request.session), placed, request.options);
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
      return { option: ruling.option, rule: ruleName(ruling.source.rule), ...(id === undefined ? {} : { ruleId: id }) };
    }
    const [once, ...others] = request.options.filter(({ kind }) => kind === 'allow_once');
    if (!ruling && once && others.length === 0 && !risk && this.allowsEverything(request, placed)) {
      this.note(request, once, 'the user, who allowed everything in this session');
      return { option: once, rule: '', isEverything: true };
    }
    return { ...asking, takesRules: true };
  }

  /** Requests that can change what runs or what is allowed still ask, and so do those that Parley can't read. */
  private allowsEverything({ session }: PermissionCase, request: PlacedRequest): boolean {
    if (!this.services.everything.isOnIn(session)) return false;
    if (request.kind === 'switch_mode' || isUnplaced(request)) return false;
    const obstacle = lastingObstacle(request);
    return obstacle === undefined || !unreadable.has(obstacle.kind);
  }

  private note({ agentName, entry }: PermissionCase, { name, kind }: { name: string; kind: string }, by: string): void {
    // The protocol log has the request. The rules are the user's own text.
    this.services.log.info(`${agentName}: ${entry.toolCallId} was answered “${name}” (${kind}) by ${by}.`);
  }
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
