import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { all, asks, isDone, lives, pidsOf, PoolHarness, text, until } from '../../../test/unit-support/poolHarness';

let test = new PoolHarness();
afterEach(async () => {
  await test.pool.stopAll();
  for (const pid of pidsOf(test)) assert.equal(lives(pid), false, `process ${pid} is left`);
  test = new PoolHarness();
});

const update = (fields: object) => ({ update: fields });
const report = { report: true };

void describe('requests of an agent', () => {
  void it('access files; malformed requests get the matching error code', async () => {
    test.services.texts.set('/a.txt', 'one\ntwo\nthree\n');
    const read = (params: object) => [
      { request: 'fs/read_text_file', params },
      report,
      { notify: 'x' },
      update(breaks),
    ];
    const breaks = { sessionUpdate: 'plan', entries: [] };
    const session = test.start({
      turns: [
        {
          steps: [
            ...read({ path: '/a.txt', line: 2, limit: 1 }),
            ...read({ path: '/ghost' }),
            ...read({ path: 'a.txt' }),
            ...read({ path: '/a.txt', line: 'x' }),
            ...read({ path: '/a.txt', limit: -1 }),
            ...read({ path: '/a.txt', sessionId: 'nobody' }),
            { request: 'fs/write_text_file', params: { path: '/b.txt', content: 'new' } },
            report,
            update(breaks),
            { request: 'fs/write_text_file', params: { path: '/b.txt' } },
            report,
            update(breaks),
            { request: '_vendor/thing' },
            report,
          ],
        },
      ],
    });
    session.sendPrompt('go');
    await until(session, isDone);
    const answers = all(session, 'agent_message').map(({ content: [block] }) => {
      const answer = JSON.parse(block?.type === 'text' ? block.text : '') as { error?: { code: number } };
      return answer.error?.code ?? answer;
    });
    assert.deepEqual(answers, [{ content: 'two\n' }, -32002, -32602, -32602, -32602, -32602, {}, -32602, -32601]);
    assert.equal(test.services.texts.get('/b.txt'), 'new');
  });

  void it('run terminals to their end and show them after their release', async () => {
    const terminal = (method: string) => ({ request: `terminal/${method}`, params: { terminalId: 't1' } });
    const breaks = update({ sessionUpdate: 'plan', entries: [] });
    const session = test.start({
      turns: [
        {
          steps: [
            { request: 'terminal/create', params: { command: 'make', args: ['all'], env: null } },
            update({
              sessionUpdate: 'tool_call',
              toolCallId: 'c',
              title: 'make',
              status: 'in_progress',
              content: [{ type: 'terminal', terminalId: '$answer.terminalId' }],
            }),
            terminal('output'),
            report,
            breaks,
            { ask: 'terminal/wait_for_exit', params: { terminalId: 't1' } },
            { say: 'waiting' },
            { waitForAsked: true },
            breaks,
            report,
            breaks,
            terminal('output'),
            report,
            breaks,
            terminal('kill'),
            report,
            breaks,
            terminal('release'),
            report,
            breaks,
            terminal('output'),
            report,
            breaks,
            terminal('wait_for_exit'),
            report,
            breaks,
            { request: 'terminal/create', params: { args: ['x'] } },
            report,
          ],
        },
      ],
    });
    session.sendPrompt('go');
    await until(session, () => text(session).includes('waiting'));
    const [made] = test.services.made;
    made!.print('built\n');
    made!.exit({ exitCode: 2 });
    await until(session, isDone);
    const answers = all(session, 'agent_message').map(({ content: [block] }) =>
      block?.type === 'text' ? block.text : '',
    );
    assert.deepEqual(answers.slice(0, 7), [
      '{"output":"$ ","truncated":false}',
      'waiting',
      '{"exitCode":2,"signal":null}',
      '{"output":"$ built\\n","truncated":false,"exitStatus":{"exitCode":2,"signal":null}}',
      '{}',
      '{}',
      '{"error":{"code":-32002,"message":"Terminal not found: t1","data":{"terminalId":"t1"}}}',
    ]);
    assert.match(answers[7]!, /-32002/);
    assert.match(answers[8]!, /-32602/);
    assert.match(
      text(session),
      /Tool call \(other, completed\): make\n {2}terminal \(pipe, exit 2\): make all\n {4}\$ built/,
    );
    assert.deepEqual(made!.calls, ['kill', 'release']);
  });

  void it('free the terminals of a closed session', async () => {
    const session = test.start({
      turns: [{ steps: [{ request: 'terminal/create', params: { command: 'x' } }, { waitForCancel: true }] }],
    });
    session.sendPrompt('go');
    await until(session, () => test.services.made.length > 0 && session.transcript.terminals.size > 0);
    session.close();
    assert.deepEqual(test.services.made[0]!.calls, ['release']);
  });

  void it('return empty text for missing files, only for Gemini', async () => {
    for (const [name, expected] of [
      ['gemini-cli', { content: '' }],
      ['other', -32002],
    ] as const) {
      const read = { request: 'fs/read_text_file', params: { path: '/ghost' } };
      const session = test.start({
        initialize: { agentInfo: { name, version: '1' } },
        turns: [{ steps: [read, report] }],
      });
      session.sendPrompt('go');
      await until(session, isDone);
      const [block] = all(session, 'agent_message')[0]!.content;
      const answer = JSON.parse(block?.type === 'text' ? block.text : '') as { error?: { code: number } };
      assert.deepEqual(answer.error?.code ?? answer, expected);
      session.close();
    }
  });

  void it('are allowed only when the files before the turn are recorded', async () => {
    const order: string[] = [];
    let record = () => {};
    const recorded = new Promise<void>((resolve) => (record = resolve));
    test.services.beforeWork = () => {
      order.push('held');
      return recorded.then(() => void order.push('recorded'));
    };
    const params = {
      toolCall: { toolCallId: 'c', title: 'Edit' },
      options: [{ optionId: 'yes', name: 'Allow', kind: 'allow_once' }],
    };
    const session = test.start({ turns: [{ steps: [{ request: 'session/request_permission', params }, report] }] });
    session.sendPrompt('one');
    await until(session, asks);
    const { permission } = all(session, 'tool_call')[0]!;
    assert.ok(permission.state === 'asked');
    session.answerPermission(permission.request, 'yes');
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(order, ['held']);
    record();
    await until(session, isDone);
    assert.deepEqual(order, ['held', 'recorded']);
    assert.match(text(session), /yes/);
  });

  void it('show permission requests and withdraw them with the agent', async () => {
    const params = {
      toolCall: { toolCallId: 'c', title: 'Edit' },
      options: [{ optionId: 'yes', name: 'Allow', kind: 'allow_once' }],
    };
    const ask = { ask: 'session/request_permission', params };
    const session = test.start({
      turns: [
        { steps: [ask, { waitForAsked: true }, report] },
        { steps: [ask, { notify: '$/cancel_request', params: { requestId: 'r2' } }, { waitForAsked: true }, report] },
      ],
    });
    session.sendPrompt('one');
    await until(session, asks);
    const { permission } = all(session, 'tool_call')[0]!;
    assert.ok(permission.state === 'asked');
    session.answerPermission(permission.request, 'yes');
    await until(session, isDone);
    assert.match(text(session), /\{"outcome":\{"outcome":"selected","optionId":"yes"\}\}/);
    session.sendPrompt('two');
    await until(session, isDone);
    assert.match(text(session), /question withdrawn[\s\S]*("outcome":"cancelled"|-32800)/);
  });
});
