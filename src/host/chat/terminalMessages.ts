import { Emitter } from '../../shared/values/event';
import type { Session } from '../../session/session';
import type { TerminalId } from '../../shared/values/ids';
import { inSession, type Handlers } from '../pages/handlers';
import type { HostTerminals } from '../terminals/terminalService';

/** Handlers for chat page messages about terminals. */
export function terminalMessages(
  terminals: HostTerminals,
): Handlers<'openTerminal' | 'stopTerminal' | 'resizeTerminal'> {
  return {
    openTerminal: inSession((session, { terminal }) => openTerminal(terminals, session, terminal)),
    stopTerminal: inSession((session, { terminal }) => stopTerminal(terminals, session, terminal)),
    resizeTerminal: inSession((session, { terminal, columns, rows }) =>
      terminals.resize(session.key, terminal, columns, rows),
    ),
  };
}

/**
 * Opens a terminal of the transcript as an editor terminal. Shows the running command if there is one. Otherwise, shows
 * the transcript's output, which keeps growing while an agent that runs its own commands reports more.
 */
function openTerminal(terminals: HostTerminals, session: Session, terminalId: TerminalId): void {
  if (terminals.show(session.key, terminalId)) return;
  const view = session.transcript.terminals.get(terminalId);
  if (!view) return;
  const output = new Emitter<string>();
  const exit = new Emitter<{ readonly exitCode?: number; readonly signal?: string }>();
  const listener = session.onDidApply((ops) => {
    for (const op of ops) {
      // An agent may replace all output of its own command. This clears the terminal.
      if (op.op === 'patchTerminal' && op.id === terminalId && op.fields.replaced !== undefined) output.fire('\u001bc');
      if (op.op === 'terminalOutput' && op.id === terminalId) output.fire(op.data);
    }
    const now = session.transcript.terminals.get(terminalId);
    if (now?.exit.state === 'exited') {
      exit.fire(now.exit);
      listener.dispose();
    }
  });
  if (view.exit.state === 'exited') listener.dispose();
  terminals.attach({
    session: session.key,
    terminalId,
    title: view.command || view.terminalId,
    output: view.output,
    onOutput: output.event,
    onExit: exit.event,
    ...(view.exit.state === 'exited' && { exit: view.exit }),
  });
}

/**
 * Stops a command that Parley runs. For a command that the agent runs, stops that if the agent can, or else the turn, or
 * what continues after it.
 */
function stopTerminal(terminals: HostTerminals, session: Session, terminalId: TerminalId): void {
  void terminals.stop(session.key, terminalId).then((ended) => {
    if (ended || session.work.stopTerminal(terminalId)) return;
    if (session.transcript.view.activity.state === 'idle') session.work.stopLate();
    else session.cancel();
  });
}
