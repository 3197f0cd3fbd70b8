import type { AgentId, SessionKey } from '../../src/shared/values/ids';
import type { SessionRow } from '../../src/shared/pages/sessionRows';

const agents = ['Claude', 'Codex', 'Gemini', 'Qwen Code', 'OpenCode', 'Copilot'];
const minute = 60_000;
const day = 24 * 60 * minute;

/** A closed session that Parley stores. */
export function row(id: string, fields: Partial<SessionRow> = {}): SessionRow {
  const agentName = fields.agentName ?? 'Claude';
  return {
    id,
    session: `key-${id}` as SessionKey,
    title: `Session ${id}`,
    agentId: `settings:${agentName}` as AgentId,
    agentName,
    place: 'stored',
    state: 'closed',
    folder: 'harbor',
    at: 0,
    actions: ['rename', 'pin', 'archive', 'delete'],
    ...fields,
  };
}

/** A row of each kind, at a time in the middle of a day. */
export function sampleRows(now: number): SessionRow[] {
  const live = { place: 'here', actions: ['rename', 'pin', 'archive', 'close', 'delete'] } as const;
  return [
    row('docs', {
      ...live,
      title: 'Docs pass',
      agentName: 'Gemini',
      state: 'needsYou',
      words: 'Wants to run a command',
      workplace: 'thisFolder',
      at: now - 2 * minute,
    }),
    row('retry', {
      ...live,
      title: 'Retry flaky uploads',
      state: 'running',
      branch: 'retry-uploads',
      workplace: 'worktree',
      at: now - 4 * minute,
      added: 126,
      removed: 37,
      unreviewed: 4,
    }),
    row('temporal', {
      title: 'Temporal migration',
      state: 'running',
      place: 'otherWindow',
      branch: 'temporal',
      workplace: 'worktree',
      at: now - 31 * minute,
      actions: [],
    }),
    row('uploads', {
      ...live,
      title: 'Find flaky uploads in the logs',
      agentName: 'Codex',
      state: 'idle',
      askedBy: 'key-retry' as SessionKey,
      at: now - 3 * minute,
    }),
    row('eslint', {
      ...live,
      title: 'Bump eslint to 10',
      agentName: 'Codex',
      state: 'idle',
      workplace: 'thisFolder',
      at: now - 60 * minute,
      added: 14,
      removed: 2,
      unreviewed: 3,
    }),
    row('nightly', {
      ...live,
      title: 'Nightly timeout',
      agentName: 'Codex',
      state: 'failed',
      words: 'Codex stopped unexpectedly (exit code 137)',
      at: now - 120 * minute,
    }),
    row('cache', {
      title: 'Explain the cache keys',
      branch: 'main',
      workplace: 'thisFolder',
      at: now - 5 * 60 * minute,
    }),
    row('pinned', { title: 'Release checklist', isPinned: true, at: now - 9 * day }),
    row('esm', { title: 'Port the CLI to ESM', agentName: 'Codex', branch: 'esm', at: now - 2 * day }),
    row('cli', { title: 'Find the leak', agentName: 'Gemini', place: 'agent', at: now - 3 * day }),
    row('docker', {
      title: 'Shrink the Docker image',
      agentName: 'Qwen Code',
      branch: 'slim-image',
      at: now - 30 * day,
    }),
    row('old', { title: 'First try', isArchived: true, at: now - 60 * day }),
  ];
}

/** Two tries of one task, of which one still works. */
export function tryRows(now: number): SessionRow[] {
  const live = { place: 'here', title: 'Port the CLI to ESM', at: now - 6 * minute } as const;
  const task = { task: 'task-esm', message: 'Port the CLI to ESM' };
  return [
    row('esm-1', {
      ...live,
      state: 'idle',
      branch: 'parley/esm-1',
      workplace: 'worktree',
      try: { ...task, position: 0, name: 'Claude', detail: 'Opus 5', check: 'passed' },
      added: 126,
      removed: 37,
      unreviewed: 4,
    }),
    row('esm-2', {
      ...live,
      agentName: 'Codex',
      state: 'running',
      branch: 'parley/esm-2',
      workplace: 'worktree',
      try: { ...task, position: 1, name: 'Codex', detail: 'gpt-5.2' },
    }),
  ];
}

/** Many closed sessions of six agents, the newest first, an hour apart. */
export function manyRows(count: number, now: number): SessionRow[] {
  return Array.from({ length: count }, (_, at) =>
    row(`many-${at}`, {
      title: `Task ${at}`,
      agentName: agents[at % agents.length] ?? '',
      branch: 'main',
      at: now - at * 60 * minute,
    }),
  );
}
