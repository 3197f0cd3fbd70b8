import { basename } from 'node:path';
import * as vscode from 'vscode';
import { compact } from '../../shared/values/decodeValue';
import type { Freedom } from '../../shared/limits/freedom';
import type { AgentPool } from '../../agent/pool/agentPool';
import { listedState } from '../../session/transcript/listedState';
import type { Session } from '../../session/session';
import { Disposable } from '../../shared/values/disposable';
import { Emitter, type Event } from '../../shared/values/event';
import type { SessionKey } from '../../shared/values/ids';
import type {
  AgentListing,
  DefaultSandboxState,
  PageState,
  SessionFolder,
  SessionListing,
  ToolDetail,
} from '../../shared/pages/messages';
import type { AgentCatalog } from '../agents/agentCatalog';
import type { AgentReports } from '../agents/agentReports';
import type { OfferedAgents } from '../agents/offeredAgents';
import { worktreeOf } from '../../worktree/made/worktreeOf';
import { canBringFrom, currentFolder, folderName } from '../base/folders';

/** The settings that pages follow. */
export interface DetailSetting {
  get(key: 'toolDetail'): ToolDetail;
  get(key: 'context.longPasteLines'): number;
  get(key: 'suggestedMessages'): boolean;
  readonly onDidChange: Event<void>;
}

/** What is checked out in folders. */
interface Branches {
  readonly onDidChange: Event<void>;
  of(folder: string): { readonly branch: string; readonly isWorktree: boolean } | undefined;
}

/** What the user allowed in whole sessions. */
interface AllowsEverything {
  readonly onDidChange: Event<void>;
  freedomOf(session: SessionKey): Freedom | undefined;
}

/** What agents are held to in new sessions. */
interface DefaultSandbox {
  readonly onDidChange: Event<void>;
  readonly state: DefaultSandboxState;
}

/** Everything that a chat page shows besides its transcript. Reads it from the sources each time and stores nothing. */
export class PageModel extends Disposable {
  private readonly pool: AgentPool;
  private readonly catalog: AgentCatalog;
  private readonly offered: Pick<
    OfferedAgents,
    'offers' | 'agentCount' | 'isBusy' | 'updateOf' | 'iconOf' | 'onDidChange'
  >;
  private readonly settings: DetailSetting;
  private readonly everything: AllowsEverything;
  private readonly branches: Branches;
  private readonly sandbox: DefaultSandbox;
  private readonly reports: Pick<AgentReports, 'of' | 'onDidChange'>;
  private readonly changed = this.register(new Emitter<void>());

  readonly onDidChange = this.changed.event;

  constructor(
    pool: AgentPool,
    catalog: AgentCatalog,
    offered: PageModel['offered'],
    settings: DetailSetting,
    everything: AllowsEverything,
    branches: Branches,
    sandbox: DefaultSandbox,
    reports: PageModel['reports'],
  ) {
    super();
    this.pool = pool;
    this.catalog = catalog;
    this.offered = offered;
    this.settings = settings;
    this.everything = everything;
    this.branches = branches;
    this.sandbox = sandbox;
    this.reports = reports;
    const fire = () => this.changed.fire();
    this.register(pool.onDidChangeSessions(fire));
    this.register(catalog.onDidChange(fire));
    this.register(offered.onDidChange(fire));
    this.register(settings.onDidChange(fire));
    this.register(everything.onDidChange(fire));
    this.register(branches.onDidChange(fire));
    this.register(sandbox.onDidChange(fire));
    this.register(reports.onDidChange(fire));
    this.register(vscode.workspace.onDidChangeWorkspaceFolders(fire));
    this.register(vscode.workspace.onDidGrantWorkspaceTrust(fire));
  }

  find(key: SessionKey | ''): Session | undefined {
    return key === '' ? undefined : this.pool.sessions.find((session) => session.key === key);
  }

  /** The newest session, or empty if there is none. */
  newest(): SessionKey | '' {
    return this.pool.sessions.at(-1)?.key ?? '';
  }

  state(active: SessionKey | '', host: 'view' | 'editor'): PageState {
    const { offers, agentCount } = this.offered;
    const presets = this.catalog.presetListings();
    return {
      trusted: vscode.workspace.isTrusted,
      folder: folderName(),
      ...(this.isInRepository() ? { isInRepository: true } : {}),
      agents: this.catalog.listings().map((agent) => this.withOffered(withAccount(agent, this.pool))),
      ...compact({ offers, agentCount }),
      ...(presets.length > 0 && { presets }),
      defaultAgent: this.catalog.default.id,
      sandbox: this.sandbox.state,
      sessions: this.pool.sessions.map((session) => this.listing(session)),
      active,
      host,
      toolDetail: this.settings.get('toolDetail'),
      longPasteLines: this.settings.get('context.longPasteLines'),
      ...(this.settings.get('suggestedMessages') ? {} : { hidesSuggestions: true }),
      locale: vscode.env.language,
    };
  }

  private listing(session: Session): SessionListing {
    const { title, agentName } = session.transcript.view;
    const listed = { session: session.key, title, agentName, state: listedState(session.transcript) };
    const can = this.pool.runningAgentOf(session)?.can;
    return {
      ...listed,
      ...compact({ freedom: this.everything.freedomOf(session.key) }),
      ...(can && !can.embeddedContext ? { takesLinks: true } : {}),
      folder: this.folderOf(session),
    };
  }

  private isInRepository(): boolean {
    const folder = currentFolder();
    return folder !== undefined && this.branches.of(folder) !== undefined;
  }

  private folderOf(session: Session): SessionFolder {
    const { cwd, place } = session.transcript.view;
    const url = place === 'elsewhere' ? this.pool.specOf(session)?.url : undefined;
    if (url !== undefined) return { name: basename(cwd), path: cwd, host: new URL(url).host };
    const { branch, isWorktree } = this.branches.of(cwd) ?? {};
    const isCopy = worktreeOf(cwd)?.isCopy;
    return {
      name: basename(cwd),
      path: cwd,
      isHere: cwd === currentFolder(),
      ...compact({ branch }),
      ...(isWorktree ? { isWorktree } : {}),
      ...(isCopy ? { isCopy } : {}),
      ...((isWorktree || isCopy) && canBringFrom(cwd) ? { canBring: true } : {}),
      ...((isWorktree || isCopy) && worktreeOf(cwd) ? { canReview: true } : {}),
    };
  }

  /** Adds what is known about an agent of the registry, and what the agent said of itself. */
  private withOffered(listed: AgentListing): AgentListing {
    const update = this.offered.updateOf(listed.agentId);
    const icon = this.offered.iconOf(listed.agentId);
    const isBusy = update !== undefined && this.offered.isBusy(listed.agentId) ? true : undefined;
    return { ...listed, ...this.reports.of(listed.agentId), ...compact({ update, icon, isBusy }) };
  }
}

function withAccount(listed: AgentListing, { running }: AgentPool): AgentListing {
  const account = running.findLast(({ agent, spec }) => spec.id === listed.agentId && agent.account.text !== '');
  return account ? { ...listed, account: account.agent.account.text } : listed;
}
