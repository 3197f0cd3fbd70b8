import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { compact } from '../../shared/values/decodeValue';
import type { AgentPool } from '../../agent/pool/agentPool';
import { ruleProblem } from '../../rules/judge/permissionRule';
import type { Session } from '../../session/session';
import { assertNever } from '../../shared/values/assert';
import { Disposable } from '../../shared/values/disposable';
import type { SessionKey } from '../../shared/values/ids';
import { messageOf } from '../../shared/values/messageOf';
import type {
  FromRulesPage,
  ListedRule,
  RuleScope,
  RulesShown,
  ToRulesPage,
  WrittenRule,
} from '../../shared/permissions/permissionRules';
import type { Log } from '../log/log';
import type { PageTab } from '../pages/pageTab';
import { policyProblemWords } from './policyProblem';
import type { RuleAnswers } from '../permissions/ruleAnswers';
import type { BookedRule, BookProblem, DeletedRule, RuleBook } from '../permissions/ruleBook';
import { tellFailure } from '../ui/reported';
import { bookProblemWords, ruleProblemWords } from './ruleProblems';

/** What the page of rules shows and changes. */
export interface RulesTabServices {
  readonly book: RuleBook;
  readonly answers: Pick<RuleAnswers, 'of'>;
  readonly pool: Pick<AgentPool, 'sessions' | 'onDidChangeSessions'>;
  /** The session used last, for new rules. */
  readonly activeSession: () => Session | undefined;
  readonly log: Log;
}

/** The tab of permission rules. */
export class RulesTab extends Disposable implements PageTab<FromRulesPage> {
  private readonly services: RulesTabServices;
  private readonly post: (message: ToRulesPage) => void;
  private deleted: DeletedRule | undefined;
  /** The session for new rules, which stays the same while the page is open. */
  private readonly session: Session | undefined;

  constructor(services: RulesTabServices, post: (message: ToRulesPage) => void) {
    super();
    this.services = services;
    this.post = post;
    const { book, pool } = services;
    this.session = services.activeSession();
    this.register(book.onDidChange(() => this.show()));
    this.register(pool.onDidChangeSessions(() => this.show()));
  }

  reveal(id: string): void {
    this.post({ type: 'focusRule', id });
  }

  show(): void {
    this.post({ type: 'rules', shown: this.shown() });
  }

  receive(message: FromRulesPage): void {
    void this.handle(message).catch((error: unknown) => {
      const reason = messageOf(error);
      this.services.log.error(`Permission rules: ${reason}`);
      if (message.type === 'saveRule')
        this.post({ type: 'ruleSaved', id: message.id, problem: l10n.t('Couldn’t save the rule: {0}', reason) });
      else tellFailure(reason);
    });
  }

  private async handle(message: FromRulesPage): Promise<void> {
    const { book } = this.services;
    switch (message.type) {
      case 'saveRule': {
        const problem = await this.save(message);
        this.post({ type: 'ruleSaved', id: message.id, ...compact({ problem }) });
        return;
      }
      case 'deleteRule': {
        const result = await book.remove(message.id);
        if (typeof result === 'string') this.failed(result);
        else this.deleted = result;
        this.show();
        return;
      }
      case 'undoDelete': {
        const { deleted } = this;
        if (!deleted) return;
        this.deleted = undefined;
        this.failed(await book.restore(deleted));
        this.show();
        return;
      }
      case 'moveRule':
        this.failed(await book.move(message.id, message.by));
        return;
      case 'openSettings':
        await vscode.commands.executeCommand(
          message.scope === 'workspaceSettings'
            ? 'workbench.action.openWorkspaceSettingsFile'
            : 'workbench.action.openSettingsJson',
        );
        return;
      default:
        assertNever(message);
    }
  }

  private async save({ id, scope, rule }: FromRulesPage & { type: 'saveRule' }): Promise<string | undefined> {
    const { book } = this.services;
    const problem = ruleProblemWords(rule);
    if (problem !== undefined) return problem;
    if (rule.answer === 'allow_once' && !book.policy.takesAllowRules)
      return l10n.t('Your organization doesn’t permit rules that allow.');
    const before = id === '' ? undefined : book.find(id);
    if (id !== '' && !before) return bookProblemWords('gone');
    const session = scope === 'session' ? (before?.session ?? this.session?.key) : undefined;
    if (scope === 'session' && session === undefined) return l10n.t('There’s no session. Choose another scope.');
    if (before?.scope === scope) return words(await book.replace(id, rule));
    // The rule is in both scopes for a moment rather than in none.
    const failed = await book.add(scope, session, rule);
    if (failed || !before) return words(failed);
    const removed = await book.remove(before.id);
    return typeof removed === 'string' ? bookProblemWords(removed) : undefined;
  }

  private failed(problem: BookProblem | undefined): void {
    if (problem) tellFailure(bookProblemWords(problem));
  }

  private shown(): RulesShown {
    const { book } = this.services;
    const live = this.services.pool.sessions.find(({ key }) => key === this.session?.key);
    return {
      rules: book.all().map((rule) => this.listed(rule)),
      notes: [...policyNotes(book), ...book.problems.map((scope) => unlistedWords(scope))],
      ...(live ? { session: { key: live.key, title: live.transcript.view.title } } : {}),
      canUndo: this.deleted !== undefined,
      locale: vscode.env.language,
    };
  }

  private listed({ id, scope, session, raw }: BookedRule): ListedRule {
    const reason = ruleProblem(raw);
    const lastAnswer = this.services.answers.of(id);
    return {
      id,
      scope,
      ...(session === undefined ? {} : { session: { key: session, title: this.titleOf(session) } }),
      ...(reason === undefined
        ? { rule: raw as WrittenRule }
        : {
            problem: {
              text: JSON.stringify(raw),
              sentence: l10n.t('This rule can’t be read, so Parley asks about every request: {0}.', reason),
            },
          }),
      ...(lastAnswer ? { lastAnswer } : {}),
    };
  }

  private titleOf(key: SessionKey): string {
    return this.services.pool.sessions.find((session) => session.key === key)?.transcript.view.title ?? '';
  }
}

function words(problem: BookProblem | undefined): string | undefined {
  return problem && bookProblemWords(problem);
}

function policyNotes({ policy }: RuleBook): readonly string[] {
  const { problem, takesAllowRules, takesEverything } = policy;
  return [
    ...(problem === undefined ? [] : [policyProblemWords(problem)]),
    ...(takesAllowRules
      ? []
      : [l10n.t('Your organization doesn’t permit rules that allow. Such rules below don’t apply.')]),
    ...(takesEverything ? [] : [l10n.t('Your organization doesn’t permit allowing everything.')]),
  ];
}

function unlistedWords(scope: RuleScope): string {
  return scope === 'user'
    ? l10n.t('The user setting “parley.permissions” isn’t a list, so it has no rules.')
    : l10n.t('The workspace setting “parley.permissions” isn’t a list, so it has no rules.');
}
