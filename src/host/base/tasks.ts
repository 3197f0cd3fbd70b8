import * as vscode from 'vscode';

/** Returns the name that VS Code lists a task with. */
export function taskName({ source, name }: vscode.Task): string {
  return source === 'Workspace' ? name : `${source}: ${name}`;
}

/** Runs a task until it ends, or ends it when the call is cancelled. */
export async function finishedTask(task: vscode.Task, signal: AbortSignal): Promise<number | undefined> {
  const subscriptions: vscode.Disposable[] = [];
  try {
    return await new Promise<number | undefined>((resolve, reject) => {
      let execution: vscode.TaskExecution | undefined;
      const stop = () => {
        execution?.terminate();
        resolve(undefined);
      };
      subscriptions.push(
        vscode.tasks.onDidEndTaskProcess((event) => {
          if (event.execution === execution) resolve(event.exitCode);
        }),
        vscode.tasks.onDidEndTask((event) => {
          // Tasks with a process report its exit code, too, but in no certain order.
          if (event.execution === execution) setImmediate(resolve, undefined);
        }),
        new vscode.Disposable(() => signal.removeEventListener('abort', stop)),
      );
      signal.addEventListener('abort', stop, { once: true });
      vscode.tasks.executeTask(task).then((started) => {
        execution = started;
        if (signal.aborted) stop();
      }, reject);
    });
  } finally {
    for (const subscription of subscriptions) subscription.dispose();
  }
}
