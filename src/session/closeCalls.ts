import type { TranscriptOp } from '../shared/ops';
import type { ToolCallEntry, ToolCallStatus, Transcript } from '../shared/transcript';

/** A call that ran when its turn ended well has, as far as anyone knows, done its work; one that never began has not. */
export function assumedEnd({ status, permission }: ToolCallEntry): ToolCallStatus {
  const rejected = permission.state === 'answered' && permission.option.kind.startsWith('reject');
  return status === 'in_progress' && !rejected && permission.state !== 'cancelled' ? 'completed' : 'cancelled';
}

/** Ends a call, and the commands in it that only its agent sees. */
export function planCallEnd(
  transcript: Transcript,
  call: ToolCallEntry,
  status: ToolCallStatus,
  now: number,
): TranscriptOp[] {
  const ops: TranscriptOp[] = [{ op: 'patch', id: call.id, kind: 'tool_call', fields: { status, endedAt: now } }];
  for (const item of call.content) {
    const terminal = item.type === 'terminal' ? transcript.terminals.get(item.terminalId) : undefined;
    // Our own terminals run on until they are released; they know best.
    if (terminal?.driver !== 'agent' || terminal.exit.state !== 'running') continue;
    ops.push({ op: 'patchTerminal', id: terminal.terminalId, fields: { exit: { state: 'exited', endedAt: now } } });
  }
  return ops;
}
