import * as l10n from '@vscode/l10n';
import type { AgentSpec } from '../../agent/spec/agentSpec';
import type { AgentId } from '../../shared/values/ids';
import type { Log } from '../log/log';
import { showWarning } from '../ui/notifications';

/** Tells the user, once per window, why an agent starts without the values typed for it. */
export function tellWithheld(log: Log): (spec: AgentSpec) => void {
  const warned = new Set<AgentId>();
  return ({ id, name }) => {
    log.warn(`${name} starts without the stored login: its definition is not the one that it was typed for.`);
    if (warned.has(id)) return;
    warned.add(id);
    void showWarning(
      l10n.t('{0} starts without your API key because its command or settings changed. Log in again.', name),
    );
  };
}
