import type { AcpConnection } from '../wire/connection';
import type { CommandExit, EditorSessions, OfferedCapabilities } from '../dialect/dialect';
import { clientMethods } from '../wire/methods';
import type { WaitForTerminalExitResponse } from '../schema';
import { decodeCreateTerminal, decodeReadTextFile, decodeTerminalId, decodeWriteTextFile } from './decodeEditor';

/** Registers `fs/*` and `terminal/*`. Requests that the user has turned off are answered with "method not found". */
export function serveEditor(
  connection: Pick<AcpConnection, 'onRequest'>,
  sessions: EditorSessions,
  { fs, terminal }: OfferedCapabilities,
): void {
  if (fs) serveFiles(connection, sessions);
  if (terminal) serveTerminals(connection, sessions);
}

function serveFiles(connection: Pick<AcpConnection, 'onRequest'>, sessions: EditorSessions): void {
  connection.onRequest(clientMethods.readTextFile, (params, signal) =>
    sessions.serve(params, async (session) => ({
      content: await session.readTextFile(decodeReadTextFile(params), signal),
    })),
  );
  connection.onRequest(clientMethods.writeTextFile, (params, signal) =>
    sessions.serve(params, async (session) => {
      await session.writeTextFile(decodeWriteTextFile(params), signal);
      return {};
    }),
  );
}

function serveTerminals(connection: Pick<AcpConnection, 'onRequest'>, sessions: EditorSessions): void {
  connection.onRequest(clientMethods.createTerminal, (params, signal) =>
    sessions.serve(params, async ({ terminals }) => ({
      terminalId: await terminals.create(decodeCreateTerminal(params), signal),
    })),
  );
  connection.onRequest(clientMethods.terminalOutput, (params) => {
    const { output, truncated, exit } = sessions.find(params).terminals.output(decodeTerminalId(params));
    return exit ? { output, truncated, exitStatus: exitStatus(exit) } : { output, truncated };
  });
  connection.onRequest(clientMethods.waitForTerminalExit, async (params, signal) =>
    exitStatus(await sessions.find(params).terminals.waitForExit(decodeTerminalId(params), signal)),
  );
  connection.onRequest(clientMethods.killTerminal, async (params) => {
    await sessions.find(params).terminals.kill(decodeTerminalId(params));
    return {};
  });
  connection.onRequest(clientMethods.releaseTerminal, async (params) => {
    await sessions.find(params).terminals.release(decodeTerminalId(params));
    return {};
  });
}

function exitStatus({ exitCode, signal }: CommandExit): WaitForTerminalExitResponse {
  return { exitCode: exitCode ?? null, signal: signal ?? null };
}
