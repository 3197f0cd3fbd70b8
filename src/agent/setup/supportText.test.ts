import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TrafficLog } from '../../acp/wire/traffic';
import { supportText, trafficText, withoutPlaces, type PrivateData, type SupportData } from './supportText';

const hide: PrivateData = {
  secrets: ['from-the-shell-9'],
  home: '/home/miriam',
  userName: 'miriam',
  host: 'atlas-laptop',
  folders: ['/home/miriam/work/secret-project'],
};

function bundle(fields: Partial<SupportData>): string {
  const nothing: SupportData = {
    versions: { Parley: '1.2.3' },
    settings: {},
    findings: [],
    log: [],
    traffic: [],
    agentNames: [],
  };
  return supportText({ ...nothing, ...fields }, hide);
}

test('includes versions, findings with fixes, settings, log, and protocol traffic', () => {
  const traffic = new TrafficLog({ now: () => 0 });
  traffic.record('send', { id: 1, method: 'initialize' }, 120);
  const text = bundle({
    findings: [
      {
        name: 'uv',
        state: 'note',
        summary: 'not found on PATH',
        detail: 'Agents need it.',
        fix: { kind: 'link', label: 'Get uv', url: 'https://docs.astral.sh/uv' },
      },
    ],
    settings: { parley: { defaultAgent: 'Claude' } },
    log: ['Claude: started'],
    traffic: [{ agentName: 'Claude', startedAt: 0, traffic }],
  });
  for (const part of [
    '"Parley": "1.2.3"',
    'Note · uv: not found on PATH',
    'Fix: Get uv: https://docs.astral.sh/uv',
    '"defaultAgent": "Claude"',
    'Claude: started',
    'send initialize id 1 120 bytes',
  ]) {
    assert.ok(text.includes(part), part);
  }
});

test('omits values of variables, headers, and key options everywhere', () => {
  const settings = {
    parley: {
      agents: {
        Claude: { command: 'claude', args: ['--api-key', 'argument-77'], env: { REGION: 'value-of-env-1' } },
        Prompted: { command: 'x', systemPrompt: { mode: 'append', text: 'Answer like a pirate' } },
      },
      mcpServers: { docs: { type: 'http', url: 'https://a.test', headers: { 'X-Key': 'header-value-2' } } },
    },
  };
  const text = bundle({
    settings,
    log: [
      'The agent said value-of-env-1 and header-value-2',
      'PATH of from-the-shell-9',
      'Authorization: Bearer abcdef123456',
      'sk-ant-0123456789abcdef',
    ],
  });
  for (const secret of [
    'argument-77',
    'value-of-env-1',
    'header-value-2',
    'from-the-shell-9',
    'abcdef123456',
    'sk-ant-0123456789abcdef',
    'pirate',
  ]) {
    assert.ok(!text.includes(secret), `${secret} in ${text}`);
  }
  assert.match(text, /REGION/, 'The names of variables are kept.');
});

test("omits an agent's output but includes its starts and exits", () => {
  const at = '2026-01-01T00:00:00.000Z [info]';
  const log = [
    `${at} Claude: started /usr/bin/claude as process 7 in /tmp`,
    `${at} Claude: the user asked for private things`,
    `${at} Claude: not protocol: started private as a line`,
    `${at} Claude: process 7 ended (1)`,
    `${at} Environment from the shell`,
  ];
  const text = bundle({ log, agentNames: ['Claude', 'Claude: Code'] });
  assert.doesNotMatch(text, /private/);
  assert.match(text, /Claude: \(33 characters of output\)/);
  assert.match(text, /process 7 in \/tmp[^]*process 7 ended \(1\)[^]*Environment from the shell/);
});

test('removes folders, user name, and computer name in every path form', () => {
  const text = withoutPlaces(
    [
      '/home/miriam/work/secret-project/src/a.ts',
      'file:///home/miriam/bin',
      'Miriam on atlas-laptop',
      '-home-miriam-',
      'amiriams stay',
    ].join('\n'),
    hide,
  );
  assert.equal(text, '[folder 1]/src/a.ts\nfile://~/bin\n[name] on [name]\n-home-[name]-\namiriams stay');
  const windows = { ...hide, home: 'C:\\Users\\Miriam', folders: [] };
  const json = JSON.stringify({ path: 'c:\\users\\miriam\\bin' });
  assert.equal(
    withoutPlaces(`${json} ${JSON.stringify(json)} file:///c%3A/Users/Miriam/x`, windows).includes('iriam'),
    false,
  );
});

test('keeps methods, ids, sizes, and errors of the log without content', () => {
  const traffic = new TrafficLog({ now: () => 0 });
  const prompt = [{ type: 'text', text: 'my private question' }];
  traffic.record('send', { id: 2, method: 'session/prompt', params: { prompt } }, 300);
  const update = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'private answer' } };
  traffic.record('receive', { method: 'session/update', params: { update } }, 200);
  traffic.record('receive', { id: 2, error: { code: -32603, message: 'private failure', data: 'more' } }, 90);
  traffic.record('receive', { id: 'private id', result: { private: 'value' } }, 40);
  traffic.record('receive', { method: 'a sentence that is private', params: {} }, 40);
  traffic.record('noise', 'private noise', 13);
  traffic.note('private note');
  const text = trafficText(traffic.entries());
  assert.doesNotMatch(text, /private/);
  assert.deepEqual(
    text.split('\n').map((line) => line.replace('1970-01-01T00:00:00.000Z ', '').trim()),
    [
      'send session/prompt id 2 300 bytes',
      'receive session/update agent_message_chunk 200 bytes',
      'receive error -32603 id 2 90 bytes',
      'receive result id 40 bytes',
      'receive result 40 bytes',
      'noise  13 bytes',
      'note  12 bytes',
    ],
  );
});
