import { join } from 'node:path';
import * as vscode from 'vscode';
import { decodeBudgets } from '../usage/budgets';
import { afterTurnFeature } from './afterTurn/feature';
import { agentReviewFeature } from './agentReview/feature';
import { attentionFeature } from './attention/feature';
import { OsNotifier } from './attention/osNotifier';
import { awakeFeature } from './awake/feature';
import { fileRoots } from './base/folders';
import { joinFeatures } from './base/feature';
import { chatFeature } from './chat/feature';
import { codeActionsFeature } from './codeActions/feature';
import { codeBlocksFeature } from './codeBlocks/feature';
import { commitFeature } from './commit/feature';
import { contextFeature } from './context/feature';
import { continueFeature } from './continueWith/feature';
import { followFeature } from './follow/feature';
import { linksFeature } from './links/feature';
import { logFeature } from './log/feature';
import { loginFeature } from './login/feature';
import { logInTo } from './login/logInTo';
import { showLoginCard } from './login/withLogin';
import { mergingFeature } from './merging/feature';
import { newSessionFeature } from './newSession/feature';
import { nextEditsFeature } from './nextEdits/feature';
import { presetsFeature } from './presets/feature';
import { promptsFeature } from './prompts/feature';
import { PromptLibrary } from './prompts/promptLibrary';
import { proposalsFeature } from './proposals/feature';
import { providersFeature } from './providers/feature';
import { reviewFeature } from './review/feature';
import { protectionFinding } from './review/page/protectionWords';
import { rulesPageFeature } from './rulesPage/feature';
import { sandboxFeature } from './sandbox/feature';
import { sandboxFinding } from './sandbox/sandboxFinding';
import { sessionListFeature } from './sessionList/feature';
import { mentionableSessions } from './sessions/stored/mentionableSessions';
import { setupFeature } from './setup/feature';
import { skillsTab } from './skillsPage/makeTab';
import { parleyPageFeature } from './parleyPage/feature';
import type { Parts } from './parleyPage/parleyPanel';
import { transcriptFeature } from './transcript/feature';
import { startRowFeature } from './startRow/feature';
import { triesFeature } from './tries/feature';
import { AutomaticTurns } from './turnProblems/automaticTurns';
import { turnProblemsFeature } from './turnProblems/feature';
import { ReviewedTurns } from './turnProblems/reviewedTurns';
import { usageFeature } from './usage/feature';
import { vendorFeature } from './vendor/feature';
import { worktreesFeature } from './worktrees/feature';
import type { Agents } from './agentsFloor';
import type { Machine } from './machineFloor';
import type { Sessions } from './sessionsFloor';
import type { Work } from './workFloor';

type All = Machine & Omit<Agents, keyof Machine> & Work & Sessions;

/** What users see and do: all features, joined. */
export function usersFloor(machine: Machine, agents: Agents, work: Work, sessions: Sessions) {
  const all = { ...machine, ...agents, ...work, ...sessions };
  const { board, mcp, parts } = all;
  const list = sessionListFeature({ ...all, changes: all.review.log });
  const store = work.sessions;
  const storeFeature = {
    flushNow: () => {
      const stored = store.flushNow();
      store.dispose();
      return stored;
    },
  };
  const trees = worktreesFeature(all);
  loadForFirstMessage(all);
  return parts.add(
    joinFeatures(
      // These come first, so that open sessions are still open in the next window.
      list,
      { flushNow: () => board.leave() },
      storeFeature,
      all.workspaceSettings,
      { around: all.newRepositories },
      trees,
      mcp,
      all.agents,
      changeFeatures(all),
      conversationFeatures(all, trees, list),
      windowFeatures(all),
      pageFeatures(all),
    ),
  );
}

/** What the first message of a window waits for, if it isn't loaded. */
const forFirstMessage = [
  () => import('../agent/connection/wire'),
  () => import('../baseline/workspaceBaseline'),
  () => import('./mcp/mcpServers'),
];

/** Loads it once a page can send a message, part by part, so that nothing else waits for long. */
function loadForFirstMessage({ pages, parts, report }: All): void {
  const loading = parts.add(
    pages.onDidLoad(() => {
      parts.delete(loading);
      const load = async () => {
        for (const part of forFirstMessage) {
          await new Promise((resolve) => setImmediate(resolve));
          await part();
        }
      };
      load().catch(report('Loading'));
    }),
  );
}

/** What agents changed: reviewed, committed, taken back, and brought here. */
function changeFeatures(all: All) {
  const { pool, review, checkpoints, tries, openKnown, ownTerminals, report } = all;
  const turns = all.parts.add(new ReviewedTurns(pool, review));
  const automatic = new AutomaticTurns();
  const knownAgents = () => [
    ...all.catalog.all.map(({ name }) => name),
    ...pool.sessions.map(({ transcript }) => transcript.view.agentName),
  ];
  return joinFeatures(
    reviewFeature({ ...all, knownAgents }),
    agentReviewFeature(all),
    continueFeature({ ...all, review: review.log }),
    commitFeature({
      ...all,
      review: review.log,
      changedFiles: (session, turn) => checkpoints.checkpoints.changedFiles(session, turn),
    }),
    turnProblemsFeature({ ...all, turns, automatic, language: all.languages.get }),
    afterTurnFeature({ ...all, terminals: ownTerminals, turns, automatic }),
    codeActionsFeature({ ...all, report: report('Context') }),
    codeBlocksFeature(all),
    proposalsFeature(all),
    checkpoints,
    triesFeature({ ...all, store: tries, terminals: ownTerminals, knownAgents, openSession: openKnown }),
    mergingFeature({ ...all, openSession: (key) => openKnown(key, () => undefined) }),
  );
}

/** The conversation with an agent: begun, written, read, and followed. */
function conversationFeatures(
  all: All,
  trees: ReturnType<typeof worktreesFeature>,
  { hide }: Pick<ReturnType<typeof sessionListFeature>, 'hide'>,
) {
  const { pool, usage, report } = all;
  return joinFeatures(
    contextFeature({ ...all, sessions: mentionableSessions(pool, all.sessions), report: report('Context') }),
    followFeature({ ...all, report: report('Follow') }),
    vendorFeature({ ...all, hide, count: (turn) => usage.add(turn) }),
    transcriptFeature(all),
    chatFeature({ ...all, offered: all.agents.offered, startInWorktree: trees.startPreset }),
    newSessionFeature(all),
    startRowFeature(all),
    linksFeature(all),
  );
}

/** What is about all sessions: who is told what, who may do what, and whether everything works. */
function windowFeatures(all: All) {
  const { defaultSandbox, parts } = all;
  const isLocal = vscode.env.remoteName === undefined && vscode.env.uiKind === vscode.UIKind.Desktop;
  const osNotifier = isLocal ? parts.add(new OsNotifier(process.platform, process.env)) : undefined;
  return joinFeatures(
    nextEditsFeature(all),
    logFeature(all),
    awakeFeature(all),
    attentionFeature({ ...all, osNotifier }),
    sandboxFeature({ ...all, defaults: defaultSandbox }),
    loginFeature(all),
  );
}

/** What is set up once, and what agents used: the tabs of the page “Parley”. */
function pageFeatures(all: All) {
  const { settings, permissions, globalMemory, launches, defaultSandbox, review } = all;
  const library = all.parts.add(new PromptLibrary(join(all.globalStorage, 'prompts'), all.report('Prompts')));
  const prompts = promptsFeature({ ...all, library });
  const skills = skillsTab({ ...all, library, usePrompt: prompts.use, newPrompt: prompts.create });
  const rules = rulesPageFeature({ ...all, memory: globalMemory });
  const usage = usageFeature({
    ...all,
    store: all.usage,
    budgets: () => decodeBudgets([...settings.budgets, permissions.policy.budget]),
    memory: globalMemory,
  });
  const presets = presetsFeature(all);
  const providers = providersFeature({
    ...all,
    store: all.providers.store,
    logIn: (spec) => logInTo(all, spec),
    showLogin: ({ id }) => showLoginCard(all, id),
  });
  const agents: Parts['agents'] = async (post) => {
    const { AgentsTab } = await import('./parleyPage/agentsTab');
    return new AgentsTab({ ...all, logIn: (spec) => logInTo(all, spec), configure: providers.openFor }, post);
  };
  const setup = setupFeature({
    ...all,
    environmentInUse: () => launches.resolver.environmentInUse,
    sandbox: (env) => sandboxFinding(env, all.extensionPath, defaultSandbox.state.mode !== 'off'),
    protection: async () => protectionFinding(await review.findUnprotected(), fileRoots()),
  });
  const parts = { agents, presets: presets.tab, skills, rules: rules.tab, usage: usage.tab, setup: setup.tab };
  return joinFeatures(prompts, rules, usage, presets, providers, setup, parleyPageFeature({ ...all, parts }));
}
