// The tools with which agents ask others: what the user decides, and what models get.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ClientQuestion, PermissionCase } from '../../session/services';
import type { SessionKey } from '../../shared/values/ids';
import type { Language } from '../editor/languages';
import { agentTools } from './agentTools';
import { ToolProblem, type AgentAsker, type SessionAnswer, type ToolRun, type ToolServices } from './tool';

/** Calls a tool in a session of Claude. `rule` is the rules' answer, and `answer` the user's. */
async function call(
  name: keyof typeof agentTools,
  args: object,
  {
    rule,
    answer,
    result = { state: 'completed', text: '3 files' },
    check = () => undefined,
  }: { rule?: string; answer?: string; result?: SessionAnswer; check?: AgentAsker['check'] } = {},
) {
  const asked: ClientQuestion[] = [];
  const judged: PermissionCase[] = [];
  const started: (readonly string[])[] = [];
  const asker: AgentAsker = {
    agents: ['Codex', 'Gemini'],
    check,
    start: (...of) => {
      started.push(of);
      return 'session:2' as SessionKey;
    },
    answerOf: () => Promise.resolve(result),
  };
  const rules = {
    answer: (request: PermissionCase) => {
      judged.push(request);
      return rule === undefined
        ? undefined
        : { option: request.options.find((one) => one.optionId === rule)!, rule: '' };
    },
  };
  const run: ToolRun = agentTools[name];
  const outcome = await run({
    context: {
      session: 'session:1' as SessionKey,
      agentName: 'Claude',
      cwd: '/w',
      ask: (question) => {
        asked.push(question);
        return Promise.resolve(answer);
      },
    },
    folders: [],
    services: { rules, asker: () => asker, now: () => 0 } as unknown as ToolServices,
    language: {} as Language,
    args: args as Readonly<Record<string, unknown>>,
    signal: new AbortController().signal,
  }).then(
    ({ text }) => text,
    (error: unknown) => {
      if (error instanceof ToolProblem) return `Problem: ${error.message}`;
      throw error;
    },
  );
  return { outcome, asked, judged, started };
}

const task = { agent: 'Codex', prompt: 'Count the files' };

test('the user sees both agents and the message before a session starts', async () => {
  const { outcome, asked, judged, started } = await call('startSession', task, { answer: 'allow' });
  assert.deepEqual(asked[0]?.asks, { question: 'Let Claude start a session with Codex?', text: 'Count the files' });
  assert.deepEqual(judged[0]?.subject.mcp, { server: 'editor', tool: 'startSession' });
  assert.deepEqual(started, [['session:1', 'Codex', 'Count the files']]);
  assert.match(outcome, /session:2/);
});

test('no session starts unless the user or a rule allows it', async () => {
  for (const given of [{ answer: 'reject' }, {}, { rule: 'reject', answer: 'allow' }]) {
    const { outcome, started } = await call('startSession', task, given);
    assert.match(outcome, /^Problem: The user/);
    assert.deepEqual(started, []);
  }
  const { asked, started } = await call('startSession', task, { rule: 'allow' });
  assert.equal(asked.length, 0);
  assert.equal(started.length, 1);
});

test('wrong arguments are refused before anyone is asked', async () => {
  const wrong: readonly (readonly [object, RegExp])[] = [
    [{}, /“agent” is missing/],
    [{ agent: 'Codex' }, /“prompt” is missing/],
    [{ agent: ['Codex'], prompt: 'x' }, /“agent” is missing/],
    [{ agent: 'Rogue', prompt: 'x' }, /Use a name that listAgents returns/],
    [{ agent: 'Codex', prompt: ' \n' }, /“prompt” is empty/],
    [{ agent: 'Codex', prompt: 'x'.repeat(50_001) }, /a shorter one/],
  ];
  for (const [args, problem] of wrong) {
    const { outcome, asked, judged, started } = await call('startSession', args, { answer: 'allow', rule: 'allow' });
    assert.match(outcome, problem);
    assert.deepEqual([asked.length, judged.length, started.length], [0, 0, 0]);
  }
});

test('at the limit, the user is not asked', async () => {
  const check = () => {
    throw new ToolProblem('Too many.');
  };
  const { outcome, asked, started } = await call('startSession', task, { answer: 'allow', check });
  assert.equal(outcome, 'Problem: Too many.');
  assert.deepEqual([asked.length, started.length], [0, 0]);
});

test('an answer comes with what became of the session', async () => {
  const read = async (result: SessionAnswer) =>
    (await call('readAnswer', { session: 'session:2' }, { result })).outcome;
  assert.equal(await read({ state: 'completed', text: '3 files' }), '3 files');
  assert.equal(await read({ state: 'stopped', text: 'So far: 2' }), 'The user stopped the session.\n\nSo far: 2');
  assert.match(await read({ state: 'running', text: '' }), /Call readAnswer again/);
  assert.match(await read({ state: 'waitsForUser', text: '' }), /waits for the user/);
  assert.match(await read({ state: 'completed', text: 'x'.repeat(30_001) }), /x\n… The rest is too long\.$/);
  assert.equal((await call('listAgents', {})).outcome, 'Codex\nGemini');
});
