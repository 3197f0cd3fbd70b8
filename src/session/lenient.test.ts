import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, it } from 'node:test';
import { SessionRoutes } from '../agent/routes/sessionRoutes';
import { decodeOpened } from '../acp/decode/decodeAgent';
import type { Dialect } from '../acp/dialect/dialect';
import { offeredDialect, requestedDialect } from '../acp/dialects';
import { decodeCreateTerminal, decodeReadTextFile, decodeWriteTextFile } from '../acp/v1/decodeEditor';
import { decodePromptResult } from '../acp/v1/channel';
import { decodeInitialize } from '../acp/v1/initialize';
import { decodeConfigOptions } from '../acp/decode/decodeConfig';
import { decodeElicitation } from '../acp/decode/decodeElicitation';
import { decodeSessionPage } from '../acp/decode/decodeSessions';
import { ResponseError } from '../acp/base/errors';
import type { SessionId } from '../shared/values/ids';
import { FakeServices } from '../../test/unit-support/poolHarness';
import { defaultOptions, SessionHarness } from '../../test/unit-support/fakeSession';
import { mutate, pick } from '../../test/unit-support/mutate';
import { readTraffic } from '../../test/unit-support/playTraffic';
import { seededRandom } from '../../test/unit-support/scriptedAgent';

const seeds = 2500;
const folder = resolve('test/fixtures/traffic');

/** All messages of real agents in the recordings. */
const said = readdirSync(folder).flatMap((file) =>
  readTraffic(readFileSync(join(folder, file), 'utf8')).flatMap((line) =>
    'message' in line && line.from === 'agent' ? [line.message] : [],
  ),
);
const updates = said.flatMap(({ method, params }) => (method === 'session/update' ? [params!['update']] : []));
const questions = said.flatMap(({ method, params }) => (method === 'session/request_permission' ? [params!] : []));
const answers = said.flatMap(({ result }) => (result === undefined ? [] : [result]));
const form = {
  mode: 'form',
  message: 'Which?',
  sessionId: 's1',
  requestedSchema: { type: 'object', properties: { a: { type: 'string', oneOf: [{ const: 'x' }] } }, required: ['a'] },
};
/** Requests are read strictly: malformed ones are rejected with an error. */
const requests: readonly (readonly [(params: unknown) => unknown, object])[] = [
  [decodeReadTextFile, { path: '/a', line: 1, limit: 2 }],
  [decodeWriteTextFile, { path: '/a', content: 'text' }],
  [decodeCreateTerminal, { command: 'x', args: ['a'], env: [{ name: 'A', value: 'b' }], cwd: '/', outputByteLimit: 9 }],
  [decodeElicitation, form],
];
const readers: readonly ((answer: unknown) => unknown)[] = [
  decodeInitialize,
  decodeOpened,
  decodePromptResult,
  decodeSessionPage,
  decodeConfigOptions,
];

void describe('damaged messages', () => {
  void it(`of ${seeds} kinds never break a session, and later messages are shown`, async () => {
    assert.deepEqual([updates.length > 200, questions.length > 5, answers.length > 20], [true, true, true]);
    for (let seed = 1; seed <= seeds; seed += 1) {
      try {
        // The second version is half of them.
        await play(seededRandom(seed), seed % 2 === 0 ? requestedDialect : offeredDialect);
      } catch (error) {
        throw new Error(
          `With seed ${seed}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
        );
      }
    }
  });
});

async function play(random: () => number, dialect: Dialect): Promise<void> {
  const damaged = (items: readonly unknown[]) => mutate(pick(items, random), random);
  for (const read of readers) read(damaged(answers));
  const [read, params] = pick(requests, random)!;
  refusesAtMost(() => read(mutate(params, random)));

  const test = new SessionHarness();
  const { session } = test;
  const isSecond = dialect === offeredDialect;
  if (isSecond) test.agent.insertsPrompts = true;
  const routes = new SessionRoutes(new FakeServices().terminals, () => undefined);
  routes.settle(routes.begin(session, undefined), test.agent.sessionId);
  const hear = (params: unknown) => routes.update(params, (update) => update);
  test.open(decodeOpened(damaged(answers)), true, dialect);
  session.sendPrompt('go');
  for (let count = 0; count < 4; count += 1) hear({ sessionId: 's1', update: damaged(updates) });
  hear(mutate({ sessionId: 's1', update: pick(updates, random) }, random));
  const question = session.agentSide.handlePermission(damaged(questions), new AbortController().signal);
  const answered = question.catch((error: unknown) => assert.ok(error instanceof ResponseError));
  for (let count = 0; count < 2; count += 1) hear({ sessionId: 's1', update: damaged(updates) });

  const child = { sessionUpdate: 'subagent_update', sessionId: 'child', title: 'Child', state: { state: 'running' } };
  hear({ sessionId: 's1', update: mutate(child, random) });
  hear({ sessionId: 's1', update: child });
  for (let count = 0; count < 3; count += 1) hear({ sessionId: 'child', update: damaged(updates) });
  const childAsks = session.agentSide
    .handlePermission(damaged(questions), new AbortController().signal, undefined, 'child' as SessionId)
    .catch((error: unknown) => assert.ok(error instanceof ResponseError));

  const text = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'still here' } };
  hear({ sessionId: 's1', update: { ...text, messageId: 'good' } });
  const sessionUpdate = isSecond ? 'tool_call_update' : 'tool_call';
  hear({ sessionId: 's1', update: { sessionUpdate, toolCallId: 'good', title: 'Good call' } });
  const toolCall = { toolCallId: 'good' };
  const request = isSecond ? { title: 'Go?', subject: { type: 'tool_call', toolCall } } : { toolCall };
  const { signal } = new AbortController();
  const asked = session.agentSide.handlePermission({ sessionId: 's1', options: defaultOptions, ...request }, signal);
  test.answer(
    test.all('tool_call').findIndex(({ title }) => title === 'Good call'),
    'yes',
  );
  assert.deepEqual(await asked, { outcome: { outcome: 'selected', optionId: 'yes' } });
  session.cancel();
  const end = decodePromptResult(damaged(answers));
  // Without this, an idle agent has not begun with the prompt.
  if (isSecond) hear({ sessionId: 's1', update: { sessionUpdate: 'state_update', state: 'running' } });
  await Promise.all([answered, childAsks, test.agent.end(end)]);

  assert.match(test.text, /still here/);
  assert.deepEqual(test.view.activity, { state: 'idle' });
  assert.ok(test.all('tool_call').every(({ status }) => status !== 'pending' && status !== 'in_progress'));
  assert.ok(test.all('subagent').every(({ state }) => state === 'idle'));
  // The transcript goes to the page and into the session store.
  const { view, entries, terminals } = session.transcript;
  structuredClone({ view, entries, terminals });
  JSON.stringify([view, ...entries.values(), ...terminals.values()]);
  session.close();
}

function refusesAtMost(read: () => unknown): void {
  try {
    read();
  } catch (error) {
    assert.ok(error instanceof ResponseError, String(error));
  }
}
