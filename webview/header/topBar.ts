import { html, nothing, type TemplateResult } from 'lit-html';
import type { SessionKey } from '../../src/shared/values/ids';
import type { FromWebview, PageState } from '../../src/shared/pages/messages';
import type { SessionView } from '../../src/shared/transcript/transcript';
import type { FollowProps } from './followSwitch';
import { header } from './header';
import type { SessionsList, TabsProps } from './sessionsList';
import { tabs } from './tabs';
import type { UsagePopover } from './usagePopover';

/** The data of the area above the transcript: the host's page state and, if a session is shown, its view. */
export interface TopBarProps {
  readonly page: PageState;
  readonly view: SessionView | undefined;
  readonly unread: ReadonlySet<SessionKey>;
  readonly list: SessionsList;
  readonly follow: Omit<FollowProps, 'act' | 'agentName'>;
  readonly usage: UsagePopover;
  toggleSessions(): void;
  post(message: FromWebview): void;
}

/** Renders tabs, if there are several sessions, above the header of the shown one. Empty on a start page without sessions. */
export function topBar(props: TopBarProps): TemplateResult | typeof nothing {
  const { page, view } = props;
  const hasTabs = page.sessions.length >= 2 || (page.active === '' && page.sessions.length > 0);
  if (!hasTabs && !view) return nothing;
  const sessions: TabsProps = {
    sessions: page.sessions,
    active: page.active,
    unread: props.unread,
    select: (session) => props.post({ type: 'selectSession', session }),
    close: (session) => props.post({ type: 'closeSession', session }),
  };
  const line = view
    ? header({
        view,
        hasTabs,
        account: page.agents.find(({ agentId }) => agentId === view.agentId)?.account ?? '',
        host: page.host,
        locale: page.locale,
        usage: props.usage,
        toolDetail: page.toolDetail,
        follow: {
          ...props.follow,
          act: (action) => {
            if (page.active !== '') props.post({ type: 'follow', session: page.active, action });
          },
        },
        setToolDetail: (detail) => props.post({ type: 'setToolDetail', detail }),
        rename: (title) => {
          if (page.active !== '') props.post({ type: 'renameSession', session: page.active, title });
        },
        toggleSessions: () => props.toggleSessions(),
        newSession: () => props.post({ type: 'newSession' }),
        showTurns: () => props.post({ type: 'showTurns' }),
      })
    : nothing;
  return html`${hasTabs ? tabs(sessions, props.list) : nothing}${line}${hasTabs ? props.list.render(sessions) : nothing}`;
}
