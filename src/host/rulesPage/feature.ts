import type * as vscode from 'vscode';
import type { AgentPool } from '../../agent/pool/agentPool';
import type { FromRulesPage, ToRulesPage } from '../../shared/permissions/permissionRules';
import { DisposableStore } from '../../shared/values/disposable';
import type { Act } from '../base/actions';
import type { ClosedSession } from '../base/closedSessions';
import { commandTable } from '../base/feature';
import type { Log } from '../log/log';
import type { ChatPages } from '../pages/chatPages';
import type { MakeTab } from '../pages/pageTab';
import type { Permissions } from '../permissions/permissions';
import { reported } from '../ui/reported';
import { EverythingMode } from './everythingMode';
import { tellPolicyProblem } from './policyProblem';
import { ruleMessages } from './ruleMessages';

export interface RulesPageNeeds {
  readonly pool: AgentPool;
  readonly pages: ChatPages;
  readonly permissions: Permissions;
  readonly act: Act<'showParley'>;
  /** Remembers which problem of the policy the user was told about. */
  readonly memory: vscode.Memento;
  readonly log: Log;
}

/** What the user decides about permission rules: in a request, on their page, and for a whole session. */
export function rulesPageFeature({ pool, pages, permissions, act, memory, log }: RulesPageNeeds) {
  const { book, answers, rules, allowed, policy } = permissions;
  const parts = new DisposableStore();
  const isOpen = (key: string) => pool.sessions.some((session) => session.key === key);
  const everything = parts.add(
    new EverythingMode(allowed, policy, isOpen, (session) => pool.changeSandbox(session, 'ownCopy')),
  );
  parts.add(
    pool.onDidChangeSessions(() => {
      for (const { key, transcript } of pool.sessions) allowed.follow(key, transcript.view.sandbox ?? 'off');
    }),
  );
  const tab: MakeTab<FromRulesPage, ToRulesPage> = async (post) => {
    const { RulesTab } = await import('./rulesTab');
    return new RulesTab({ book, answers, pool, activeSession: () => pages.activeSession, log }, post);
  };
  const turnOn = async () => {
    const session = pages.activeSession;
    if (session) await everything.turnOn(session);
  };
  const showRules = (id?: string) => reported(log, act('showParley', 'rules', id));
  void tellPolicyProblem(policy, memory, log, showRules);
  const commands = commandTable({
    'parley.allowEverything': turnOn,
    // The same command, by the name that it has where the session is in a sandbox.
    'parley.workFreely': turnOn,
    'parley.stopAllowingEverything': () => everything.turnOffAll(),
  });
  return {
    messages: ruleMessages({ book, rules, everything, showRules, log }),
    commands,
    tab,
    forget: ({ key, endsWithWindow }: ClosedSession) => {
      allowed.turnOff(key);
      // The session is open again in the next window, with its rules.
      if (!endsWithWindow) reported(log, book.forgetSession(key));
    },
    dispose: () => parts.dispose(),
  };
}
