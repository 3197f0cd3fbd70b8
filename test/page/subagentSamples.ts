import type { EntryId, PlanId, SessionId, ToolCallId } from '../../src/shared/values/ids';
import type { SubagentEntry } from '../../src/shared/transcript/subagent';
import type { Entry, ToolCallEntry } from '../../src/shared/transcript/transcript';
import { agentMessage, asking, toolCall, userMessage } from './samples';

/** A subagent's row; it runs unless the fields say otherwise. */
export function subagent(sessionId: string, fields: Partial<SubagentEntry> = {}): SubagentEntry {
  return {
    kind: 'subagent',
    id: `subagent:${sessionId}` as EntryId,
    turn: 1,
    sessionId: sessionId as SessionId,
    title: 'Check time zone edge cases',
    state: 'running',
    canCancel: true,
    startedAt: Date.now() - 52_000,
    ...fields,
  };
}

/** An entry as one of a subagent's. */
export function of<E extends Entry>(sessionId: string, entry: E): E {
  return { ...entry, subagent: sessionId as SessionId };
}

export function read(id: string, file: string, fields: Partial<ToolCallEntry> = {}): ToolCallEntry {
  const path = `/home/me/harbor/src/date/${file}`;
  return toolCall(id, {
    title: `Read ${file}`,
    toolKind: 'read',
    status: 'completed',
    locations: [{ path }],
    ...fields,
  });
}

/** Subagents at work and at their end, one inside another, with all that they can say and do. */
export function subagentEntries(): readonly Entry[] {
  const ended = { state: 'idle', startedAt: 1000, endedAt: 35_000 } as const;
  return [
    userMessage('u', 'Move the whole web package from moment to Temporal. Keep every test green.'),
    agentMessage('m1', 'I let three agents look at it.'),
    subagent('done', { ...ended, title: 'Find all uses of moment', stopReason: 'end_turn' }),
    of('done', read('d1', 'calendar.tsx')),
    of('done', agentMessage('d2', 'There are 41 uses in 17 files.')),
    subagent('off', { ...ended, title: 'Read the proposal', stopReason: 'cancelled' }),
    subagent('bad', {
      ...ended,
      title: 'Measure the bundle',
      stopReason: 'error',
      description: 'Bundle size before and after',
      error: 'The model is overloaded.',
    }),
    subagent('run', { description: 'Which tests cover days with 23 or 25 hours, and which do not?' }),
    of('run', {
      kind: 'agent_thought',
      id: 't' as EntryId,
      turn: 1,
      startedAt: 1000,
      endedAt: 12_000,
      content: [{ type: 'text', text: 'Where to begin?' }],
    }),
    of(
      'run',
      toolCall('s', { title: 'utcOffset', toolKind: 'search', status: 'completed', rawInput: { pattern: 'x' } }),
    ),
    of('run', read('r', 'zones.test.ts')),
    of('run', agentMessage('m2', 'Two tests pin the zone, **none** cross a change of the clock. See `zones.ts`.')),
    of('run', { kind: 'plan', id: 'p' as EntryId, turn: 1, planId: 'run/plan' as PlanId }),
    of('run', subagent('deep', { title: 'List the zones', canCancel: false, startedAt: Date.now() - 9000 })),
    of('deep', toolCall('z', { title: 'curl iana.org/time-zones', toolKind: 'fetch', status: 'in_progress' })),
    of('run', { ...asking('ask'), toolCallId: 'ask' as ToolCallId }),
    agentMessage('m3', 'Types are clean. The subagent still checks the zones.'),
  ];
}
