import { join } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { AgentPool } from '../agent/pool/agentPool';
import { heldFiles, heldTerminals, hidesFile } from '../agent/pool/heldContext';
import { strictestMode } from '../shared/sandboxMode';
import type { AgentSpec } from '../agent/spec/agentSpec';
import { createWatchdog } from '../agent/process/watchdog';
import { decidePrograms } from '../git/git';
import { keepGitRoomIn } from '../git/gitRoom';
import { KnownPrograms } from '../git/knownPrograms';
import { keepProgramsOutOf } from '../process/ownProgram';
import { Disposable, toDisposable, type IDisposable } from '../shared/disposable';
import type { SessionKey } from '../shared/ids';
import { agentsFeature } from './agents/feature';
import { attentionFeature } from './attention/feature';
import { OsNotifier } from './attention/osNotifier';
import { awakeFeature } from './awake/feature';
import { AgentWork } from './base/agentWork';
import type { ClosedSessions } from './base/closedSessions';
import { Branches } from './branches/branches';
import { ActionDesk, type ActionName, type Actions } from './base/actions';
import { joinFeatures, type CommandId, type Commands, type Feature } from './base/feature';
import { fileRoots } from './base/folders';
import { chatFeature } from './chat/feature';
import type { Checkpoints } from './checkpoints/checkpoints';
import { storeText } from './checkpoints/restoreContent';
import { checkpointsFeature } from './checkpoints/feature';
import { codeActionsFeature } from './codeActions/feature';
import { codeBlocksFeature } from './codeBlocks/feature';
import { commitFeature } from './commit/feature';
import { continueFeature } from './continueWith/feature';
import { contextFeature } from './context/feature';
import { readContext } from './context/readContext';
import { lazyLanguages } from './editor/lazyLanguages';
import { ShownFiles } from './editor/shownFile';
import { FileBridge } from './files/fileBridge';
import { followFeature } from './follow/feature';
import { NewRepositories } from './git/newRepositories';
import { programMemory } from './git/programMemory';
import { ProgramQuestions } from './git/programQuestions';
import { IdeServers } from './ide/ideServers';
import { linksFeature } from './links/feature';
import { logFeature } from './log/feature';
import { RememberedLog } from './log/rememberedLog';
import { createLaunches } from './login/agentLaunches';
import { loginFeature } from './login/feature';
import { createLogins } from './login/hostLogins';
import { logInTo } from './login/logInTo';
import { showLoginCard } from './login/withLogin';
import { mcpFeature } from './mcp/feature';
import { ChangeBringer } from './merging/bringChanges';
import { MergeEditors } from './merging/mergeEditors';
import { newSessionFeature } from './newSession/feature';
import type { SandboxChoices } from './newSession/openNewSession';
import { nextEditsFeature } from './nextEdits/feature';
import { ChatPages } from './pages/chatPages';
import { ContextKeys } from './pages/contextKeys';
import { handleIntent, type Handlers } from './pages/handlers';
import type { IntentType } from './pages/intent';
import { PageModel } from './pages/pageModel';
import { createPermissions } from './permissions/permissions';
import { presetsFeature } from './presets/feature';
import { proposalsFeature } from './proposals/feature';
import { promptsFeature } from './prompts/feature';
import { PromptLibrary } from './prompts/promptLibrary';
import { providersFeature } from './providers/feature';
import { storedProviders } from './providers/storedProviders';
import { LazyRegistry } from './registry/lazyRegistry';
import { reviewFeature } from './review/feature';
import { protectionFinding } from './review/protectionWords';
import { Review } from './review/review';
import { rulesPageFeature } from './rulesPage/feature';
import { openStored } from './sessionList/openStored';
import { Deletions } from './sessions/deletions';
import { sessionListFeature } from './sessionList/feature';
import { decideHost } from './sandbox/decideHost';
import { DefaultSandbox } from './sandbox/defaultSandbox';
import { pickSandbox } from './sandbox/chooseSandbox';
import { clearKilledSandboxes, createEnclose } from './sandbox/enclose';
import { sandboxFeature } from './sandbox/feature';
import { findMissing, sandboxFinding } from './sandbox/sandboxFinding';
import { FailedCalls } from './sandbox/failedCalls';
import { showBlocked } from './sandbox/showBlocked';
import { sandboxOf } from './sandbox/sandboxOf';
import { writtenFolders } from './sandbox/writtenFolders';
import { AskedSessions } from './sessions/askedSessions';
import { createPool } from './sessions/createPool';
import { createSession } from './sessions/createSession';
import { mentionableSessions } from './sessions/mentionableSessions';
import { isReviewer, ReadOnlySessions } from './sessions/readOnlySessions';
import { restoreWhenTrusted } from './sessions/restoreSessions';
import { ScratchFolder } from './sessions/scratchFolder';
import { SessionStore } from './sessions/sessionStore';
import { WindowBoard } from './sessions/windowBoard';
import { WordIndex } from './sessions/wordIndex';
import { TourEnd } from './sessions/tourEnd';
import { settingsFeature } from './settings/feature';
import { Settings } from './settings/settings';
import { setupFeature } from './setup/feature';
import { skillsPageFeature } from './skillsPage/feature';
import { storagePlace } from './storage/storagePlace';
import { StorageWindows } from './storage/storageWindows';
import { tellTroubles } from './storage/tellTroubles';
import { createTerminalService, type HostTerminals } from './terminals/terminalService';
import { transcriptFeature } from './transcript/feature';
import { agentReviewFeature } from './agentReview/feature';
import { afterTurnFeature } from './afterTurn/feature';
import { AutomaticTurns } from './turnProblems/automaticTurns';
import { turnProblemsFeature } from './turnProblems/feature';
import { ReviewedTurns } from './turnProblems/reviewedTurns';
import { decodeBudgets } from '../usage/budgets';
import { keepCopiesIn } from '../git/copyPlaces';
import { rememberFoldersIn } from '../worktree/ownFolders';
import { usageFeature } from './usage/feature';
import { UsageStore } from './usage/usageStore';
import { vendorFeature } from './vendor/feature';
import { isAside } from './vendor/forkAside';
import { triesFeature } from './tries/feature';
import { compareWithHanded } from './tries/handedStart';
import { TryStore } from './tries/tryStore';
import { mergingFeature } from './merging/feature';
import { worktreesFeature } from './worktrees/feature';
import { folderMemory, rememberedFolders } from './worktrees/folderMemory';
import { OwnCopies } from './worktrees/ownCopies';
import { SessionWorktrees } from './worktrees/sessionWorktrees';
import { WorktreeSetup } from './worktrees/worktreeSetup';

/** The whole extension: creates its parts, connects them, and disposes of them. */
export class Parley extends Disposable {
  /** What is stored about sessions and their changes. */
  readonly records: { readonly sessions: SessionStore; readonly review: Review };
  private readonly pool: AgentPool;
  private readonly closed: ClosedSessions;
  private readonly terminals: HostTerminals;
  private readonly windows: StorageWindows;
  private readonly asked: AskedSessions;
  private readonly features: Pick<Required<Feature>, 'flushNow' | 'flush'>;

  /** Each part takes only parts created before it. */
  constructor(context: vscode.ExtensionContext) {
    super();
    if (vscode.l10n.bundle) l10n.config({ contents: vscode.l10n.bundle });
    const { secrets, extensionUri, extensionPath, globalState: globalMemory, workspaceState: memory } = context;
    const { version } = context.extension.packageJSON as { readonly version: string };
    const globalStorage = context.globalStorageUri.fsPath;
    const output = this.register(vscode.window.createOutputChannel('Parley', { log: true }));
    const log = new RememberedLog(output, () => Date.now());
    const report = (what: string) => (error: unknown) => log.warn(`${what}: ${String(error)}`);

    // What features do for others.
    const desk = new ActionDesk();
    const { act } = desk;

    // What agents start with.
    const settings = this.register(new Settings(memory));
    const workspaceSettings = settingsFeature({ settings });
    const sandboxRecords = join(globalStorage, 'sandboxes');
    void clearKilledSandboxes(sandboxRecords);
    const scratch = new ScratchFolder(join(globalStorage, 'scratch'));
    rememberFoldersIn(folderMemory(globalMemory));
    const ownFiles = join(globalStorage, 'copies');
    keepCopiesIn(ownFiles);
    this.register(keepGitRoomIn(join(globalStorage, 'git')));
    const knownPrograms = new KnownPrograms(programMemory(join(globalStorage, 'programs')));
    const programs = new ProgramQuestions(knownPrograms);
    this.register(decidePrograms(programs.decide));
    keepProgramsOutOf(() => writtenFolders([ownFiles, ...rememberedFolders(globalMemory), ...settings.sandboxFolders]));
    const launches = this.register(
      createLaunches({ extensionPath, secrets, memory: globalMemory, settings, scratch, log }),
    );
    const { added, catalog, loginSecrets, resolveLaunch } = launches;
    const environment = () => launches.resolver.environment();
    const current = (spec: AgentSpec) => added.current(spec);
    const providers = storedProviders({ secrets, current, schedule });

    // What agents are served with.
    const work = new AgentWork();
    const guard = this.register(createWatchdog(join(extensionPath, 'dist', 'watchdog.js')));
    const files = this.register(new FileBridge({ outsideWorkspace: () => settings.outsideWorkspace, observer: work }));
    this.terminals = this.register(
      createTerminalService({
        baseEnvironment: async () => (await environment()).env,
        guard,
        onNoPty: (reason) => log.warn(`No pseudoterminal, commands run behind pipes: ${String(reason)}`),
      }),
    );
    const mcp = mcpFeature({ settings, memory, secrets, globalStorage: context.globalStorageUri, environment });
    const permissions = this.register(createPermissions({ settings, extensionPath, memory, globalMemory, log }));
    const reviewers = new ReadOnlySessions((key) => isAside(key) || isReviewer(this.pool, key), permissions.rules);
    const shown = this.register(new ShownFiles());
    const languages = this.register(lazyLanguages());
    const ide = this.register(
      new IdeServers({
        settings,
        asker: () => this.asked,
        rules: reviewers,
        version,
        language: languages.get,
        shown: () => shown.current,
        read: (client, params, signal) => heldFiles(() => this.pool, files).readTextFile(client, params, signal),
        hides: (client, path) => hidesFile(this.pool, client, path),
        change: (client, paths, write) => work.writingAll(client, paths, write),
        beforeWork: (session) => work.beforeWork(session),
        now: () => Date.now(),
        report: report('Editor tools'),
      }),
    );

    const hostDecisions = { rules: permissions.rules, isTrusted: () => vscode.workspace.isTrusted };
    // The agents and their sessions.
    const { pool, closed, choices } = this.register(
      createPool({
        work,
        files,
        terminals: this.terminals,
        permissions: reviewers,
        readContext,
        ide,
        mcp: mcp.servers,
        settings,
        settingsReview: workspaceSettings.review,
        memory,
        globalMemory,
        version,
        schedule,
        resolveLaunch,
        configureAgent: providers.configure,
        enclose: createEnclose({
          extensionPath,
          guard,
          records: sandboxRecords,
          caches: join(globalStorage, 'caches'),
          packages: () => settings.sandboxPackages,
          allowed: () => settings.sandboxFolders,
          passed: () => settings.sandboxEnvironment,
          toolsPort: (spec) => ide.portFor(spec),
          serverPorts: (spec, cwd) => mcp.servers.portsFor(spec, [cwd]),
          environment,
          knownGit: (folders) => knownPrograms.placesOf(folders),
          log,
        }),
        placeSession: (...session) => copies.place(...session),
        beforeSession: (folder) => knownPrograms.begin(folder),
        sandboxOf: (spec, chosen) => sandboxOf(settings, permissions.policy.sandbox, spec, chosen),
        sandboxBlocked: showBlocked,
        decideHost: (sessions, target, signal) => decideHost(hostDecisions, sessions, target, signal),
        guard,
        log,
      }),
    );
    this.pool = pool;
    this.register(new FailedCalls({ pool }));
    const newRepositories = this.register(
      new NewRepositories({ pool, known: knownPrograms, report: report('New repositories') }),
    );
    this.closed = closed;
    this.asked = this.register(
      new AskedSessions({
        pool,
        catalog,
        createSession: ({ id }, like) =>
          createSession({ pool, catalog, scratch, choices }, { agent: id, cwd: like.transcript.view.cwd, like }),
        schedule,
      }),
    );
    const { importAgents } = launches;
    const registry = this.register(
      new LazyRegistry({ added, log, storage: globalStorage, environment, pool, settings, importAgents, act }),
    );
    const agents = agentsFeature({ catalog, added, registry, memory, log });
    const logins = this.register(createLogins(pool, loginSecrets, resolveLaunch, launches.inputs));

    // What is stored about their work.
    const ownTerminals = heldTerminals(pool, this.terminals);
    const setup = new WorktreeSetup(ownTerminals);
    const copies = new OwnCopies({ settings, setUp: (...command) => setup.run(...command) });
    const storage = storagePlace(context.storageUri?.fsPath, globalStorage);
    const windows = this.register(new StorageWindows(storage));
    this.windows = windows;
    const troubles = tellTroubles((text) => log.warn(text));
    const place = { storage, windows, troubles };
    const usage = this.register(new UsageStore(join(globalStorage, 'usage'), { now: () => Date.now(), troubles }));
    const review = this.register(
      new Review(pool, place, report('Review'), { act, revealsNext: () => settings.revealsNextChange }),
    );
    const branches = this.register(new Branches());
    const sessions = this.register(
      new SessionStore(pool, join(storage, 'sessions'), {
        now: () => Date.now(),
        windows,
        troubles,
        branchOf: (cwd) => branches.of(cwd)?.branch,
      }),
    );

    this.records = { sessions, review };

    // The pages, and everything that users do.
    const required = () => strictestMode(settings.sandboxOfWorkspace, permissions.policy.sandbox);
    const sandboxChoices: SandboxChoices = {
      mode: () => strictestMode(settings.sandbox, required()),
      pick: (current) => pickSandbox(current, required()),
    };
    const defaultSandbox = this.register(
      new DefaultSandbox({
        mode: sandboxChoices.mode,
        onDidChangeMode: settings.onDidChange,
        findMissing: async () => findMissing((await launches.resolver.environment()).env, extensionPath),
      }),
    );
    const model = this.register(
      new PageModel(pool, catalog, agents.offered, settings, permissions.allowed, branches, defaultSandbox),
    );
    const pages = this.register(new ChatPages(extensionUri, model));
    this.register(new ContextKeys(pool, pages));
    this.register(
      restoreWhenTrusted(sessions, pool, catalog, {
        back: () => pages.sessionsAreBack(),
        report: report('Sessions'),
      }),
    );
    this.register(new TourEnd(pool));
    const isLocal = vscode.env.remoteName === undefined && vscode.env.uiKind === vscode.UIKind.Desktop;
    const osNotifier = isLocal ? this.register(new OsNotifier(process.platform, process.env)) : undefined;
    const board = this.register(new WindowBoard(join(globalStorage, 'board')));
    const loginServices = { pool, catalog, scratch, choices, pages, logins, loginSecrets };
    const checkpoints = checkpointsFeature({
      pool,
      catalog,
      pages,
      review,
      sessions,
      scratch,
      choices,
      place,
      mergeAgain: (...all) => mergeEditors.resume(...all),
      report: report('Checkpoints'),
    });
    const library = this.register(new PromptLibrary(join(globalStorage, 'prompts'), report('Prompts')));
    const prompts = promptsFeature({
      library,
      pages,
      memory,
      log,
    });
    const worktrees = new SessionWorktrees(pool, sessions);
    const backUp: Checkpoints['backUp'] = (...files) => checkpoints.checkpoints.backUp(...files);
    const mergeEditors = this.register(
      new MergeEditors({
        review,
        storeText: (...text) => storeText(review.contents, ...text),
        backUp,
        report: report('Merging'),
      }),
    );
    const tries = this.register(new TryStore(join(storage, 'tries'), troubles));
    const bringer = new ChangeBringer({
      review,
      backUp,
      handed: (...all) => compareWithHanded(tries, ...all),
      showMerge: (...all) => mergeEditors.show(...all),
    });
    const knownAgents = () => [
      ...catalog.all.map(({ name }) => name),
      ...pool.sessions.map(({ transcript }) => transcript.view.agentName),
    ];
    const sessionList = sessionListFeature({
      ...loginServices,
      sessions,
      board,
      worktrees,
      branches,
      tries,
      words: this.register(new WordIndex(sessions, join(storage, 'words'))),
      changes: review.log,
      memory,
      deletions: this.register(new Deletions(place)),
      schedule,
      act,
    });
    const proposals = proposalsFeature({ pool, review, place, log });
    const openKnown = async (key: SessionKey, show?: (key: SessionKey) => void | Promise<void>) => {
      const listing = sessions.stored.find((one) => one.key === key);
      const open = pool.sessions.find((one) => one.key === key)?.transcript.view;
      const known = listing ?? (open && { ...open, key });
      if (!known) throw new Error(l10n.t('This session was deleted.'));
      await openStored({ pool, sessions, catalog, pages, board, worktrees }, known, show);
    };
    const turns = this.register(new ReviewedTurns(pool, review));
    const automatic = new AutomaticTurns();
    const inWorktrees = worktreesFeature({
      pool,
      catalog,
      scratch,
      choices,
      pages,
      sandbox: sandboxChoices,
      settings,
      setup,
      act,
      log,
    });
    const features = this.register(
      joinFeatures(
        // These come first, so that open sessions are still open in the next window.
        sessionList,
        { flushNow: () => board.leave() },
        {
          flushNow: () => {
            const stored = sessions.flushNow();
            sessions.dispose();
            return stored;
          },
        },
        workspaceSettings,
        { around: newRepositories },
        inWorktrees,
        mcp,
        agents,
        reviewFeature({ extensionUri, pool, pages, knownAgents, review, memory, act, log }),
        agentReviewFeature({ pool, catalog, scratch, choices, pages, review, log }),
        continueFeature({ pool, catalog, scratch, choices, pages, review: review.log, log }),
        commitFeature({
          pool,
          pages,
          review: review.log,
          log,
          programs,
          changedFiles: (session, turn) => checkpoints.checkpoints.changedFiles(session, turn),
        }),
        turnProblemsFeature({ pages, turns, automatic, language: languages.get, settings, log }),
        afterTurnFeature({ pool, terminals: ownTerminals, turns, automatic, settings, log }),
        contextFeature({
          shown,
          pages,
          settings,
          sessions: mentionableSessions(pool, sessions),
          report: report('Context'),
        }),
        prompts,
        skillsPageFeature({ extensionUri, library, usePrompt: prompts.use, newPrompt: prompts.create, log }),
        codeActionsFeature({ pages, report: report('Context') }),
        codeBlocksFeature({ review, log }),
        proposals,
        checkpoints,
        nextEditsFeature({ pool, settings, log }),
        logFeature({ pool }),
        awakeFeature({ pool, pages, settings, log }),
        followFeature({ pool, pages, report: report('Follow') }),
        attentionFeature({ pool, pages, settings, osNotifier }),
        rulesPageFeature({ pool, pages, permissions, extensionUri, memory: globalMemory, log }),
        usageFeature({
          extensionUri,
          pool,
          sessions,
          store: usage,
          budgets: () => decodeBudgets([...settings.budgets, permissions.policy.budget]),
          settings,
          memory: globalMemory,
          schedule,
          log,
        }),
        vendorFeature({ pool, pages, hide: sessionList.hide, count: (turn) => usage.add(turn), log }),
        transcriptFeature({ pages, log }),
        chatFeature({
          ...loginServices,
          offered: agents.offered,
          terminals: this.terminals,
          startInWorktree: inWorktrees.startPreset,
          settings,
          act,
          log,
        }),
        newSessionFeature({ pool, catalog, scratch, choices, pages, sandbox: sandboxChoices, memory, act }),
        triesFeature({
          extensionUri,
          pool,
          catalog,
          scratch,
          choices,
          settings,
          setup,
          store: tries,
          terminals: ownTerminals,
          review,
          bringer,
          knownAgents,
          openSession: openKnown,
          memory,
          act,
          log,
        }),
        mergingFeature({
          pool,
          pages,
          review,
          bringer,
          settings,
          setup,
          openSession: (key) => openKnown(key, () => undefined),
          programs,
          log,
        }),
        presetsFeature({ pool, catalog, pages, settings, act }),
        sandboxFeature({
          pool,
          pages,
          settings,
          defaults: defaultSandbox,
          required,
        }),
        linksFeature({ ...loginServices, sessions, board, worktrees, log }),
        loginFeature(loginServices),
        providersFeature({
          pool,
          catalog,
          settings,
          store: providers.store,
          extensionUri,
          logIn: (spec) => logInTo(loginServices, spec),
          showLogin: ({ id }) => showLoginCard(loginServices, id),
        }),
        setupFeature({
          ...loginServices,
          version,
          settings,
          log,
          environmentInUse: () => launches.resolver.environmentInUse,
          sandbox: (env) => sandboxFinding(env, extensionPath, defaultSandbox.state.mode !== 'off'),
          protection: async () => protectionFinding(await review.findUnprotected(), fileRoots()),
          schedule,
          act,
        }),
      ),
    );
    this.features = features;
    const { messages, commands, actions } = features;
    features.around.forEach((part) => work.join(part));
    this.register(closed.onDidClose((session) => features.forget(session)));
    const done: Actions<ActionName> = actions;
    desk.join(done);
    const handlers: Handlers<IntentType> = messages;
    const unread = report('A message of the chat page');
    this.register(pages.onDidReceive(({ page, message }) => handleIntent(handlers, page, message, unread)));
    const all: Commands<CommandId> = commands;
    for (const [id, execute] of Object.entries(all)) {
      this.register(vscode.commands.registerCommand(id, execute));
    }
  }

  /** Stops every agent and every terminal. Resolves once all have exited. */
  async stop(): Promise<void> {
    this.closed.windowCloses();
    // Comes first: the next window doesn't wait for this one, and the editor ends this process a few milliseconds after
    // calling, whatever is awaited.
    const written = this.features.flushNow();
    await Promise.all([written, this.pool.stopAll(), this.terminals.stopAll()]);
    // Agents may have written files until they exited.
    await this.features.flush();
    // From here on, another window may restore the stored sessions.
    this.windows.leave();
    this.dispose();
  }
}

function schedule(ms: number, action: () => void): IDisposable {
  const timer = setTimeout(action, ms);
  return toDisposable(() => clearTimeout(timer));
}
