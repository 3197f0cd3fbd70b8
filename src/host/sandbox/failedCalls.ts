import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import type { AgentPool } from '../../agent/pool/agentPool';
import { refusalsInOutput } from '../../sandbox/inside/refusalsInOutput';
import { terminalText } from '../../session/document/terminalText';
import type { Session } from '../../session/session';
import { Disposable } from '../../shared/values/disposable';
import type { EntryId } from '../../shared/values/ids';
import type { TranscriptOp } from '../../shared/transcript/ops';
import type { ToolCallEntry, Transcript } from '../../shared/transcript/transcript';
import { eachSession, type SessionPool } from '../base/eachSession';
import { agentWords } from './agentWords';
import { leftOutOfCommit, tellLeftOut } from './secretsInCommits';

/** The parts of a session that show what was blocked. */
export type WatchedSession = Pick<Session, 'transcript' | 'onDidApply' | 'showBlocked' | 'addNotice' | 'tellAgent'>;

/** What finds the sandbox of a session. */
export interface FailedCallsNeeds {
  readonly pool: SessionPool<Session> & Pick<AgentPool, 'sandboxOf'>;
}

/**
 * Looks at calls that end in sandboxes, and tells the user and the agent what of a failure the sandbox has probably caused, and what of the
 * user's a commit doesn't have.
 */
export class FailedCalls extends Disposable {
  constructor({ pool }: FailedCallsNeeds) {
    super();
    this.register(
      eachSession(pool, (session) => {
        const seen = new Set<EntryId>();
        const leftOut = new Set<string>();
        return session.onDidApply((ops) => {
          for (const call of endedCalls(session.transcript, ops)) {
            const policy = pool.sandboxOf(session)?.policy;
            if (!policy || seen.has(call.id)) continue;
            seen.add(call.id);
            lookAt(session, call, policy);
            const paths = leftOutOfCommit(session, call, policy).filter((path) => !leftOut.has(path));
            for (const path of paths) leftOut.add(path);
            tellLeftOut(session, paths);
          }
        });
      }),
    );
  }
}

/** Shows and tells what a sandbox has probably kept from a call, if the call has failed. */
export function lookAt(
  session: Pick<WatchedSession, 'transcript' | 'showBlocked' | 'tellAgent'>,
  call: ToolCallEntry,
  policy: Parameters<typeof refusalsInOutput>[0],
): void {
  const { transcript } = session;
  const output = outputOf(transcript, call);
  if (!hasFailed(transcript, call, output)) return;
  const locations = call.locations.map(({ path }) => path);
  const command = { output, locations, cwd: transcript.view.cwd, home: homedir() };
  for (const place of refusalsInOutput(policy, command)) {
    // The agent must not learn what is there.
    session.tellAgent(agentWords(place));
    if (place.kind !== 'read' || existsSync(place.path)) {
      const shown = session.transcript.entries.get(call.id);
      session.showBlocked(place, shown?.kind === 'tool_call' ? shown : call);
    }
  }
}

function endedCalls(transcript: Transcript, ops: readonly TranscriptOp[]): readonly ToolCallEntry[] {
  // What is replayed or was restored has been told.
  if (transcript.view.activity.state === 'idle') return [];
  const ids = ops.flatMap((op) => {
    if (op.op === 'insert' || op.op === 'replace') return op.entry.kind === 'tool_call' ? [op.entry.id] : [];
    return op.op === 'patch' && op.kind === 'tool_call' ? [op.id] : [];
  });
  return ids.flatMap((id) => {
    const entry = transcript.entries.get(id);
    return entry?.kind === 'tool_call' && !entry.asks && entry.endedAt !== undefined ? [entry] : [];
  });
}

/** Agents say in several ways that a command has failed, and some only in its output. */
function hasFailed(transcript: Transcript, call: ToolCallEntry, output: string): boolean {
  if (call.status === 'failed') return true;
  if (call.status !== 'completed') return false;
  const exits = call.content.map((item) =>
    item.type === 'terminal' ? transcript.terminals.get(item.terminalId)?.exit : undefined,
  );
  if (exits.some((exit) => exit?.state === 'exited' && (exit.exitCode ?? 0) !== 0)) return true;
  return /\bexit(?:ed)?[ _-]?(?:code|status|with code|with status)?["':= ]{1,4}[1-9]/i.test(output);
}

/** Returns what a call has printed, in each form in which agents send it. */
function outputOf(transcript: Transcript, call: ToolCallEntry): string {
  const shown = call.content.map((item) => {
    if (item.type === 'terminal') return terminalText(transcript.terminals.get(item.terminalId)?.output ?? '');
    return item.type === 'content' && item.content.type === 'text' ? item.content.text : '';
  });
  return [...shown, ...rawTexts(call.rawOutput)].join('\n');
}

function rawTexts(raw: unknown): readonly string[] {
  if (typeof raw === 'string') return [terminalText(raw)];
  if (typeof raw !== 'object' || raw === null) return [];
  const code = Object.entries(raw).flatMap(([name, value]) =>
    /^exit_?(?:code|status)$/i.test(name) && typeof value === 'number' ? [`exit code ${value}`] : [],
  );
  return [...code, ...Object.values(raw).flatMap((value) => (typeof value === 'string' ? [terminalText(value)] : []))];
}
