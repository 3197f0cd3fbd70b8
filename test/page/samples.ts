import type {
  AgentId,
  EntryId,
  PlanId,
  RequestKey,
  SessionId,
  SessionKey,
  ToolCallId,
} from '../../src/shared/values/ids';
import type { PageState, SessionListing } from '../../src/shared/pages/messages';
import type { TranscriptSnapshot } from '../../src/shared/transcript/ops';
import type { ReviewFile } from '../../src/shared/changes/review';
import type { ConfigOption, Entry, Plan, SessionView, ToolCallEntry } from '../../src/shared/transcript/transcript';
import { emptyView } from '../unit-support/emptyView';

export const sessionA = 's1' as SessionKey;
export const sessionB = 's2' as SessionKey;
const claude = 'settings:Claude' as AgentId;
const tour = 'builtin:tour' as AgentId;

/** A page state with two agents, no session, in a trusted folder. */
export function pageState(fields: Partial<PageState> = {}): PageState {
  return {
    trusted: true,
    folder: 'harbor',
    agents: [
      { agentId: claude, name: 'Claude', detail: 'npx @agentclientprotocol/claude-agent-acp', source: 'settings' },
      { agentId: 'settings:Codex' as AgentId, name: 'Codex', detail: 'codex-acp', source: 'settings' },
      {
        agentId: 'goose' as AgentId,
        name: 'goose',
        detail: '1.19.1 · ~/agents/goose/1.19.1/goose acp',
        source: 'registry',
      },
      {
        agentId: tour,
        name: 'Tour agent',
        detail: 'See how Parley works. No account or network needed.',
        source: 'builtin',
      },
    ],
    defaultAgent: claude,
    sandbox: { mode: 'off' },
    sessions: [],
    active: '',
    host: 'view',
    toolDetail: 'normal',
    longPasteLines: 20,
    locale: 'en',
    ...fields,
  };
}

/** A page state of somebody without an agent. */
export function newcomerState(fields: Partial<PageState> = {}): PageState {
  const agents = pageState().agents.filter(({ source }) => source === 'builtin');
  return pageState({ agents, defaultAgent: tour, agentCount: 31, ...fields });
}

/** Returns an icon of the registry as the host sends it. */
function pictureOf(shapes: string): string {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16" viewBox="0 0 16 16">${shapes}</svg>`;
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
}

/** What the start page offers on a machine with two known programs and without Node.js. */
export const offers: NonNullable<PageState['offers']> = [
  { id: 'gemini', name: 'Gemini CLI', detail: '~/.npm-global/bin/gemini --acp · 0.61.0', kind: 'found' },
  { id: 'claude-acp', name: 'Claude', detail: '“claude” is on this machine. Parley adds its adapter.', kind: 'found' },
  {
    id: 'opencode',
    name: 'OpenCode',
    detail: 'Open-source agent that works with many models · 1.1.53',
    kind: 'available',
    icon: pictureOf('<path fill="currentColor" fill-rule="evenodd" d="M13 14H3V2h10v12Zm-2.5-9.6h-5v7.2h5V4.4Z"/>'),
  },
  {
    id: 'codex-acp',
    name: 'Codex',
    detail: 'Needs Node.js, which isn’t installed',
    kind: 'available',
    needs: 'Node.js',
  },
];

/** A page state that shows `sessionA`, alone or with others. */
export function pageWithSession(others: readonly SessionListing[] = [], fields: Partial<PageState> = {}): PageState {
  return pageState({ sessions: [listing(sessionA), ...others], active: sessionA, ...fields });
}

export function listing(session: SessionKey, fields: Partial<SessionListing> = {}): SessionListing {
  return { session, title: 'Retry flaky uploads', agentName: 'Claude', state: 'idle', ...fields };
}

export function sessionView(fields: Partial<SessionView> = {}): SessionView {
  return {
    ...emptyView,
    agentId: claude,
    agentName: 'Claude',
    agentVersion: '0.100.0',
    sessionId: 'abc' as SessionId,
    title: 'Retry flaky uploads',
    cwd: '/home/me/harbor',
    ...fields,
  };
}

export function snapshot(
  fields: Partial<SessionView> = {},
  entries: readonly Entry[] = [],
  rev = 0,
): TranscriptSnapshot {
  return { rev, view: sessionView(fields), entries, omitted: 0, terminals: [] };
}

export function userMessage(id: string, text: string, turn = 1): Entry {
  return { id: id as EntryId, turn, kind: 'user_message', content: [{ type: 'text', text }], state: 'sent' };
}

export function agentMessage(id: string, text: string, turn = 1): Entry {
  return { id: id as EntryId, turn, kind: 'agent_message', content: [{ type: 'text', text }] };
}

export function toolCall(id: string, fields: Partial<ToolCallEntry> = {}): ToolCallEntry {
  return {
    id: id as EntryId,
    turn: 1,
    kind: 'tool_call',
    toolCallId: `call-${id}` as ToolCallId,
    title: 'npm test',
    toolKind: 'execute',
    status: 'pending',
    content: [],
    locations: [],
    permission: { state: 'none' },
    startedAt: 1_764_000_000_000,
    ...fields,
  };
}

/** A tool call that asks whether it may run. */
export function asking(id: string): ToolCallEntry {
  return toolCall(id, {
    rawInput: { command: 'npm test -- --run upload' },
    permission: {
      state: 'asked',
      request: `request-${id}` as RequestKey,
      options: [
        { optionId: 'allow', name: 'Allow', kind: 'allow_once' },
        { optionId: 'always', name: 'Always allow npm test', kind: 'allow_always' },
        { optionId: 'reject', name: 'Reject', kind: 'reject_once' },
      ],
    },
  });
}

export const plan: Plan = {
  planId: 'plan' as PlanId,
  type: 'items',
  items: [
    { content: 'Find where parts are sent', priority: 'high', status: 'completed' },
    { content: 'Write a retry helper with jitter', priority: 'medium', status: 'completed' },
    { content: 'Use it in the upload client', priority: 'medium', status: 'in_progress' },
    { content: 'Test: 500, 429 and a dead socket', priority: 'medium', status: 'pending' },
    { content: 'Say it in the changelog', priority: 'low', status: 'pending' },
  ],
};

/** A changed file that waits for review, of the only turn unless the fields say otherwise. */
export function changedFile(path: string, fields: Partial<ReviewFile> = {}): ReviewFile {
  const session = fields.session ?? { added: 1, removed: 1 };
  return {
    uri: `file:///home/me/harbor/${path}`,
    path,
    status: 'modified',
    isBinary: false,
    session,
    turns: [{ turn: 1, ...session }],
    hasUserText: false,
    others: [],
    ...fields,
  };
}

export const changedFiles: readonly ReviewFile[] = [
  changedFile('src/upload/client.ts', { session: { added: 7, removed: 2 } }),
  changedFile('src/upload/retry.ts', { status: 'created', session: { added: 48, removed: 0 }, hasUserText: true }),
  changedFile('src/upload/retry.test.ts', { status: 'created', session: { added: 71, removed: 0 } }),
  changedFile('src/vendor/legacy-retry.js', { status: 'deleted', session: { added: 0, removed: 35 } }),
];

/** The same, as three turns left them: the second made the tests, the third five more lines of the helper. */
export const changedInThreeTurns: readonly ReviewFile[] = changedFiles.map((file, at) => {
  if (at === 1)
    return {
      ...file,
      turns: [
        { turn: 1, added: 43, removed: 0 },
        { turn: 3, added: 5, removed: 0 },
      ],
    };
  return at === 2 ? { ...file, turns: [{ turn: 2, added: 71, removed: 0 }] } : file;
});

export const configOptions: readonly ConfigOption[] = [
  {
    configId: 'mode',
    name: 'Mode',
    category: 'mode',
    via: 'modes',
    type: 'select',
    currentValue: 'default',
    choices: [
      { value: 'default', name: 'Default', description: 'Asks before it edits' },
      { value: 'plan', name: 'Plan' },
      { value: 'bypassPermissions', name: 'Bypass permissions' },
    ],
  },
  {
    configId: 'model',
    name: 'Model',
    category: 'model',
    via: 'configOptions',
    type: 'select',
    currentValue: 'opus',
    choices: [
      { value: 'opus', name: 'Opus 5' },
      { value: 'haiku', name: 'Haiku 5' },
    ],
  },
  {
    configId: 'fast',
    name: 'Fast answers',
    via: 'configOptions',
    type: 'boolean',
    currentValue: false,
  },
];

export const commands: SessionView['availableCommands'] = [
  { name: 'review', description: 'Review a pull request', hint: 'number' },
  { name: 'rewind', description: 'Go back to an earlier message' },
  { name: 'compress', description: 'Make room in the context' },
  { name: 'login', description: 'Log in' },
];
