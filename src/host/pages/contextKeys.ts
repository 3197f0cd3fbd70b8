import * as vscode from 'vscode';
import type { AgentPool } from '../../agent/pool/agentPool';
import { isAtWork } from '../../shared/transcript/lateWork';
import { Disposable } from '../../shared/values/disposable';
import { worktreeOf } from '../../worktree/made/worktreeOf';
import type { ChatPages } from './chatPages';

/**
 * Updates the context keys for menus, commands, and keys: `parley.hasSession`, `parley.isInWorktree`, `parley.isInCopy`, `parley.isInSandbox`,
 * `parley.canSetGoal`, `parley.hasGoal`, `parley.canAskAside`, `parley.hasSessions`, `parley.turnRunning`, `parley.workRunning` (a turn, or what an earlier one started), `parley.requestWaiting`, and `parley.chatFocused`.
 * While the list of sessions is over the session, nothing runs that a key could stop.
 */
export class ContextKeys extends Disposable {
  private readonly values = new Map<string, boolean>();
  private readonly pool: AgentPool;
  private readonly pages: ChatPages;

  constructor(pool: AgentPool, pages: ChatPages) {
    super();
    this.pool = pool;
    this.pages = pages;
    this.register(pool.onDidChangeSessions(() => this.update()));
    this.register(pages.onDidChange(() => this.update()));
    this.update();
  }

  private update(): void {
    const active = this.pages.activeSession;
    this.set('parley.chatFocused', this.pages.haveFocus);
    this.set('parley.hasSession', active !== undefined);
    const cwd = active?.transcript.view.cwd;
    this.set('parley.isInWorktree', cwd !== undefined && worktreeOf(cwd) !== undefined);
    this.set('parley.isInCopy', cwd !== undefined && worktreeOf(cwd)?.isCopy === true);
    this.set('parley.isInSandbox', (active?.transcript.view.sandbox ?? 'off') !== 'off');
    const { goal = 'none', canSetGoal = false, canAskAside = false } = active?.transcript.view ?? {};
    this.set('parley.canSetGoal', canSetGoal);
    this.set('parley.hasGoal', goal !== 'none');
    this.set('parley.canAskAside', canAskAside);
    this.set('parley.hasSessions', this.pool.sessions.length > 0);
    const seen = this.pages.isActiveCovered ? undefined : active?.transcript.view;
    const activity = seen?.activity.state;
    this.set('parley.turnRunning', activity === 'running' || activity === 'requires_action');
    this.set('parley.workRunning', seen !== undefined && isAtWork(seen));
    this.set(
      'parley.requestWaiting',
      this.pool.sessions.some((session) => session.transcript.view.activity.state === 'requires_action'),
    );
  }

  private set(key: string, value: boolean): void {
    if (this.values.get(key) === value) return;
    this.values.set(key, value);
    void vscode.commands.executeCommand('setContext', key, value);
  }
}
