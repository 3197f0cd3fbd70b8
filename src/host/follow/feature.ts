import type { AgentPool } from '../../agent/pool/agentPool';
import { DisposableStore } from '../../shared/values/disposable';
import { once } from '../../shared/values/once';
import { commandTable } from '../base/feature';
import type { ChatPage } from '../pages/chatPage';
import type { ChatPages } from '../pages/chatPages';
import { inSession, type Handlers } from '../pages/handlers';
import type { Follow } from './follow';

export interface FollowFeatureNeeds {
  readonly pool: AgentPool;
  readonly pages: ChatPages;
  readonly report: (error: unknown) => void;
}

/** Opens the files that an agent works at, while the user wants that. */
export function followFeature({ pool, pages, report }: FollowFeatureNeeds) {
  const parts = new DisposableStore();
  // Loaded when the user follows for the first time.
  const late = once(async () => {
    const [{ Follow }, { FollowedEditor }] = await Promise.all([import('./follow'), import('./followedEditor')]);
    const editor = parts.add(new FollowedEditor());
    return parts.add(new Follow<ChatPage>({ pool, pages, editor, report }));
  });
  let isWanted = false;
  /** Everything waits for the same promise, so it is done in order. Nothing can be followed before it was turned on. */
  const then = (act: (follow: Follow<ChatPage>) => void, turnsOn = false): void => {
    isWanted ||= turnsOn;
    if (isWanted) void late().then(act).catch(report);
  };
  const step = (by: 1 | -1) => {
    const { activeSession } = pages;
    if (activeSession) then((follow) => follow.step(activeSession.key, by));
  };
  const messages: Handlers<'follow'> = {
    follow: inSession((session, { action }) => {
      const act = (follow: Follow<ChatPage>) => {
        if (action === 'on' && !session.isClosed) follow.turnOn(session);
        else if (!follow.isOn(session.key)) return;
        else if (action === 'off') follow.turnOff();
        else follow.step(session.key, action === 'forward' ? 1 : -1);
      };
      then(act, action === 'on');
    }),
  };
  const commands = commandTable({
    'parley.follow': () => {
      const { activeSession } = pages;
      if (!activeSession) return;
      then((follow) => (follow.isOn(activeSession.key) ? follow.turnOff() : follow.turnOn(activeSession)), true);
    },
    'parley.followBack': () => step(-1),
    'parley.followForward': () => step(1),
  });
  return { messages, commands, dispose: () => parts.dispose() };
}
