import { join } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { AgentPool } from '../agent/pool/agentPool';
import { KnownVersions } from '../agent/pool/knownVersions';
import type { AgentSpec } from '../agent/spec/agentSpec';
import { createWatchdog } from '../agent/process/watchdog';
import { Disposable, toDisposable, type IDisposable } from '../shared/disposable';
import type { SessionKey } from '../shared/ids';
import { AgentCatalog } from './agents/agentCatalog';
import { AgentProblems } from './agents/agentProblems';
import { AgentInputs } from './agents/agentInputs';
import { LaunchResolver } from './agents/launchResolver';
import { OfferedAgents } from './agents/offeredAgents';
import { Attention } from './attention/attention';
import { OsNotifier } from './attention/osNotifier';
import { ChangedFiles, shownPath } from './review/changedFilesFeed';
import { Protection } from './review/protection';
import { protectionFinding } from './review/protectionWords';
import { ChatPages } from './pages/chatPages';
import { DiffContent } from './chat/diffContent';
import { FoundPaths } from './chat/foundPaths';
import { messageTable } from './chat/messageTable';
import { handleIntent } from './pages/handlers';
import { PageModel } from './pages/pageModel';
import { Checkpoints } from './checkpoints/checkpoints';
import { addAgent, updateAgents } from './commands/addAgent';
import { answerRequest } from './commands/answerRequest';
import { cancelTurn } from './commands/cancelTurn';
import { checkSetup, saveSupportBundle } from './commands/checkSetup';
import { changeToolDetail } from './commands/changeToolDetail';
import { chooseFolders } from './commands/chooseFolders';
import { closeSession } from './commands/closeSession';
import { cycleMode } from './commands/cycleMode';
import { configureEditorTools } from './commands/configureEditorTools';
import { configureProviders } from './commands/configureProviders';
import type { CommandServices } from './commands/command';
import { deleteSession } from './commands/deleteSessionCommand';
import { exportSession } from './commands/exportSession';
import { forgetMcpAnswers } from './commands/forgetMcpAnswers';
import { forkSession } from './commands/forkSessionCommand';
import { login, logout } from './commands/loginCommand';
import { newSession, newSessionWithDefaultAgent } from './commands/newSession';
import { openChat } from './commands/openChat';
import { openChatInEditor } from './commands/openChatInEditor';
import { openSession } from './commands/openSessionCommand';
import { openWalkthrough } from './commands/openWalkthrough';
import { allowEverything, showPermissionRules, stopAllowingEverything } from './commands/ruleCommands';
import { renameSession } from './commands/renameSessionCommand';
import { showKeys } from './commands/showKeys';
import { showOrigin } from './commands/showOrigin';
import { nextSession, previousSession } from './commands/switchSession';
import { find, goToTurn, nextTurn, previousTurn, returnToMessage } from './commands/turns';
import { reviewWorkspaceSettings } from './commands/reviewWorkspaceSettings';
import { sendPrompt } from './commands/sendPrompt';
import { startSessionHere } from './commands/startSessionHere';
import { exportProtocolLog, showProtocolLog } from './commands/showProtocolLog';
import { ProblemActions } from './codeActions/problemActions';
import { ContextMessages } from './context/contextMessages';
import { readContext } from './context/readContext';
import { ContextKeys } from './pages/contextKeys';
import { fileRoots, workspaceRoots } from './base/folders';
import { Languages } from './editor/languages';
import { SettledProblems } from './editor/settledProblems';
import { ShownFiles } from './editor/shownFile';
import { FileBridge } from './files/fileBridge';
import { ProtocolLog } from './log/protocolLog';
import { RememberedLog } from './log/rememberedLog';
import { LoginSecrets } from './login/loginSecrets';
import { createLogins } from './login/hostLogins';
import { tellWithheld } from './login/tellWithheld';
import { logInTo } from './login/logInTo';
import { showLoginCard } from './login/withLogin';
import { McpServers } from './mcp/mcpServers';
import { IdeServers } from './ide/ideServers';
import { NextEdits } from './nextEdits/nextEdits';
import { LazyParser } from './permissions/lazyParser';
import { AllowEverything } from './permissions/allowEverything';
import { UserPermissionRules } from './permissions/permissionRules';
import { readPolicy } from './permissions/policyFile';
import { tellPolicyProblem } from './rulesPage/policyProblem';
import { RuleAnswers } from './permissions/ruleAnswers';
import { RuleBook } from './permissions/ruleBook';
import { EverythingMode } from './rulesPage/everythingMode';
import { RulesPages } from './rulesPage/rulesPages';
import { LazyProviders } from './providers/lazyProviders';
import { AddedAgents } from './registry/addedAgents';
import { LazyRegistry } from './registry/lazyRegistry';
import { Review } from './review/review';
import { prepareSession } from './sessions/prepareSession';
import { RememberedChoices } from './sessions/rememberedChoices';
import { restoreSessions } from './sessions/restoreSessions';
import { ScratchFolder } from './sessions/scratchFolder';
import { mentionableSessions } from './sessions/mentionableSessions';
import { SessionStore } from './sessions/sessionStore';
import { TourEnd } from './sessions/tourEnd';
import { SettingsReview } from './settings/reviewSettings';
import { Settings } from './settings/settings';
import { SetupCheck } from './setup/setupCheck';
import { SupportBundle } from './setup/supportBundle';
import { WindowProblems } from './turnProblems/editorProblems';
import { ReviewedTurns } from './turnProblems/reviewedTurns';
import { TurnProblems } from './turnProblems/turnProblems';
import { storagePlace } from './storage/storagePlace';
import { StorageWindows } from './storage/storageWindows';
import { tellTroubles } from './storage/tellTroubles';
import { reported } from './ui/reported';
import { createTerminalService, type HostTerminals } from './terminals/terminalService';

const commands = [
  openChat,
  openChatInEditor,
  newSession,
  newSessionWithDefaultAgent,
  startSessionHere,
  closeSession,
  addAgent,
  updateAgents,
  reviewWorkspaceSettings,
  showPermissionRules,
  allowEverything,
  stopAllowingEverything,
  deleteSession,
  forgetMcpAnswers,
  configureProviders,
  configureEditorTools,
  cancelTurn,
  cycleMode,
  changeToolDetail,
  nextSession,
  previousSession,
  showKeys,
  sendPrompt,
  answerRequest,
  showProtocolLog,
  exportProtocolLog,
  checkSetup,
  saveSupportBundle,
  openWalkthrough,
  showOrigin,
  openSession,
  chooseFolders,
  renameSession,
  forkSession,
  exportSession,
  find,
  goToTurn,
  returnToMessage,
  nextTurn,
  previousTurn,
  login,
  logout,
];

/** The whole extension: creates its parts, connects them, and disposes of them. */
export class Parley extends Disposable {
  private readonly pool: AgentPool;
  private readonly terminals: HostTerminals;
  private readonly review: Review;
  private readonly checkpoints: Checkpoints;
  private readonly sessions: SessionStore;
  private readonly windows: StorageWindows;
  /** Sessions that end with the window are open again in the next one, with their rules. */
  private isStopping = false;

  constructor(context: vscode.ExtensionContext) {
    super();
    if (vscode.l10n.bundle) l10n.config({ contents: vscode.l10n.bundle });
    const log = new RememberedLog(this.register(vscode.window.createOutputChannel('Parley', { log: true })), () =>
      Date.now(),
    );
    const guard = this.register(createWatchdog(join(context.extensionPath, 'dist', 'watchdog.js')));
    const agentInputs = new AgentInputs(context.secrets, () => workspaceRoots().join('\n'));
    const launches = new LaunchResolver(log, agentInputs);
    const scratch = new ScratchFolder(join(context.globalStorageUri.fsPath, 'scratch'));
    const settings = this.register(new Settings(context.workspaceState));
    const settingsReview = this.register(new SettingsReview(settings));
    const files = this.register(
      new FileBridge({ outsideWorkspace: () => settings.outsideWorkspace, observer: () => review }),
    );
    this.terminals = this.register(
      createTerminalService({
        baseEnvironment: async () => (await launches.environment()).env,
        guard,
        onNoPty: (reason) => log.warn(`No pseudoterminal, commands run behind pipes: ${String(reason)}`),
      }),
    );
    const added = this.register(new AddedAgents(context.globalState));
    const catalog = this.register(new AgentCatalog(context.extensionPath, log, added, settings));
    this.register(new AgentProblems(catalog, context.workspaceState));
    const { version } = context.extension.packageJSON as { readonly version: string };
    const loginSecrets = new LoginSecrets(context.secrets, {
      place: () => workspaceRoots().join('\n'),
      onWithheld: tellWithheld(log),
    });
    const resolveLaunch = async (spec: AgentSpec, cwd: string) => {
      const current = added.current(spec);
      scratch.bringBack(cwd);
      return loginSecrets.addTo(current, await launches.resolve(current, cwd));
    };
    const mcp = new McpServers({
      settings,
      memory: context.workspaceState,
      secrets: context.secrets,
      globalStorage: context.globalStorageUri,
      environment: () => launches.environment(),
    });
    const { secrets, extensionUri } = context;
    const parser = new LazyParser(join(extensionUri.fsPath, 'dist', 'tree-sitter'), log);
    const policy = readPolicy();
    void tellPolicyProblem(policy, context.globalState, log);
    const allowed = this.register(new AllowEverything());
    const everything = this.register(
      new EverythingMode(allowed, policy, (key) => pool.sessions.some((session) => session.key === key)),
    );
    const book = this.register(new RuleBook({ settings, memory: context.workspaceState, policy, log }));
    const answers = new RuleAnswers(context.globalState);
    const rules = new UserPermissionRules({ log, book, everything: allowed, answers, parser, now: () => Date.now() });
    const providers: LazyProviders = this.register(
      new LazyProviders(secrets, () => ({
        pool,
        catalog,
        settings,
        secrets,
        extensionUri,
        schedule,
        current: (spec) => added.current(spec),
        logIn: (spec) => logInTo(services, spec),
        showLogin: ({ id }) => showLoginCard(services, id),
      })),
    );
    const shown = this.register(new ShownFiles());
    let languages: Languages | undefined;
    // Not needed before the first turn, or the first session with tools.
    const language = () =>
      (languages ??= this.register(new Languages(this.register(new SettledProblems(() => Date.now())))));
    const ide = this.register(
      new IdeServers({
        settings,
        rules,
        version,
        language,
        shown: () => shown.current,
        read: (context, params, signal) => files.readTextFile(context, params, signal),
        change: (context, paths, write) => review.writingAll(context, paths, write),
        beforeWork: (session) => review.recorded(session),
        now: () => Date.now(),
        report: (error) => log.warn(`Editor tools: ${String(error)}`),
      }),
    );
    const pool: AgentPool = this.register(
      new AgentPool({
        services: {
          files,
          terminals: {
            create: async (context, params, events) => {
              await review.recorded(context.session);
              return this.terminals.create(context, params, events);
            },
          },
          permissions: rules,
          mcp: ide,
          beforeTurn: async (session) => {
            await Promise.all([choices.applied(session), review.beforeTurn(session)]);
          },
          beforeWork: (session) => review.recorded(session),
          readContext,
        },
        version,
        now: () => Date.now(),
        schedule,
        resolveLaunch,
        prepareSession: prepareSession(mcp, context.workspaceState, files, settingsReview, ide),
        configureAgent: providers.configure,
        versions: new KnownVersions({
          read: () => context.globalState.get<Readonly<Record<string, unknown>>>('parley.protocolVersions', {}),
          write: (versions) => void context.globalState.update('parley.protocolVersions', versions),
        }),
        wantsNextEdits: () => settings.nextEditSuggestions,
        guard,
        log: (line) => log.info(line),
      }),
    );
    this.pool = pool;
    this.register(
      pool.onDidChangeSessions(() => {
        for (const { key, transcript } of pool.sessions) {
          if (transcript.view.connection.state === 'closed') ide.revoke(key);
        }
      }),
    );
    const registry: LazyRegistry = this.register(
      new LazyRegistry({
        added,
        log,
        storage: context.globalStorageUri.fsPath,
        registryUrl: () => settings.registryUrl,
        environment: () => launches.environment(),
        isUsed: (id) => pool.sessions.some((session) => pool.specOf(session)?.id === id),
        onDidChangeSessions: pool.onDidChangeSessions,
        retire: (id) => pool.retire(id),
        onDidLoad: () => void offered.findAgain(),
        settingNames: () => settings.agentNames,
        importAgents: async (agents) => {
          for (const spec of await settings.addAgents(agents)) {
            const secrets = agents.find(({ name }) => name === spec.name)?.secrets;
            if (secrets && Object.keys(secrets).length > 0) await loginSecrets.keep(spec, secrets);
          }
        },
      }),
    );
    const offered: OfferedAgents = this.register(new OfferedAgents(registry, added, log));
    const logins = this.register(createLogins(pool, loginSecrets, resolveLaunch, agentInputs));
    const storage = storagePlace(context.storageUri?.fsPath, context.globalStorageUri.fsPath);
    const windows = this.register(new StorageWindows(storage));
    this.windows = windows;
    const troubles = tellTroubles((text) => log.warn(text));
    const place = { storage, windows, troubles };
    const review: Review = this.register(new Review(pool, place, (error) => log.warn(`Review: ${String(error)}`)));
    this.review = review;
    this.sessions = this.register(
      new SessionStore(pool, join(storage, 'sessions'), { now: () => Date.now(), windows, troubles }),
    );
    const restore = () =>
      void restoreSessions(this.sessions, pool, catalog, {
        back: () => pages.sessionsAreBack(),
        report: (error) => log.warn(`Sessions: ${String(error)}`),
      });
    if (vscode.workspace.isTrusted) restore();
    else this.register(vscode.workspace.onDidGrantWorkspaceTrust(restore));
    this.register(
      forgetClosedSessions(pool, (key) => {
        files.forget(key);
        ide.revoke(key);
        void this.terminals.endSession(key);
        allowed.turnOff(key);
        if (!this.isStopping) reported(log, book.forgetSession(key));
      }),
    );
    const model = this.register(new PageModel(pool, catalog, offered, settings, allowed));
    const pages: ChatPages = this.register(new ChatPages(context.extensionUri, model));
    this.register(new ChangedFiles(review.log, pages, review.gaps));
    const protection = this.register(
      new Protection({ files: review, pages, folders: fileRoots, state: context.workspaceState }),
    );
    const problems = this.register(
      new TurnProblems({
        turns: this.register(new ReviewedTurns(pool, review)),
        problems: this.register(new WindowProblems(language)),
        pages,
        settings,
        pathOf: shownPath,
        report: (error) => log.warn(`Problems: ${String(error)}`),
      }),
    );
    const warnOfContext = (error: unknown) => log.warn(`Context: ${String(error)}`);
    const contextMessages = this.register(
      new ContextMessages(shown, pages, settings, mentionableSessions(pool, this.sessions), warnOfContext),
    );
    this.register(new ProblemActions(pages, warnOfContext));
    const report = (error: unknown) => log.warn(`Checkpoints: ${String(error)}`);
    const { sessions } = this;
    const choices: RememberedChoices = this.register(new RememberedChoices(pool, context.globalState));
    this.checkpoints = this.register(
      new Checkpoints({ pool, catalog, pages, review, sessions, scratch, choices, place, report }),
    );
    this.register(new DiffContent((key) => pool.sessions.find((session) => session.key === key)));
    this.register(new TourEnd(pool));
    this.register(new NextEdits({ pool, settings, log }));
    const protocolLog = this.register(new ProtocolLog(pool));
    this.register(new ContextKeys(pool, pages));
    const isLocal = vscode.env.remoteName === undefined && vscode.env.uiKind === vscode.UIKind.Desktop;
    const osNotifier = isLocal ? this.register(new OsNotifier(process.platform, process.env)) : undefined;
    const attention = this.register(new Attention({ pool, pages, settings, osNotifier }));
    const paths = this.register(new FoundPaths((message) => pages.broadcast(message)));
    const rulesPages = this.register(
      new RulesPages({ extensionUri, book, answers, pool, activeSession: () => pages.activeSession, log }),
    );
    const table = messageTable({
      pool,
      catalog,
      scratch,
      terminals: this.terminals,
      paths,
      settings,
      review,
      problems,
      protection,
      context: contextMessages,
      checkpoints: this.checkpoints,
      attention,
      rules: { book, rules, everything, showRules: (id) => rulesPages.show(id), log },
      logins,
      choices,
      offered,
      log,
    });
    this.register(pages.onDidReceive(({ page, message }) => handleIntent(table, page, message)));
    const setup = new SetupCheck({
      pool,
      catalog,
      environmentInUse: () => launches.environmentInUse,
      protection: async () => protectionFinding(await review.findUnprotected(), fileRoots()),
      schedule,
    });
    const supportBundle = this.register(new SupportBundle({ version, check: setup, settings, log, pool, catalog }));
    const services: CommandServices = {
      pool,
      catalog,
      pages,
      protocolLog,
      sessions: this.sessions,
      logins,
      loginSecrets,
      mcp,
      folderMemory: context.workspaceState,
      providers,
      registry,
      settings,
      settingsReview,
      scratch,
      setup,
      supportBundle,
      choices,
      rulesPages,
      everything,
      canRestore: (session, turn) => this.checkpoints.canRestore(session, turn),
    };
    for (const make of commands) {
      const command = make(services);
      this.register(vscode.commands.registerCommand(command.id, (...args: unknown[]) => command.execute(...args)));
    }
  }

  /** Stops every agent and every terminal. Resolves once all have exited. */
  async stop(): Promise<void> {
    this.isStopping = true;
    // Comes first, so that open sessions are still open in the next window. That window doesn't wait for this one, and
    // the editor ends this process a few milliseconds after calling, whatever is awaited.
    const stored = this.sessions.flushNow();
    this.review.flushNow();
    this.checkpoints.flushNow();
    this.sessions.dispose();
    await Promise.all([stored, this.pool.stopAll(), this.terminals.stopAll()]);
    // Agents may have written files until they exited.
    await Promise.all([this.review.flush(), this.checkpoints.flush()]);
    // From here on, another window may restore the stored sessions.
    this.windows.leave();
    this.dispose();
  }
}

function schedule(ms: number, action: () => void): IDisposable {
  const timer = setTimeout(action, ms);
  return toDisposable(() => clearTimeout(timer));
}

/** Removes the services' data for closed sessions. */
function forgetClosedSessions(pool: AgentPool, forget: (key: SessionKey) => void): IDisposable {
  let known = new Set<SessionKey>();
  return pool.onDidChangeSessions(() => {
    const live = new Set(pool.sessions.map((session) => session.key));
    for (const key of known) {
      if (!live.has(key)) forget(key);
    }
    known = live;
  });
}
