import { join } from 'node:path';
import * as l10n from '@vscode/l10n';
import type { SessionKey } from '../shared/values/ids';
import { once } from '../shared/values/once';
import { strictestMode } from '../shared/limits/sandboxMode';
import { AgentReports } from './agents/agentReports';
import { checkpointsFeature } from './checkpoints/feature';
import type { WorktreesOfSessions } from './sessionList/knownSession';
import type { SandboxChoices } from './newSession/openNewSession';
import { ChatPages } from './pages/chatPages';
import { ContextKeys } from './pages/contextKeys';
import { PageModel } from './pages/pageModel';
import { DefaultSandbox } from './sandbox/defaultSandbox';
import { openStored } from './sessionList/openStored';
import { Deletions } from './sessions/end/deletions';
import { restoreWhenTrusted } from './sessions/stored/restoreSessions';
import { TourEnd } from './sessions/end/tourEnd';
import { WindowBoard } from './sessions/stored/windowBoard';
import { WordIndex } from './sessions/stored/wordIndex';
import type { Agents } from './agentsFloor';
import type { Machine } from './machineFloor';
import type { Work } from './workFloor';

export type Sessions = ReturnType<typeof sessionsFloor>;

/** The sessions and the pages that show them: restored, opened, taken back, and brought here from worktrees. */
export function sessionsFloor(machine: Machine, agents: Agents, work: Work) {
  const { catalog, extensionUri, globalStorage, report, settings, parts } = machine;
  const { pool, permissions } = agents;
  const { sessions, review, branches, mergeEditors, tries, place, storage } = work;
  const sandbox = sandboxParts(machine, agents);
  const { offered } = agents.agents;
  const reports = parts.add(new AgentReports(pool, Date.now));
  const model = parts.add(
    new PageModel(pool, catalog, offered, settings, permissions.allowed, branches, sandbox.defaultSandbox, reports),
  );
  const pages = parts.add(new ChatPages(extensionUri, model));
  parts.add(new ContextKeys(pool, pages));
  const back = () => pages.sessionsAreBack();
  parts.add(restoreWhenTrusted(sessions, pool, catalog, { back, report: report('Sessions') }));
  parts.add(new TourEnd(pool));
  const board = parts.add(new WindowBoard(join(globalStorage, 'board')));
  const checkpoints = checkpointsFeature({
    ...machine,
    ...agents,
    ...work,
    pages,
    mergeAgain: (...all) => mergeEditors.resume(...all),
    report: report('Checkpoints'),
  });
  const bringer = once(async () => {
    const { ChangeBringer } = await import('./merging/bringChanges');
    return new ChangeBringer({
      review,
      checkpoints: checkpoints.checkpoints,
      mergeEditors,
      handed: async (...all) => (await import('./tries/handedStart')).compareWithHanded(tries, ...all),
    });
  });
  const ended = once(async () => {
    const { SessionWorktrees } = await import('./worktrees/sessionWorktrees');
    return new SessionWorktrees(pool, sessions);
  });
  const worktrees: WorktreesOfSessions = {
    beforeEnd: async (...all) => (await ended()).beforeEnd(...all),
    end: async (...all) => (await ended()).end(...all),
    bringBack: async (...all) => (await ended()).bringBack(...all),
  };
  /** Opens a stored session, or shows one that is open. `show` is called instead of showing it. */
  const openKnown = async (key: SessionKey, show?: (key: SessionKey) => void | Promise<void>) => {
    const listing = sessions.stored.find((one) => one.key === key);
    const open = pool.sessions.find((one) => one.key === key)?.transcript.view;
    const known = listing ?? (open && { ...open, key });
    if (!known) throw new Error(l10n.t('This session was deleted.'));
    await openStored({ pool, sessions, catalog, pages, board, worktrees }, known, show);
  };
  const words = parts.add(new WordIndex(sessions, join(storage, 'words')));
  const deletions = parts.add(new Deletions(place));
  return { ...sandbox, pages, board, checkpoints, bringer, worktrees, openKnown, words, deletions };
}

/** What new sessions are held to: the default, what is required, and what the user chooses. */
function sandboxParts({ settings, launches, extensionPath, parts }: Machine, { permissions }: Agents) {
  const required = () => strictestMode(settings.sandboxOfWorkspace, permissions.policy.sandbox);
  const sandbox: SandboxChoices = {
    mode: () => strictestMode(settings.sandbox, required()),
    pick: async (current) => (await import('./sandbox/chooseSandbox')).pickSandbox(current, required()),
  };
  const defaultSandbox = parts.add(
    new DefaultSandbox({
      mode: sandbox.mode,
      onDidChangeMode: settings.onDidChange,
      findMissing: async () => {
        const { findMissing } = await import('./sandbox/sandboxFinding');
        return findMissing((await launches.resolver.environment()).env, extensionPath);
      },
    }),
  );
  return { required, sandbox, defaultSandbox };
}
