import type * as vscode from 'vscode';
import type { AgentPool } from '../../agent/pool/agentPool';
import { DisposableStore } from '../../shared/disposable';
import type { ClosedSession } from '../base/closedSessions';
import { commandTable } from '../base/feature';
import type { Log } from '../log/log';
import type { ChatPages } from '../pages/chatPages';
import type { Permissions } from '../permissions/permissions';
import { reported } from '../ui/reported';
import { EverythingMode } from './everythingMode';
import { tellPolicyProblem } from './policyProblem';
import { ruleMessages } from './ruleMessages';
import { OnePage } from '../pages/onePage';
import { RulesPanel } from './rulesPanel';

export interface RulesPageNeeds {
  readonly pool: AgentPool;
  readonly pages: ChatPages;
  readonly permissions: Permissions;
  readonly extensionUri: vscode.Uri;
  /** Remembers which problem of the policy the user was told about. */
  readonly memory: vscode.Memento;
  readonly log: Log;
}

/** What the user decides about permission rules: in a request, on their page, and for a whole session. */
export function rulesPageFeature({ pool, pages, permissions, extensionUri, memory, log }: RulesPageNeeds) {
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
  const rulesPage = parts.add(
    new OnePage(
      'parley.rules',
      (restored) =>
        new RulesPanel({ extensionUri, book, answers, pool, activeSession: () => pages.activeSession, log }, restored),
    ),
  );
  const turnOn = async () => {
    const session = pages.activeSession;
    if (session) await everything.turnOn(session);
  };
  const showRules = (id?: string) => rulesPage.open().reveal(id);
  void tellPolicyProblem(policy, memory, log, showRules);
  const commands = commandTable({
    'parley.showPermissionRules': (id) => showRules(typeof id === 'string' ? id : undefined),
    'parley.allowEverything': turnOn,
    // The same command, by the name that it has where the session is in a sandbox.
    'parley.workFreely': turnOn,
    'parley.stopAllowingEverything': () => everything.turnOffAll(),
  });
  return {
    messages: ruleMessages({ book, rules, everything, showRules, log }),
    commands,
    forget: ({ key, endsWithWindow }: ClosedSession) => {
      allowed.turnOff(key);
      // The session is open again in the next window, with its rules.
      if (!endsWithWindow) reported(log, book.forgetSession(key));
    },
    dispose: () => parts.dispose(),
  };
}
