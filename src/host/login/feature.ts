import { commandTable } from '../base/feature';
import { login, logout, type LogoutServices } from './loginCommands';

/** Logging in to agents, and out of them. */
export function loginFeature(needs: LogoutServices) {
  const commands = commandTable({
    'parley.login': () => login(needs),
    'parley.logout': () => logout(needs),
  });
  return { commands };
}
