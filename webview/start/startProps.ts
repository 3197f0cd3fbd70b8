import type { FromWebview, PageState } from '../../src/shared/pages/messages';
import type { AgentId, SessionKey } from '../../src/shared/values/ids';
import type { RecentRows } from '../../src/shared/pages/recentRows';
import type { ErrorAction } from '../../src/shared/transcript/transcript';

/** What the start page shows, and what its buttons do. */
export interface StartPageProps {
  readonly page: PageState;
  /** Whether a message is typed that the agent gets once it's ready. */
  readonly hasMessage: boolean;
  readonly recent: RecentRows;
  readonly unread: ReadonlySet<SessionKey>;
  readonly now: number;
  start(agent: AgentId): void;
  startPreset(name: string): void;
  /** Adds an offered agent and starts it, or updates an added one. */
  add(id: string): void;
  /** Opens the list of all sessions. */
  showSessions(): void;
  post(message: FromWebview): void;
  /** Does what the buttons of cards do, too. */
  act(action: ErrorAction): void;
}
