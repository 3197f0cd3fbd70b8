import { decodeSubagent } from '../acp/decodeSubagent';
import { asObject, asString } from '../acp/decodeValue';
import type { Schedule } from '../session/turn/stopWait';
import type { AgentQuirks } from './quirks';

/** A replay is over when nothing of it has come for so long, in milliseconds. */
const quiet = 500;
/** Nobody waits longer than this for the rest of a replay, in milliseconds. */
const longest = 10_000;

/** An update as the protocol has it, where an agent says the same in its own way. */
export function straighten(update: unknown, { modeAsText }: AgentQuirks): unknown {
  const mode = modeAsText?.exec(textOf(update, 'agent_message_chunk') ?? '')?.[1];
  return mode === undefined ? update : { sessionUpdate: 'current_mode_update', currentModeId: mode };
}

/** What of the updates that came before a session was open is to be shown in it. */
export function shownEarly(
  updates: readonly unknown[],
  method: 'new' | 'load' | 'resume' | 'fork',
  { replayNoise }: AgentQuirks,
): readonly unknown[] {
  // A resumed session must not be replayed, yet some agents do: the transcript has all that already, as that of a fork.
  if (method === 'resume' || method === 'fork') return updates.filter((update) => !isHistory(update));
  if (method === 'new' || !replayNoise) return updates;
  return updates.map((update) => {
    const text = textOf(update, 'user_message_chunk') ?? textOf(update, 'agent_message_chunk');
    if (text === undefined || text.search(replayNoise) < 0) return update;
    // Chunks without text are passed over.
    return { ...asObject(update), content: { type: 'text', text: text.replace(replayNoise, '').trimEnd() } };
  });
}

/** Resolves when the replay of a session is over, as far as its silence tells; `count` is how many updates have come. */
export async function replayed(count: () => number, schedule: Schedule): Promise<void> {
  let before = -1;
  for (let waited = 0; waited < longest && before !== count(); waited += quiet) {
    before = count();
    await new Promise<void>((resolve) => schedule(quiet, resolve));
  }
}

function textOf(update: unknown, kind: string): string | undefined {
  const object = asObject(update);
  return object?.['sessionUpdate'] === kind ? asString(asObject(object['content'])?.['text']) : undefined;
}

/** Whether an update tells what was said or done, other than what the session offers or costs now. */
function isHistory(update: unknown): boolean {
  const subagent = decodeSubagent(update);
  if (subagent) return subagent.fields.state?.state !== 'running';
  return /chunk$|message$|^tool_call|^plan|^compaction/.test(String(asObject(update)?.['sessionUpdate']));
}
