import type { RequestKey, SessionKey } from '../../src/shared/values/ids';
import type { SessionListing } from '../../src/shared/pages/messages';
import type { ReviewFile } from '../../src/shared/changes/review';
import type { ConfigOption, Entry } from '../../src/shared/transcript/transcript';
import type { Chat } from './chat';
import {
  agentMessage,
  changedFile,
  changedFiles,
  commands,
  listing,
  pageWithSession,
  plan,
  sessionA,
  snapshot,
  toolCall,
  userMessage,
} from './samples';
import { read } from './transcriptSamples';

/* What makes a narrow page crowded. */

/** A name that fits in no row of a narrow page. */
export const longName = 'authenticationConfigurationServiceFactory.integration.test.ts';
const longPath = `/home/me/harbor/packages/services/authentication/src/internal/${longName}`;

const choose = (fields: Partial<ConfigOption & { type: 'select' }>): ConfigOption => ({
  configId: 'mode',
  name: 'Mode',
  category: 'mode',
  via: 'configOptions',
  type: 'select',
  currentValue: 'default',
  choices: [],
  ...fields,
});

/** Five settings, with long names, descriptions, and a mode without limits. */
export const manyOptions: readonly ConfigOption[] = [
  choose({
    currentValue: 'bypassPermissions',
    choices: [
      { value: 'default', name: 'Always ask', description: 'Asks before it edits files or runs commands' },
      { value: 'acceptEdits', name: 'Accept edits', description: 'Edits files on its own and asks before commands' },
      { value: 'plan', name: 'Plan', description: 'Reads and plans; changes nothing' },
      { value: 'bypassPermissions', name: 'Bypass permissions', description: 'Accepts every request by itself' },
    ],
  }),
  choose({
    configId: 'model',
    name: 'Model',
    category: 'model',
    currentValue: 'opus',
    choices: [
      { value: 'opus', name: 'Opus 5 with a context of 1M tokens', description: 'Most capable, for hard work' },
      { value: 'haiku', name: 'Haiku 5', description: 'Fast answers' },
    ],
  }),
  choose({
    configId: 'effort',
    name: 'Reasoning effort',
    category: 'model_config',
    currentValue: 'high',
    choices: [
      { value: 'low', name: 'Low' },
      { value: 'high', name: 'High' },
    ],
  }),
  choose({
    configId: 'sandbox',
    name: 'Sandbox',
    category: '_sandbox',
    currentValue: 'write',
    choices: [
      { value: 'read', name: 'Read only', description: 'Writes nothing' },
      { value: 'write', name: 'Workspace', description: 'Writes in the folders of the session' },
    ],
  }),
  { configId: 'web', name: 'Search the web', via: 'configOptions', type: 'boolean', currentValue: true },
];

const session = (key: string) => key as SessionKey;
/** Five sessions besides the shown one, of agents that begin with the same letter, in every state. */
export const otherSessions: readonly SessionListing[] = [
  listing(session('o1'), { title: 'Docs pass', agentName: 'Codex', state: 'requires_action' }),
  listing(session('o2'), { title: 'Temporal migration', state: 'running' }),
  listing(session('o3'), { title: 'Bump eslint to 10', agentName: 'Copilot' }),
  listing(session('o4'), { title: 'Nightly timeout', agentName: 'Codex', state: 'closed' }),
  listing(session('o5'), { title: 'Explain the cache keys' }),
];

const options = [
  { optionId: 'allow', name: 'Allow', kind: 'allow_once' },
  { optionId: 'always', name: 'Always allow edits in this session', kind: 'allow_always' },
  { optionId: 'reject', name: 'Reject', kind: 'reject_once' },
] as const;

/** Asks to write a file with a long path and 90 lines. */
export const askingForEdit: Entry = toolCall('edit', {
  title: `Write ${longPath}`,
  toolKind: 'edit',
  content: [
    {
      type: 'diff',
      path: longPath,
      oldText: '',
      newText: Array.from({ length: 90 }, (_, line) => `export const attempt${line} = retry(${line}, backoff);`).join(
        '\n',
      ),
    },
  ],
  permission: { state: 'asked', request: 'edit' as RequestKey, options },
});

/** Asks to run a command of 60 lines. */
export const askingForCommand: Entry = toolCall('command', {
  rawInput: {
    command: Array.from({ length: 60 }, (_, line) => `docker run --rm --volume "$PWD:/work" image-${line} check`).join(
      '\n',
    ),
  },
  permission: { state: 'asked', request: 'command' as RequestKey, options },
});

export const longFiles: readonly ReviewFile[] = [
  changedFile(longPath.slice('/home/me/harbor/'.length), { session: { added: 1204, removed: 388 } }),
  ...changedFiles,
];

/** A turn at work: rows with long names, counts, and answers. */
export const busyEntries: readonly Entry[] = [
  userMessage('u1', 'Uploads fail now and then on slow links. Add retry with backoff to the upload client.'),
  agentMessage('a1', "I'll look at how parts are sent, then put the retry in one place."),
  read('r1', longName),
  toolCall('e1', {
    title: 'Edit',
    toolKind: 'edit',
    status: 'completed',
    content: [{ type: 'diff', path: longPath, oldText: 'a\n', newText: 'b\n'.repeat(120) }],
    permission: { state: 'answered', option: options[1], by: 'you' },
  }),
  read('r2', 'client.ts', { locations: [{ path: '/home/me/harbor/src/upload/transport/http/client.ts' }] }),
];

/** Shows a session in which everything happens at once. */
export async function showCrowd(chat: Chat, last: readonly Entry[] = []): Promise<void> {
  await chat.showPage(pageWithSession(otherSessions));
  await chat.showSession(
    sessionA,
    snapshot(
      {
        activity: { state: last.length > 0 ? 'requires_action' : 'running', since: Date.now() - 18_000 },
        plans: [plan],
        configOptions: manyOptions,
        availableCommands: commands,
        usage: { state: 'known', used: 168_000, size: 200_000 },
        queue: [
          { id: 'q1', text: 'Also remove moment-timezone' },
          { id: 'q2', text: 'Then open a draft pull request' },
        ],
      },
      [...busyEntries, ...last],
    ),
  );
  await chat.receive({ type: 'changes', session: sessionA, files: longFiles });
}
