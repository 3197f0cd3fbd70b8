import * as vscode from 'vscode';
import type { AgentLaunch } from '../../agent/process/agentProcess';
import { DisposableStore, toDisposable } from '../../shared/values/disposable';
import { openTerminalTab } from '../ui/labels';

/**
 * Runs a program in an editor terminal. The terminal takes the focus, because the user has just asked for it. Resolves
 * to the exit code, or to undefined if the terminal was closed or `signal` aborted.
 */
export function runInTerminal(title: string, launch: AgentLaunch, signal: AbortSignal): Promise<number | undefined> {
  const terminal = openTerminalTab({
    name: title,
    iconPath: new vscode.ThemeIcon('key'),
    shellPath: launch.command,
    // On Windows, the arguments are already quoted and joined into a command line.
    shellArgs: launch.windowsVerbatimArguments ? launch.args.join(' ') : [...launch.args],
    cwd: launch.cwd,
    env: { ...launch.env },
    strictEnv: true,
    isTransient: true,
  });
  return new Promise((resolve) => {
    const store = new DisposableStore();
    const finish = (exitCode: number | undefined) => {
      store.dispose();
      resolve(exitCode);
    };
    store.add(
      vscode.window.onDidCloseTerminal((closed) => {
        if (closed === terminal) finish(closed.exitStatus?.code);
      }),
    );
    const onAbort = () => {
      finish(undefined);
      terminal.dispose();
    };
    signal.addEventListener('abort', onAbort, { once: true });
    store.add(toDisposable(() => signal.removeEventListener('abort', onAbort)));
    terminal.show();
    if (signal.aborted) onAbort();
  });
}
