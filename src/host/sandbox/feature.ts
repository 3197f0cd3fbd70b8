import type { AgentPool } from '../../agent/pool/agentPool';
import { commandTable } from '../base/feature';
import type { ChatPages } from '../pages/chatPages';
import { inSession, type Handlers } from '../pages/handlers';
import type { Settings } from '../settings/settings';
import type { DefaultSandbox } from './defaultSandbox';
import { allowBlocked, type AllowNeeds } from './allowBlocked';
import { chooseDefaultSandbox, chooseSandbox, type ChooseNeeds } from './chooseSandbox';

export interface SandboxNeeds extends ChooseNeeds {
  readonly pool: AgentPool;
  readonly pages: Pick<ChatPages, 'activeSession'>;
  readonly settings: Pick<Settings, 'sandbox' | 'setSandbox'> & AllowNeeds['settings'] & ChooseNeeds['settings'];
  readonly defaults: Pick<DefaultSandbox, 'check'>;
}

/** What a session's agent is held to: shown, and changed. */
export function sandboxFeature(needs: SandboxNeeds) {
  const commands = commandTable({
    'parley.changeSandbox': async () => {
      const session = needs.pages.activeSession;
      if (session) await chooseSandbox(needs, session);
      else await chooseDefaultSandbox(needs, needs.settings);
    },
  });
  const messages: Handlers<'showSandbox' | 'chooseSandbox' | 'checkSandbox' | 'allowBlocked'> = {
    chooseSandbox: () => void chooseDefaultSandbox(needs, needs.settings),
    checkSandbox: () => void needs.defaults.check(),
    allowBlocked: inSession((session, { path }) => {
      if (typeof path === 'string') void allowBlocked(needs, session, path);
    }),
    showSandbox: inSession((session) => void chooseSandbox(needs, session)),
  };
  return { commands, messages };
}
