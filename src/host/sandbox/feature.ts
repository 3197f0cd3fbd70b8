import type { AgentPool } from '../../agent/pool/agentPool';
import { commandTable } from '../base/feature';
import type { ChatPages } from '../pages/chatPages';
import { inSession, type Handlers } from '../pages/handlers';
import { chooseSandbox, type ChooseNeeds } from './chooseSandbox';

export interface SandboxNeeds extends ChooseNeeds {
  readonly pool: AgentPool;
  readonly pages: Pick<ChatPages, 'activeSession'>;
}

/** What a session's agent is held to: shown, and changed. */
export function sandboxFeature(needs: SandboxNeeds) {
  const commands = commandTable({
    'parley.changeSandbox': async () => {
      const session = needs.pages.activeSession;
      if (session) await chooseSandbox(needs, session);
    },
  });
  const messages: Handlers<'showSandbox'> = {
    showSandbox: inSession((session) => void chooseSandbox(needs, session)),
  };
  return { commands, messages };
}
