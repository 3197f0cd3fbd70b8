import type { CommandParams, EditorTerminals } from '../../acp/dialect/dialect';
import { errorCodes, requestCancelled, ResponseError, toAcpError } from '../../acp/base/errors';
import type { ProcessExit, ServedTerminal, TerminalService } from '../../session/services';
import type { Session } from '../../session/session';
import type { IDisposable } from '../../shared/values/disposable';
import type { TerminalId } from '../../shared/values/ids';

/** The default folder of commands. Defaults to the session's own. */
export interface TerminalPlace {
  cwd: string | undefined;
}

/**
 * The terminals of one session for its agent (https://agentclientprotocol.com/protocol/terminals); all end with the
 * session.
 */
export class SessionTerminals implements EditorTerminals, IDisposable {
  private readonly session: Session;
  private readonly service: TerminalService;
  private readonly place: TerminalPlace | undefined;
  private readonly served = new Map<TerminalId, ServedTerminal>();
  private disposed = false;

  constructor(session: Session, service: TerminalService, place?: TerminalPlace) {
    this.session = session;
    this.service = service;
    this.place = place;
  }

  async create(params: CommandParams, signal: AbortSignal): Promise<TerminalId> {
    const { cwd = this.place?.cwd, ...rest } = params;
    const command = cwd === undefined ? rest : { ...rest, cwd };
    const { session } = this;
    // Events before the terminal has its id are kept until it is in the transcript.
    let early: (() => void)[] | undefined = [];
    let id: TerminalId | undefined = undefined;
    const report = (event: (terminal: TerminalId) => void) => {
      if (early) early.push(() => id !== undefined && event(id));
      else if (id !== undefined) event(id);
    };
    const terminal = await this.service.create(session.context, command, {
      onOutput: (data) => report((terminalId) => session.terminals.output(terminalId, data)),
      onExit: (exit) => report((terminalId) => session.terminals.exited(terminalId, exit)),
    });
    if (this.disposed || signal.aborted) {
      await terminal.release();
      throw requestCancelled();
    }
    id = terminal.terminalId;
    this.served.set(id, terminal);
    session.terminals.created(terminal);
    const waiting = early;
    early = undefined;
    for (const event of waiting) event();
    return id;
  }

  output(terminalId: TerminalId): ReturnType<EditorTerminals['output']> {
    return this.find(terminalId).output();
  }

  async waitForExit(terminalId: TerminalId, signal: AbortSignal): Promise<ProcessExit> {
    const terminal = this.find(terminalId);
    try {
      return await terminal.waitForExit(signal);
    } catch (error) {
      throw signal.aborted ? requestCancelled() : toAcpError(error);
    }
  }

  async kill(terminalId: TerminalId): Promise<void> {
    await this.find(terminalId).kill();
  }

  async release(terminalId: TerminalId): Promise<void> {
    const terminal = this.find(terminalId);
    // The id is unused from here on; the terminal's output stays in the transcript.
    this.served.delete(terminalId);
    await terminal.release();
  }

  dispose(): void {
    this.disposed = true;
    const terminals = [...this.served.values()];
    this.served.clear();
    for (const terminal of terminals) {
      terminal.release().catch(() => {
        // No caller waits for the result any more; the service ends the rest when it is disposed.
      });
    }
  }

  private find(terminalId: TerminalId): ServedTerminal {
    const terminal = this.served.get(terminalId);
    if (terminal) return terminal;
    throw new ResponseError(errorCodes.resourceNotFound, `Terminal not found: ${terminalId}`, { terminalId });
  }
}
