import type { Memento } from 'vscode';
import type { AgentPool } from '../../agent/pool/agentPool';
import type { Logins } from '../../agent/login/logins';
import type { Session } from '../../session/session';
import type { AgentCatalog } from '../agents/agentCatalog';
import type { ChatPages } from '../pages/chatPages';
import type { LoginSecrets } from '../login/loginSecrets';
import type { McpServers } from '../mcp/mcpServers';
import type { LazyProviders } from '../providers/lazyProviders';
import type { LazyRegistry } from '../registry/lazyRegistry';
import type { EverythingMode } from '../rulesPage/everythingMode';
import type { RulesPages } from '../rulesPage/rulesPages';
import type { ScratchFolder } from '../sessions/scratchFolder';
import type { RememberedChoices } from '../sessions/rememberedChoices';
import type { SettingsReview } from '../settings/reviewSettings';
import type { Settings } from '../settings/settings';
import type { SetupCheck } from '../setup/setupCheck';
import type { SupportBundle } from '../setup/supportBundle';
import type { SessionStore } from '../sessions/sessionStore';
import type { ProtocolLog } from '../log/protocolLog';

/** A command of package.json: its id and its action. */
export interface Command {
  readonly id: string;
  execute(...args: readonly unknown[]): Promise<void> | void;
}

/** The services that commands use. */
export interface CommandServices {
  readonly pool: AgentPool;
  readonly catalog: AgentCatalog;
  readonly pages: ChatPages;
  readonly protocolLog: ProtocolLog;
  readonly sessions: SessionStore;
  readonly logins: Logins;
  readonly loginSecrets: LoginSecrets;
  readonly mcp: McpServers;
  /** Where the folders for new sessions are stored. */
  readonly folderMemory: Memento;
  readonly providers: LazyProviders;
  readonly registry: LazyRegistry;
  readonly settings: Settings;
  readonly settingsReview: SettingsReview;
  readonly scratch: ScratchFolder;
  readonly setup: SetupCheck;
  readonly supportBundle: SupportBundle;
  readonly choices: RememberedChoices;
  readonly rulesPages: RulesPages;
  readonly everything: EverythingMode;
  /** Whether files can be restored to before a turn of a session. */
  readonly canRestore: (session: Session, turn: number) => boolean;
}
