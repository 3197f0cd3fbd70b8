import { randomUUID } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import type { ProcessExit, ServedTerminal, TerminalService } from '../../session/services';
import { compact } from '../../shared/values/decodeValue';
import type { TerminalId } from '../../shared/values/ids';
import { messageOf } from '../../shared/values/messageOf';
import { finishedTask } from '../base/tasks';
import { setupOfTask } from '../base/setupTask';

/** Runs a task in the place of a command, so that a session shows it while it runs, and the user can stop it there. */
export function taskTerminals(task: vscode.Task): Pick<TerminalService, 'create'> {
  return {
    create: ({ cwd }, { command }, events) => {
      const over = new AbortController();
      const terminalId = `parley-task-${randomUUID()}` as TerminalId;
      const text = `${l10n.t('The output is in the task’s terminal.')}\n`;
      let end: ProcessExit | undefined;
      const ended = finishedTask(task, over.signal).then((exitCode) => {
        end = compact({ exitCode });
        events.onExit(end);
        return end;
      });
      events.onOutput(text);
      const served: ServedTerminal = {
        terminalId,
        driver: 'pipe',
        command,
        cwd,
        // VS Code reports no exit code for a task that somebody has ended.
        get wasKilled() {
          return end !== undefined && end.exitCode === undefined;
        },
        output: () => ({ output: text, truncated: false, ...(end ? { exit: end } : {}) }),
        waitForExit: () => ended,
        kill: async () => {
          over.abort();
          await ended;
        },
        release: () => Promise.resolve(),
      };
      return Promise.resolve(served);
    },
  };
}

/** Runs the command lines of a task in terminals instead of the editor. Rejects with a sentence if only the editor can run it. */
export function linesOfTask(terminals: Pick<TerminalService, 'create'>): Pick<TerminalService, 'create'> {
  return {
    create: async (context, { command: name }, events) => {
      const lines = await setupOfTask(name, context.cwd, context.cwd).catch((error: unknown) => {
        throw new Error(l10n.t('The session’s sandbox can’t run it. {0}', messageOf(error)), { cause: error });
      });
      return terminals.create(context, lines, events);
    },
  };
}
