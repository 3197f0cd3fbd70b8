import type { AgentPool } from '../../agent/pool/agentPool';
import type { Session } from '../../session/session';
import { commandTable } from '../base/feature';
import type { Log } from '../log/log';
import type { ChatPages } from '../pages/chatPages';
import { inSession, type Handlers } from '../pages/handlers';
import type { Settings } from '../settings/settings';
import { reported } from '../ui/reported';
import type { DefaultSandbox } from './defaultSandbox';
import type { AllowNeeds } from './allowBlocked';
import type { ChooseNeeds } from './chooseSandbox';

export interface SandboxNeeds extends ChooseNeeds {
  readonly pool: AgentPool;
  readonly pages: Pick<ChatPages, 'activeSession'>;
  readonly settings: Pick<Settings, 'sandbox' | 'setSandbox'> & AllowNeeds['settings'] & ChooseNeeds['settings'];
  readonly defaults: Pick<DefaultSandbox, 'check'>;
  readonly log: Log;
}

/** What a session's agent is held to: shown, and changed. */
export function sandboxFeature(needs: SandboxNeeds) {
  const { log } = needs;
  const choose = async (session: Session) => (await import('./chooseSandbox')).chooseSandbox(needs, session);
  const chooseDefault = async () => (await import('./chooseSandbox')).chooseDefaultSandbox(needs, needs.settings);
  const allow = async (session: Session, path: string) =>
    (await import('./allowBlocked')).allowBlocked(needs, session, path);
  const commands = commandTable({
    'parley.changeSandbox': async () => {
      const session = needs.pages.activeSession;
      await (session ? choose(session) : chooseDefault());
    },
  });
  const messages: Handlers<'showSandbox' | 'chooseSandbox' | 'checkSandbox' | 'allowBlocked'> = {
    chooseSandbox: () => reported(log, chooseDefault()),
    checkSandbox: () => void needs.defaults.check(),
    allowBlocked: inSession((session, { path }) => {
      if (typeof path === 'string') reported(log, allow(session, path));
    }),
    showSandbox: inSession((session) => reported(log, choose(session))),
  };
  return { commands, messages };
}
