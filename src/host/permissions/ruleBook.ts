import { createHash } from 'node:crypto';
import type { Memento } from 'vscode';
import { compact } from '../../shared/values/decodeValue';
import { parsePermissionRules, type SourcedRule } from '../../rules/judge/permissionRule';
import { Disposable } from '../../shared/values/disposable';
import { Emitter } from '../../shared/values/event';
import type { SessionKey } from '../../shared/values/ids';
import { isRecord } from '../../shared/values/isRecord';
import type { ChosenScope, RuleScope, WrittenRule } from '../../shared/permissions/permissionRules';
import { SerialQueue } from '../base/serialQueue';
import type { Log } from '../log/log';
import type { Settings } from '../settings/settings';
import type { RulePolicy } from './policyFile';

const workspaceKey = 'parley.workspaceRules';
const sessionsKey = 'parley.sessionRules';
const orderOfScopes: readonly RuleScope[] = ['policy', 'session', 'workspace', 'workspaceSettings', 'user'];
/** The scopes whose rules are changed in Parley. The others are changed where they are written. */
const editable: ReadonlySet<RuleScope> = new Set(['session', 'workspace', 'user']);

/** A rule in its list, as it is written. */
export interface BookedRule {
  readonly id: string;
  readonly scope: RuleScope;
  readonly session?: SessionKey;
  readonly index: number;
  readonly raw: unknown;
}

/** A deleted rule, for undo. */
export interface DeletedRule extends BookedRule {
  readonly scope: ChosenScope;
}

/** Why a rule can't be changed. */
export type BookProblem = 'gone' | 'locked' | 'unreadable';

/** What the rules are read from. */
export interface RuleSources {
  readonly settings: Pick<Settings, 'permissionsByScope' | 'setUserPermissions' | 'onDidChange'>;
  /** Parley's own storage for this workspace. */
  readonly memory: Memento;
  readonly policy: RulePolicy;
  readonly log: Pick<Log, 'warn'>;
}

/**
 * The rules of all scopes. Rules for the workspace and for sessions are in Parley's own storage, because files of the
 * workspace could come with the repository.
 */
export class RuleBook extends Disposable {
  private readonly sources: RuleSources;
  private readonly changes = new SerialQueue();
  private readonly changed = this.register(new Emitter<void>());
  readonly onDidChange = this.changed.event;
  private loggedProblems = '';

  constructor(sources: RuleSources) {
    super();
    this.sources = sources;
    this.register(sources.settings.onDidChange(() => this.changed.fire()));
  }

  get policy(): RulePolicy {
    return this.sources.policy;
  }

  /** Every rule, in the order of the page. */
  all(): readonly BookedRule[] {
    const sessions = Object.keys(this.sessions()) as SessionKey[];
    return orderOfScopes.flatMap((scope) =>
      scope === 'session' ? sessions.flatMap((session) => this.listed(scope, session)) : this.listed(scope),
    );
  }

  /** The rules that apply in a session. */
  rulesFor(session: SessionKey): readonly SourcedRule[] {
    const booked = orderOfScopes.flatMap((scope) => this.listed(scope, scope === 'session' ? session : undefined));
    const problems: string[] = [];
    const rules = booked.flatMap(({ id, scope, index, raw }) => {
      const parsed = parsePermissionRules([raw]);
      problems.push(...parsed.problems);
      return parsed.rules
        .filter(({ answer }) => answer !== 'allow_once' || this.mayAllow(scope))
        .map((rule): SourcedRule => ({ rule, scope, index, id }));
    });
    this.tell([...problems, ...this.unlisted()]);
    return rules;
  }

  private mayAllow(scope: RuleScope): boolean {
    return scope === 'policy' ? this.policy.problem === undefined : this.policy.takesAllowRules;
  }

  /** Adds a rule as the last one of its scope. */
  add(scope: ChosenScope, session: SessionKey | undefined, rule: WrittenRule): Promise<BookProblem | undefined> {
    return this.change(scope, session, (list) => [...list, rule]);
  }

  replace(id: string, rule: WrittenRule): Promise<BookProblem | undefined> {
    return this.changeRule(id, (list, index) => list.with(index, rule));
  }

  /** Moves a rule within its scope. The order only decides which of several fitting rules is named. */
  move(id: string, by: -1 | 1): Promise<BookProblem | undefined> {
    return this.changeRule(id, (list, index) => {
      const to = index + by;
      if (to < 0 || to >= list.length) return list;
      const rest = list.toSpliced(index, 1);
      return rest.toSpliced(to, 0, list[index]);
    });
  }

  /** Deletes a rule; resolves to it, so that it can be restored. */
  async remove(id: string): Promise<DeletedRule | BookProblem> {
    const rule = this.find(id);
    const problem = await this.changeRule(id, (list, index) => list.toSpliced(index, 1));
    return problem ?? (rule as DeletedRule);
  }

  restore({ scope, session, index, raw }: DeletedRule): Promise<BookProblem | undefined> {
    return this.change(scope, session, (list) => list.toSpliced(Math.min(index, list.length), 0, raw));
  }

  /** Removes the rules of a session that no longer exists. */
  async forgetSession(session: SessionKey): Promise<void> {
    if (!Object.hasOwn(this.sessions(), session)) return;
    await this.change('session', session, () => []);
  }

  find(id: string): BookedRule | undefined {
    return this.all().find((rule) => rule.id === id);
  }

  private async changeRule(
    id: string,
    change: (list: readonly unknown[], index: number) => readonly unknown[],
  ): Promise<BookProblem | undefined> {
    const rule = this.find(id);
    if (!rule) return 'gone';
    const { scope, session } = rule;
    if (!isEditable(scope)) return 'locked';
    const now = { isGone: false };
    const problem = await this.change(scope, session, (list) => {
      const index = list.findIndex((raw) => idOf(scope, session, raw) === id);
      now.isGone = index < 0;
      return now.isGone ? list : change(list, index);
    });
    return now.isGone ? 'gone' : problem;
  }

  /** Changes of one list wait for each other, because each writes the whole list. */
  private change(
    scope: ChosenScope,
    session: SessionKey | undefined,
    change: (list: readonly unknown[]) => readonly unknown[],
  ): Promise<BookProblem | undefined> {
    return this.changes.run(scope, async () => {
      const value = this.value(scope, session);
      // A value that isn't a list may be a typing error, and nothing of it may be lost.
      if (value !== undefined && value !== null && !Array.isArray(value)) return 'unreadable';
      const list = change(Array.isArray(value) ? (value as readonly unknown[]) : []);
      if (list !== value) await this.write(scope, session, list);
      this.changed.fire();
      return undefined;
    });
  }

  private async write(scope: ChosenScope, session: SessionKey | undefined, list: readonly unknown[]): Promise<void> {
    const { settings, memory } = this.sources;
    if (scope === 'user') await settings.setUserPermissions(list);
    else if (scope === 'workspace') await memory.update(workspaceKey, list.length === 0 ? undefined : list);
    else if (session !== undefined) {
      const others = Object.entries(this.sessions()).filter(([key]) => key !== session);
      const all = list.length === 0 ? others : [...others, [session, list] as const];
      await memory.update(sessionsKey, all.length === 0 ? undefined : Object.fromEntries(all));
    }
  }

  private listed(scope: RuleScope, session?: SessionKey): readonly BookedRule[] {
    const value = this.value(scope, session);
    if (!Array.isArray(value)) return [];
    return (value as readonly unknown[]).map((raw, index) => ({
      id: idOf(scope, session, raw),
      scope,
      index,
      raw,
      ...compact({ session }),
    }));
  }

  private value(scope: RuleScope, session?: SessionKey): unknown {
    const { settings, memory, policy } = this.sources;
    switch (scope) {
      case 'policy':
        return policy.rules;
      case 'session':
        return session === undefined ? [] : this.sessions()[session];
      case 'workspace':
        return memory.get(workspaceKey);
      case 'workspaceSettings':
        return settings.permissionsByScope.workspace;
      case 'user':
        return settings.permissionsByScope.user;
    }
  }

  private sessions(): Readonly<Record<string, unknown>> {
    const value = this.sources.memory.get(sessionsKey);
    return isRecord(value) ? value : {};
  }

  /** The settings whose value isn't a list. */
  get problems(): readonly RuleScope[] {
    const { user, workspace } = this.sources.settings.permissionsByScope;
    const isWrong = (value: unknown) => value !== undefined && value !== null && !Array.isArray(value);
    return [...(isWrong(user) ? ['user' as const] : []), ...(isWrong(workspace) ? ['workspaceSettings' as const] : [])];
  }

  private unlisted(): readonly string[] {
    return this.problems.map((scope) => `parley.permissions (${scope}) is not a list, so it has no rules.`);
  }

  private tell(problems: readonly string[]): void {
    const said = problems.join('\n');
    if (said === this.loggedProblems) return;
    this.loggedProblems = said;
    for (const problem of problems) this.sources.log.warn(problem);
  }
}

function isEditable(scope: RuleScope): scope is ChosenScope {
  return editable.has(scope);
}

/** Returns the id of a rule, which depends only on its place and contents. */
function idOf(scope: RuleScope, session: SessionKey | undefined, raw: unknown): string {
  const text = JSON.stringify([session ?? '', raw]);
  return `${scope}:${createHash('sha256').update(text).digest('hex').slice(0, 16)}`;
}
