import { scrubEnvironment } from '../process/scrubEnvironment';
import { withoutEditor } from '../process/withoutEditor';

export type Environment = Readonly<Record<string, string>>;

/** Variables of the terminal that started the editor, which would be wrong for ours. */
const outerTerminalVariables = ['COLUMNS', 'LINES', 'TERMCAP', 'TMUX', 'TMUX_PANE', 'STY', 'WINDOW', 'WINDOWID'];

/**
 * Returns the environment of an agent's command: `base` without variables of the editor or an outer agent, then settings that keep pagers
 * and editors from waiting for the user, then the agent's variables, which override all others.
 */
export function terminalEnvironment(
  base: Readonly<Record<string, string | undefined>>,
  agent: Environment,
  options: { readonly cwd: string; readonly driver: 'pty' | 'pipe'; readonly platform: NodeJS.Platform },
): Record<string, string> {
  const env = scrubEnvironment(base);
  for (const name of outerTerminalVariables) Reflect.deleteProperty(env, name);
  const ours: Record<string, string> = {
    ...withoutEditor(options.platform),
    PAGER: 'cat',
    GIT_PAGER: 'cat',
    PWD: options.cwd,
  };
  // Otherwise, `cmd.exe` would prefer a file in the workspace to a program such as git.
  if (options.platform === 'win32') ours['NoDefaultCurrentDirectoryInExePath'] = '1';
  if (options.driver === 'pty') ours['TERM'] = 'xterm-256color';
  // Bash treats a first shell with a socket as input, such as Node's pipes, as a remote login and reads ~/.bashrc.
  else if (!(Number(env['SHLVL']) >= 1)) ours['SHLVL'] = '1';
  for (const [name, value] of Object.entries({ ...ours, ...agent })) {
    // Names are case-insensitive on Windows. Passing both `Path` and `PATH` might apply the wrong one.
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
