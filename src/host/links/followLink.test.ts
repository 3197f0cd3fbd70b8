import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AgentSpec } from '../../agent/spec/agentSpec';
import type { AgentId, SessionKey } from '../../shared/values/ids';
import type { ToWebview } from '../../shared/pages/messages';
import type { Entry } from '../../shared/transcript/transcript';
import { toolCall } from '../../../test/unit-support/toolCall';
import { followLink, type LinkWindow } from './followLink';

const agentNamed = (name: string) => ({ id: `settings:${name}` as AgentId, name }) as AgentSpec;

/** A window with the agents Claude, which the user has chosen before, and Codex. */
function setUp({ trusted = true, agrees = false } = {}) {
  const did: string[] = [];
  const posted: ToWebview[] = [];
  const session = (key: string, entries: readonly Entry[] = []) => ({
    key: key as SessionKey,
    transcript: { entries: new Map(entries.map((entry) => [entry.id, entry])) },
  });
  const agents = [agentNamed('Claude'), agentNamed('Codex')];
  const window: LinkWindow = {
    mayStart: () => trusted,
    findAgent: (name) => agents.find((one) => one.name === name),
    defaultAgent: agents[0]!,
    hasChosen: (agent) => agent === agents[0]!.id,
    askToStart: ({ name }) => {
      did.push(`ask ${name}`);
      return Promise.resolve(agrees);
    },
    findFolder: (folder) => (folder === '/w' || folder === '/other' ? folder : undefined),
    currentFolder: '/w',
    createSession: (agent, folder) => {
      did.push(`create ${agent} in ${folder ?? 'current'}`);
      return session('new');
    },
    openSession: (key) =>
      Promise.resolve(key === 'a' ? session('a', [toolCall('t1'), toolCall('t2', { turn: 2 })]) : undefined),
    withPage: (action) => {
      action({ show: (key) => did.push(`show ${key}`), post: (message) => void posted.push(message) });
      return Promise.resolve();
    },
    refuse: (why) => did.push(`refuse ${why}`),
  };
  const follow = async (query: string, path = '/new') => {
    await followLink(window, path, query);
    return did;
  };
  return { follow, posted };
}

const draft = { type: 'addDraft', text: 'Fix it', attachments: [], isFromLink: true };

test('a link without an agent makes a draft and starts nothing', async () => {
  const { follow, posted } = setUp();
  assert.deepEqual(await follow('prompt=Fix it&folder=/w'), ['show ']);
  assert.deepEqual(posted, [draft]);
});

test('a link with an agent makes a draft in its session', async () => {
  const { follow, posted } = setUp();
  assert.deepEqual(await follow('prompt=Fix it&agent=Claude&folder=/other'), [
    'create settings:Claude in /other',
    'show new',
  ]);
  assert.deepEqual(posted, [draft]);
});

test('asks before it starts an agent for the first time', async () => {
  const no = setUp();
  assert.deepEqual(await no.follow('prompt=Fix it&agent=Codex'), ['ask Codex']);
  assert.deepEqual(no.posted, []);
  const yes = setUp({ agrees: true });
  assert.deepEqual(await yes.follow('agent=Codex'), ['ask Codex', 'create settings:Codex in current', 'show new']);
  assert.deepEqual(yes.posted, [{ type: 'focusComposer' }]);
});

test('refuses other folders, unknown agents, and hidden text in words', async () => {
  for (const [query, why] of [
    ['folder=/etc', /the folder \/etc, which isn’t open here/],
    ['agent=Evil', /no agent named “Evil”/],
    ['prompt=a\u202Eb', /hidden text/],
  ] as const) {
    const { follow, posted } = setUp();
    const [first, ...rest] = await follow(query);
    assert.match(first!, why);
    assert.deepEqual([rest, posted], [[], []]);
  }
});

test('does nothing in a folder without trust', async () => {
  const { follow, posted } = setUp({ trusted: false });
  assert.deepEqual([await follow('prompt=Fix it&agent=Claude'), posted], [[], []]);
});

test('shows a session at its turn, or says that it isn’t here', async () => {
  const { follow, posted } = setUp();
  assert.deepEqual(await follow('turn=2', '/session/a'), ['show a']);
  assert.deepEqual(posted, [{ type: 'revealEntry', session: 'a', entry: 't2' }]);
  const [, refused] = await follow('', '/session/b');
  assert.match(refused!, /isn’t stored in this workspace/);
});
