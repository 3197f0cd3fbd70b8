import type { AgentPool } from '../../agent/pool/agentPool';
import { DisposableStore } from '../../shared/disposable';
import { commandTable } from '../base/feature';
import type { ChatPage } from '../pages/chatPage';
import type { ChatPages } from '../pages/chatPages';
import { inSession, type Handlers } from '../pages/handlers';
import { Follow } from './follow';
import { FollowedEditor } from './followedEditor';

export interface FollowFeatureNeeds {
  readonly pool: AgentPool;
  readonly pages: ChatPages;
  readonly report: (error: unknown) => void;
}

/** Opens the files that an agent works at, while the user wants that. */
export function followFeature({ pool, pages, report }: FollowFeatureNeeds) {
  const parts = new DisposableStore();
  const editor = parts.add(new FollowedEditor());
  const follow = parts.add(new Follow<ChatPage>({ pool, pages, editor, report }));
  const step = (by: 1 | -1) => {
    const { activeSession } = pages;
    if (activeSession) follow.step(activeSession.key, by);
  };
  const messages: Handlers<'follow'> = {
    follow: inSession((session, { action }) => {
      if (action === 'on') follow.turnOn(session);
      else if (!follow.isOn(session.key)) return;
      else if (action === 'off') follow.turnOff();
      else follow.step(session.key, action === 'forward' ? 1 : -1);
    }),
  };
  const commands = commandTable({
    'parley.follow': () => {
      const { activeSession } = pages;
      if (!activeSession) return;
      if (follow.isOn(activeSession.key)) follow.turnOff();
      else follow.turnOn(activeSession);
    },
    'parley.followBack': () => step(-1),
    'parley.followForward': () => step(1),
  });
  return { messages, commands, dispose: () => parts.dispose() };
}
