import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { all, isDone, isReady, isRunning, PoolHarness, text, until } from '../../../test/unit-support/poolHarness';
import { gate, RemoteServer } from '../../../test/unit-support/remoteServer';
import type { AgentId } from '../../shared/values/ids';
import type { AgentSpec } from '../spec/agentSpec';

/* Version 2 of the protocol with agents on other machines. */

const noted: number[] = [];
const versions = {
  mayOffer: () => true,
  note: (_spec: AgentSpec, _agentVersion: string, version: number) => void noted.push(version),
};
const start = () => new PoolHarness({ versions });
let test = start();

afterEach(async () => {
  await test.pool.stopAll();
  test = start();
  noted.length = 0;
});

const remote = (url: string): AgentSpec => ({
  id: 'settings:Codex' as AgentId,
  name: 'Codex',
  source: 'settings',
  command: '',
  args: [],
  env: {},
  url,
  headers: {},
  protocolVersion: 'auto',
});

for (const kind of ['http', 'ws'] as const) {
  void describe(`version 2 behind ${kind}`, { timeout: 60_000 }, () => {
    void it('resumes a long turn after a lost connection until it ends', async () => {
      let goOn = () => {};
      const released = new Promise<void>((resolve) => (goOn = resolve));
      const server = await RemoteServer.start({
        speaksSecond: true,
        onPrompt: async (turn) => {
          await turn.say('Before. ');
          await released;
          await turn.say('After.');
        },
      });
      const session = test.start(remote(server[kind]));
      session.sendPrompt('Work');
      await until(session, (one) => text(one).includes('Before.') && isRunning(one));
      server.drop();
      await until(session, (one) => text(one).includes('Reconnected to Codex') && isReady(one) && isRunning(one));
      const resumed = server.methods.find(({ method }) => method === 'session/resume');
      assert.deepEqual(resumed?.params['replayFrom'], { type: 'start' });
      assert.deepEqual(server.prompts, ['Work']);
      assert.equal(text(session).split('Before.').length, 2, text(session));
      assert.match(text(session), /Reconnected to Codex\n {2}The agent is still working\./);
      assert.doesNotMatch(text(session), /Turn ended/);
      assert.deepEqual(noted, [2, 2]);
      goOn();
      await until(session, (one) => !isRunning(one));
    });

    void it('shows what ran meanwhile as running, with all of its output', async () => {
      const [isDropped, isTold, goOn] = [gate(), gate(), gate()];
      const call = { sessionUpdate: 'tool_call_update', toolCallId: 'c1' };
      const output = (data: string) => ({
        sessionUpdate: 'terminal_output_chunk',
        terminalId: 't1',
        data: Buffer.from(data).toString('base64'),
      });
      const server = await RemoteServer.start({
        speaksSecond: true,
        onPrompt: async (turn) => {
          await turn.tell({ sessionUpdate: 'terminal_update', terminalId: 't1', command: 'npm test' });
          const content = [{ type: 'terminal', terminalId: 't1' }];
          await turn.tell({ ...call, title: 'Test', kind: 'execute', status: 'in_progress', content });
          await turn.tell(output('one '));
          await isDropped.isOpen;
          await turn.tell(output('two '));
          isTold.open();
          await goOn.isOpen;
          await turn.tell(output('three'));
          await turn.tell({ ...call, status: 'completed' });
        },
      });
      const session = test.start(remote(server[kind]));
      session.sendPrompt('Work');
      const printed = (one: typeof session) => [...one.transcript.terminals.values()][0]?.output;
      await until(session, (one) => printed(one) === 'one ');
      server.drop();
      await until(session, (one) => text(one).includes('Reconnecting'));
      isDropped.open();
      await isTold.isOpen;
      await until(session, (one) => isReady(one) && text(one).includes('Reconnected'));
      const [tool] = all(session, 'tool_call');
      assert.deepEqual([tool?.status, tool?.endedAt, printed(session)], ['in_progress', undefined, 'one two ']);
      goOn.open();
      await until(session, (one) => !isRunning(one));
      assert.deepEqual(
        all(session, 'tool_call').map(({ status }) => status),
        ['completed'],
      );
      assert.equal(printed(session), 'one two three');
    });

    void it("isn't offered terminal logins of this machine", async () => {
      const server = await RemoteServer.start({ speaksSecond: true });
      const session = test.start(remote(server[kind]));
      session.sendPrompt('Hello');
      await until(session, (one) => isDone(one) && text(one).includes('You said: Hello'));
      const { capabilities } = server.methods[0]!.params as { capabilities: { auth?: object } };
      assert.equal('terminal' in (capabilities.auth ?? {}), false);
    });

    void it('is given up for version 1 in a new connection', async () => {
      const server = await RemoteServer.start();
      const session = test.start(remote(server[kind]));
      session.sendPrompt('Hello');
      await until(session, (one) => isDone(one) && text(one).includes('You said: Hello'));
      const asked = server.methods.filter(({ method }) => method === 'initialize');
      assert.deepEqual(
        asked.map(({ params }) => params['protocolVersion']),
        [2, 1],
      );
      assert.deepEqual(noted, [1]);
    });

    void it("isn't given up for a server that rejects the token", async () => {
      const server = await RemoteServer.start({ intercept: () => 403 });
      const session = test.start(remote(server[kind]));
      await until(session, ({ transcript: { view } }) => view.connection.state === 'closed');
      assert.equal(server.requests.length, 1);
      assert.deepEqual(noted, []);
    });
  });
}
