import { internal } from '../../src/acp/base/errors';
import type { ContentBlock } from '../../src/shared/transcript/content';
import type { EntryId, PlanId, RequestKey } from '../../src/shared/values/ids';
import type { ConfigOption, Entry, NoticeEntry, PermissionView, Plan } from '../../src/shared/transcript/transcript';
import {
  agentExited,
  agentNotFound,
  promptFailed,
  sessionNotOpened,
  versionNotSupported,
} from '../../src/session/failures';
import { stopReasonWords } from '../../src/session/update/closeTurn';
import { encodePng } from './png';
import { agentMessage, asking, configOptions, plan, toolCall, userMessage } from './samples';
import { edit } from './transcriptSamples';

const id = (name: string) => name as EntryId;

/** A picture of 160 × 60 px with a bar of orange in blue. */
function chart(): string {
  const [width, height] = [160, 60];
  const pixels = new Uint8Array(width * height * 3);
  for (let at = 0; at < width * height; at++) {
    const isBar = at % width > 40 && at % width < 90 && Math.floor(at / width) > 15;
    pixels.set(isBar ? [230, 140, 40] : [40, 90, 180], at * 3);
  }
  return encodePng({ width, height, pixels }, { x: 0, y: 0, width, height }).toString('base64');
}

/** A tenth of a second of silence. */
function silence(): string {
  const samples = 800;
  const wave = Buffer.alloc(44 + samples, 128);
  wave.write('RIFF', 0, 'latin1');
  wave.writeUInt32LE(36 + samples, 4);
  wave.write('WAVEfmt ', 8, 'latin1');
  for (const [at, value] of Object.entries({ 16: 16, 24: 8000, 28: 8000, 40: samples }))
    wave.writeUInt32LE(value, Number(at));
  for (const [at, value] of Object.entries({ 20: 1, 22: 1, 32: 1, 34: 8 })) wave.writeUInt16LE(value, Number(at));
  wave.write('data', 36, 'latin1');
  return wave.toString('base64');
}

const blocks: readonly ContentBlock[] = [
  { type: 'text', text: 'Everything that a message can be made of:' },
  { type: 'text', text: 'A note for the model alone.', audience: ['assistant'] },
  { type: 'image', data: chart(), mimeType: 'image/png', uri: 'file:///home/me/harbor/chart.png' },
  { type: 'audio', data: silence(), mimeType: 'audio/wav' },
  { type: 'resource_link', uri: 'file:///home/me/harbor/docs/retry.md', name: 'retry.md', title: 'How we retry' },
  { type: 'resource', uri: 'file:///home/me/harbor/src/limits.json', text: '{\n  "attempts": 4,\n  "base": 250\n}\n' },
  { type: 'resource_blob', uri: 'file:///home/me/harbor/media/logo.webp', blob: 'A'.repeat(16_000) },
  { type: 'unknown', raw: { type: 'hologram' } },
  { type: 'text', text: 'And then the text goes on.' },
];

/** A message with a block of each type, and a call that shows some. */
export const contentEntries: readonly Entry[] = [
  userMessage('u', 'Show me the numbers.'),
  { id: id('m'), turn: 1, kind: 'agent_message', content: blocks },
];

/** How agents fail and turns end, a card or a line each. */
export const failureEntries: readonly Entry[] = [
  userMessage('uf', 'Fix the upload'),
  ...[
    agentNotFound('Claude', 'claude-agent-acp'),
    versionNotSupported('Claude', 3),
    sessionNotOpened('Claude', internal('Internal error', { details: 'The folder is locked.' })),
    promptFailed('Claude', internal('The model is overloaded.')),
    agentExited('Claude', { exitCode: 137, wanted: false, logTail: '[21:04:39] Killed\n' }),
  ].map((failure, at): Entry => ({ id: id(`f${at}`), turn: 1, kind: 'error', ...failure })),
];

/** How turns end, a line each, and a message that was refused. */
export const stopEntries: readonly Entry[] = [
  { ...userMessage('us', 'Tell me everything'), state: 'refused' } as Entry,
  ...['end_turn', 'cancelled', 'max_tokens', 'max_turn_requests', 'refusal', '_tired'].flatMap((reason, at) => {
    const words = stopReasonWords('Claude', reason, { byUser: true, isSilent: true });
    const notice: Omit<NoticeEntry, 'severity' | 'title'> = { id: id(`n${at}`), turn: 1, kind: 'notice' };
    return words ? [{ ...notice, ...words }] : [];
  }),
];

/** The agent's own notices and compactions. */
export const noticeEntries: readonly Entry[] = [
  userMessage('un', 'Go on'),
  ...(['info', 'warning', 'error'] as const).map((severity): Entry => ({
    id: id(severity),
    turn: 1,
    kind: 'notice',
    severity,
    title: `A notice of severity ${severity}`,
    description: 'What it is about, in a few more words.',
  })),
  ...(['in_progress', 'completed', 'failed', 'cancelled'] as const).map((status): Entry => ({
    id: id(status),
    turn: 1,
    kind: 'compaction',
    compactionId: status,
    status,
    summary: status === 'completed' ? [{ type: 'text', text: 'Retries are **done**; the tests come next.' }] : [],
    ...(status === 'failed' ? { error: 'The model is overloaded.' } : {}),
  })),
];

/** One of several lines. */
export const noticeOfServers: NoticeEntry = {
  id: id('lines'),
  turn: 1,
  kind: 'notice',
  severity: 'warning',
  title: '2 MCP servers were left out',
  description:
    '\ndocs: the agent does not take servers of type sse.\nnotes: the program notes-server was not found on this machine.',
};

/** A plan of each kind. */
export const plans: readonly Plan[] = [
  plan,
  { planId: 'text' as PlanId, type: 'markdown', content: 'Read the client first.\n\n1. Retry\n2. Test' },
  { planId: 'file' as PlanId, type: 'file', uri: 'file:///home/me/harbor/docs/plan.md' },
];

/** Choices in groups, of no known category, and a switch. */
export const settings: readonly ConfigOption[] = [
  ...configOptions.filter(({ configId }) => configId !== 'model'),
  {
    configId: 'model',
    name: 'Model',
    category: 'model',
    via: 'configOptions',
    type: 'select',
    currentValue: 'opus',
    choices: [
      { value: 'opus', name: 'Opus 5', description: 'For hard things', group: 'Claude' },
      { value: 'haiku', name: 'Haiku 5', group: 'Claude' },
      { value: 'local', name: 'Qwen 4', group: 'On this machine' },
    ],
  },
  {
    configId: 'effort',
    name: 'Effort',
    category: 'model_config',
    via: 'configOptions',
    type: 'select',
    currentValue: 'high',
    choices: [{ value: 'high', name: 'High' }],
  },
  {
    configId: 'tone',
    name: 'Tone',
    category: '_mood',
    via: 'configOptions',
    type: 'select',
    currentValue: 'dry',
    choices: [{ value: 'dry', name: 'Dry' }],
  },
];

const option = (optionId: string, kind: 'allow_once' | 'reject_once' | 'unknown', name = optionId) => ({
  optionId,
  name,
  kind,
});
const askedWith = (request: string, options: readonly ReturnType<typeof option>[]): PermissionView => ({
  state: 'asked',
  request: request as RequestKey,
  options,
});

/** What agents ask before they act: about a change, with options of any kind or none, and how it was answered. */
export const permissionEntries: readonly Entry[] = [
  userMessage('u', 'Clean up'),
  asking('plain'),
  edit('change', {
    status: 'pending',
    permission: askedWith('change', [option('Allow', 'allow_once'), option('Reject', 'reject_once')]),
  }),
  toolCall('odd', {
    title: 'Odd options',
    permission: askedWith('odd', [option('7', 'unknown', 'Perhaps'), option('', 'unknown', 'Ask me tomorrow')]),
  }),
  toolCall('none', { title: 'No options at all', permission: askedWith('none', []) }),
  toolCall('rule', {
    title: 'npm run lint',
    status: 'completed',
    permission: { state: 'answered', option: option('a', 'allow_once', 'Allow'), by: 'rule', rule: 'npm scripts' },
  }),
  toolCall('you', {
    title: 'rm -rf dist',
    status: 'failed',
    permission: { state: 'answered', option: option('r', 'reject_once', 'Reject'), by: 'you' },
  }),
  toolCall('gone', { title: 'git push', status: 'cancelled', permission: { state: 'cancelled' } }),
  agentMessage('m', 'I wait.'),
];
