import { randomUUID } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import { deleteSession } from '../../agent/connection/sessionRequests';
import type { AgentPool } from '../../agent/pool/agentPool';
import { folderOn } from '../../agent/remote/remoteFolder';
import { abortable } from '../../agent/base/abortable';
import { Session } from '../../session/session';
import type { Aside } from '../../shared/pages/aside';
import { messageOf } from '../../shared/values/messageOf';
import type { AgentId, SessionId, SessionKey } from '../../shared/values/ids';
import type { Entry, ToolKind, Transcript } from '../../shared/transcript/transcript';
import { isUnattended } from '../../shared/permissions/unattended';
import type { UsedTurn } from '../../usage/usageDays';
import { usedTurns } from '../../usage/usedTurns';

/** A fork whose answer takes longer is given up, in milliseconds. */
const patience = 180_000;

/** Tools that change nothing. An answer may need them. */
const harmless: readonly ToolKind[] = ['read', 'search', 'think', 'fetch'];

/** What a question aside by a fork needs. */
export interface ForkAsideNeeds {
  readonly pool: Pick<AgentPool, 'runningAgentOf' | 'specOf'>;
  /** Hides a session that an agent stores from all lists. */
  readonly hide: (agent: AgentId, sessionId: SessionId) => Promise<void>;
  /** Counts what the answer used, for the session that it belongs to. */
  readonly count: (turn: UsedTurn) => void;
}

/** What the keys of forks begin with. */
const prefix = 'aside-';

/** Whether this is the key of a fork that only answers a question. */
export function isAside(key: SessionKey): boolean {
  return key.startsWith(prefix);
}

/** Whether a session's agent can be asked in a fork. */
export function canForkAside({ pool }: Pick<ForkAsideNeeds, 'pool'>, session: Session): boolean {
  return pool.runningAgentOf(session)?.can?.fork === true;
}

/**
 * Asks the agent in a fork of the session, which is never shown, listed, or stored here, and closed and deleted at the end. The agent may
 * look things up there. If it wants to do anything else, the question is stopped. Never rejects.
 */
export async function askInFork(
  { pool, hide, count }: ForkAsideNeeds,
  session: Session,
  question: string,
): Promise<Omit<Aside, 'question'>> {
  const { agentId, agentName, cwd, sessionId, activity } = session.transcript.view;
  const agent = pool.runningAgentOf(session);
  const spec = pool.specOf(session);
  if (!agent || !spec || sessionId === '') return failed(l10n.t('{0} isn’t running in this session.', agentName));
  if (activity.state !== 'idle') {
    return failed(l10n.t('{0} is working. Ask again when the turn has ended.', agentName));
  }
  const fork = new Session({
    key: `${prefix}${randomUUID()}` as SessionKey,
    agentId,
    agentName,
    cwd,
    now: Date.now,
    schedule: (ms, action) => {
      const timer = setTimeout(action, ms);
      return { dispose: () => clearTimeout(timer) };
    },
    // Nobody sees this session, so nobody can start its agent again.
    owner: { restart: () => undefined, endProcess: () => undefined, closed: () => undefined },
  });
  fork.onDidApply((ops) => {
    usedTurns({ key: session.key, transcript: fork.transcript }, ops, Date.now()).forEach(count);
  });
  const ended = new AbortController();
  const listening = agent.onDidExit(() => ended.abort(new Error(l10n.t('{0} has exited.', agentName))));
  const signal = AbortSignal.any([ended.signal, AbortSignal.timeout(patience)]);
  try {
    const setup = { cwd: folderOn(spec, cwd), additionalDirectories: [], mcpServers: [] };
    await agent.openSession(fork, { method: 'fork', sessionId }, setup, signal);
    const { sessionId: forkId, configOptions } = fork.transcript.view;
    if (forkId !== '') await hide(agentId, forkId);
    if (configOptions.some((option) => isUnattended(option, option.currentValue))) {
      return failed(l10n.t('{0} can’t answer aside in a mode in which it doesn’t ask.', agentName));
    }
    return await abortable(answerOf(fork, question), signal);
  } catch (error) {
    if (!ended.signal.aborted && signal.aborted) return failed(l10n.t('{0} didn’t answer.', agentName));
    return failed(messageOf(error));
  } finally {
    listening.dispose();
    const forkId = fork.transcript.view.sessionId;
    if (fork.transcript.view.activity.state !== 'idle') fork.cancel();
    agent.closeSession(fork);
    fork.dispose();
    if (forkId !== '' && agent.can?.delete === true && !agent.hasExited) {
      // It stays hidden if this fails.
      await deleteSession(agent, forkId).catch(() => undefined);
    }
  }
}

/** Sends the question, and resolves when its turn has ended. */
function answerOf(fork: Session, question: string): Promise<Omit<Aside, 'question'>> {
  const { agentName } = fork.transcript.view;
  let hasStopped = false;
  return new Promise((resolve) => {
    const look = () => {
      const { view } = fork.transcript;
      const entries = lastTurn(fork.transcript);
      if (view.activity.state !== 'idle') {
        if (hasStopped || (view.activity.state !== 'requires_action' && entries.every(isHarmless))) return;
        hasStopped = true;
        fork.cancel();
        return;
      }
      if (fork.endedTurns.count === 0) return;
      listening.dispose();
      const stopped = l10n.t('{0} wanted to do more than answer, so it was stopped.', agentName);
      // The reason of a failure is shown after the end.
      queueMicrotask(() => resolve(hasStopped ? failed(stopped) : endOf(lastTurn(fork.transcript), agentName)));
    };
    const listening = fork.onDidApply(look);
    // For the agent, so it isn't translated.
    fork.sendPrompt(`Answer this question from what you know about our session. Change nothing.\n\n${question}`);
  });
}

function endOf(entries: readonly Entry[], agentName: string): Omit<Aside, 'question'> {
  const error = entries.find((entry) => entry.kind === 'error');
  if (error) return failed([error.title, error.cause].filter(Boolean).join(' '));
  const text = entries
    .flatMap((entry) => (entry.kind === 'agent_message' ? [entry.content] : []))
    .map((content) => content.map((block) => (block.type === 'text' ? block.text : '')).join(''))
    .join('\n\n')
    .trim();
  return text === '' ? failed(l10n.t('{0} has no answer.', agentName)) : { state: 'answered', text };
}

/** What followed the question. Before it, there may be a replay. */
function lastTurn({ order, entries }: Transcript): readonly Entry[] {
  const all = order.flatMap((id) => entries.get(id) ?? []);
  return all.slice(all.findLastIndex(({ kind }) => kind === 'user_message') + 1);
}

function isHarmless(entry: Entry): boolean {
  return entry.kind !== 'tool_call' || harmless.includes(entry.toolKind);
}

function failed(text: string): Omit<Aside, 'question'> {
  return { state: 'failed', text };
}
