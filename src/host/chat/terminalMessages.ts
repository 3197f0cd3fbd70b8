import { Emitter } from '../../shared/event';
import type { Session } from '../../session/session';
import type { TerminalId } from '../../shared/ids';
import { inSession, type Handlers } from '../pages/handlers';
import type { HostTerminals } from '../terminals/terminalService';

/** What chat pages want of terminals. */
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
 * Shows a terminal of the transcript as a terminal of the editor: the running command where there is one, else what the
 * transcript knows of it, which goes on growing while an agent that runs commands itself reports more.
 */
function openTerminal(terminals: HostTerminals, session: Session, terminalId: TerminalId): void {
  if (terminals.show(session.key, terminalId)) return;
  const view = session.transcript.terminals.get(terminalId);
  if (!view) return;
  const output = new Emitter<string>();
  const exit = new Emitter<{ readonly exitCode?: number; readonly signal?: string }>();
  const listener = session.onDidApply((ops) => {
    for (const op of ops) {
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

/** Ends a command of ours; for one that only the agent sees, the turn is what can be stopped. */
function stopTerminal(terminals: HostTerminals, session: Session, terminalId: TerminalId): void {
  void terminals.stop(session.key, terminalId).then((ended) => {
    if (!ended) session.cancel();
  });
}
