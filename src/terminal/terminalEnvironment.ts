import { scrubEnvironment } from '../process/scrubEnvironment';

export type Environment = Readonly<Record<string, string>>;

/** Belong to the terminal the editor was started from, and would lie about ours. */
const outerTerminalVariables = ['COLUMNS', 'LINES', 'TERMCAP', 'TMUX', 'TMUX_PANE', 'STY', 'WINDOW', 'WINDOWID'];

/**
 * The environment of an agent's command: `base` without what belongs to the editor or to an outer agent, then settings that keep commands
 * from waiting for a key in a pager, then what the agent asked for, which overrides everything.
 */
export function terminalEnvironment(
  base: Readonly<Record<string, string | undefined>>,
  agent: Environment,
  options: { readonly cwd: string; readonly driver: 'pty' | 'pipe'; readonly platform: NodeJS.Platform },
): Record<string, string> {
  const env = scrubEnvironment(base);
  for (const name of outerTerminalVariables) Reflect.deleteProperty(env, name);
  const ours: Record<string, string> = { PAGER: 'cat', GIT_PAGER: 'cat', PWD: options.cwd };
  if (options.driver === 'pty') ours['TERM'] = 'xterm-256color';
  // Bash takes a first shell whose input is a socket, as Node's pipes are, for a remote login and reads ~/.bashrc.
  else if (!(Number(env['SHLVL']) >= 1)) ours['SHLVL'] = '1';
  for (const [name, value] of Object.entries({ ...ours, ...agent })) {
    // Windows knows no case in names: `Path` and `PATH` would both be handed over, and the wrong one might win.
    if (options.platform === 'win32') removeIgnoringCase(env, name);
    env[name] = value;
  }
  return env;
}

function removeIgnoringCase(env: Record<string, string>, name: string): void {
  for (const key of Object.keys(env)) {
    if (key.toUpperCase() === name.toUpperCase()) Reflect.deleteProperty(env, key);
  }
}
