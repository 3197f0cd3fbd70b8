import type { TerminalId, ToolCallId } from '../../shared/values/ids';
import { messageOf } from '../../shared/values/messageOf';
import type { ToolCallEntry } from '../../shared/transcript/transcript';
import type { ProcessExit, ServedTerminal, TerminalEvents } from '../services';
import { toolCallEntryId } from '../update/entryIds';
import type { ShownTerminals } from './shownTerminals';
import type { TranscriptStore } from './transcriptStore';

/** Starts a command, whose output and exit are reported to `events`. */
export type StartCommand = (events: TerminalEvents) => Promise<ServedTerminal>;

/**
 * Runs a command of Parley's own and shows it in a tool call with its output. Resolves to how it exited, or to the reason why it couldn't
 * start.
 */
export async function runOwnCommand(
  store: TranscriptStore,
  terminals: ShownTerminals,
  turn: number,
  title: string,
  start: StartCommand,
): Promise<ProcessExit | { readonly problem: string }> {
  // Unlike a counter, the revision never repeats in a later window, where the entry would replace an old one.
  const toolCallId = `parley:${store.transcript.rev}` as ToolCallId;
  const id = toolCallEntryId(toolCallId);
  const patch = (fields: Partial<Omit<ToolCallEntry, 'id' | 'kind'>>) =>
    store.apply([{ op: 'patch', id, kind: 'tool_call', fields }]);
  store.append({
    kind: 'tool_call',
    id,
    turn,
    toolCallId,
    title,
    toolKind: 'execute',
    content: [],
    locations: [],
    status: 'in_progress',
    permission: { state: 'none' },
    startedAt: store.now(),
  });
  const end = (isOk: boolean) => patch({ status: isOk ? 'completed' : 'failed', endedAt: store.now() });
  // Events before the terminal has its id wait until it is in the transcript.
  const early: (() => void)[] = [];
  let terminalId: TerminalId | undefined;
  const report = (event: (terminal: TerminalId) => void) => {
    if (terminalId === undefined) early.push(() => terminalId !== undefined && event(terminalId));
    else event(terminalId);
  };
  try {
    const served = await start({
      onOutput: (data) => report((terminal) => terminals.output(terminal, data)),
      onExit: (exit) => report((terminal) => terminals.exited(terminal, exit)),
    });
    terminals.created(served);
    patch({ content: [{ type: 'terminal', terminalId: served.terminalId }] });
    terminalId = served.terminalId;
    for (const event of early) event();
    const exit = await served.waitForExit(new AbortController().signal);
    end(exit.exitCode === 0);
    await served.release();
    return exit;
  } catch (error) {
    end(false);
    return { problem: messageOf(error) };
  }
}
