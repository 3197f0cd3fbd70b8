// Qwen Code as a server on loopback: the one program on npm that serves ACP over HTTP and WebSocket.
import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';
import type { AgentSpec } from '../../src/agent/spec/agentSpec';
import type { AgentId } from '../../src/shared/values/ids';
import { all, asks, isDone, isReady, PoolHarness, text, until } from '../unit-support/poolHarness';
import { ChaosProxy } from '../unit-support/chaosProxy';
import { recipes } from './agentRecipes.mjs';
import { installAgent } from './installAgent.mjs';
import { startModelServer, type ModelRequest, type ModelStep } from './modelServer.mjs';

const token = 'qwen-token-of-the-test';
let step: (request: ModelRequest) => ModelStep | Promise<ModelStep> = () => ({ text: 'Hello from Qwen.' });
let model: Awaited<ReturnType<typeof startModelServer>>;
let qwen: ChildProcess;
let home: string;
let port: number;
let proxy: ChaosProxy;
let harness = new PoolHarness();

async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const found = (server.address() as AddressInfo).port;
  server.close();
  await once(server, 'close');
  return found;
}

before(async () => {
  model = await startModelServer((request) => step(request));
  home = await mkdtemp(join(tmpdir(), 'parley-qwen-'));
  await mkdir(join(home, '.qwen'));
  await writeFile(join(home, '.qwen', 'settings.json'), JSON.stringify({ tools: { approvalMode: 'default' } }));
  const folder = await installAgent(recipes.qwen);
  port = await freePort();
  const args = ['serve', '--port', String(port), '--no-web', '--workspace', home, '--token', token, '--require-auth'];
  qwen = spawn(process.execPath, [join(folder, recipes.qwen.program), ...args], {
    env: { PATH: process.env['PATH'], HOME: home, ...recipes.qwen.env(home, model.url) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  await new Promise<void>((resolve, reject) => {
    const onText = (part: Buffer) => {
      printed += part.toString();
      if (printed.includes(String(port))) resolve();
    };
    qwen.stdout?.on('data', onText);
    qwen.stderr?.on('data', onText);
    qwen.once('exit', () => reject(new Error(`qwen serve has exited: ${printed}`)));
  });
  proxy = await ChaosProxy.open(port);
});
after(async () => {
  await proxy.stop();
  const exited = once(qwen, 'exit');
  qwen.kill();
  await exited;
  await model.close();
  await rm(home, { recursive: true, force: true });
});
afterEach(async () => {
  await harness.pool.stopAll();
  harness = new PoolHarness();
});

function spec(kind: 'http' | 'ws', bearer = token): AgentSpec {
  return {
    id: 'settings:Qwen' as AgentId,
    name: 'Qwen',
    source: 'settings',
    command: '',
    args: [],
    env: {},
    url: `${kind}://127.0.0.1:${proxy.port}/acp`,
    // Qwen answers only requests for its own port.
    headers: { Authorization: `Bearer ${bearer}`, Host: `127.0.0.1:${port}` },
    cwd: home,
  };
}

for (const kind of ['http', 'ws'] as const) {
  void describe(`qwen serve over ${kind}`, { timeout: 120_000 }, () => {
    void it('answers, asks before it edits, and edits on its own machine', async () => {
      const file = join(home, `${kind}.txt`);
      await writeFile(file, 'old\n');
      step = ({ rounds, tools }) => {
        if (rounds > 1) return { text: 'Edited the file.' };
        const read = tools.includes('read_file') ? 'read_file' : 'read';
        if (rounds === 0) return { calls: [{ name: read, input: { file_path: file, absolute_path: file } }] };
        return { calls: [{ name: 'edit', input: { file_path: file, old_string: 'old', new_string: 'new' } }] };
      };
      const session = harness.start(spec(kind));
      session.sendPrompt('Edit it');
      await until(session, asks);
      const call = all(session, 'tool_call').find(({ permission }) => permission.state === 'asked');
      if (call?.permission.state === 'asked') {
        const option = call.permission.options.find((one) => one.kind === 'allow_once');
        session.answerPermission(call.permission.request, option?.optionId ?? '');
      }
      await until(session, (one) => isDone(one) && text(one).includes('Edited the file.'));
      assert.equal(await readFile(file, 'utf8'), 'new\n');
      assert.equal(JSON.stringify(harness.pool.traffic[0]!.traffic.entries()).includes(token), false);
    });

    void it('reconnects to the same session after a broken connection', async () => {
      step = ({ prompt }) => ({ text: `Answer to ${prompt}.` });
      const session = harness.start(spec(kind));
      session.sendPrompt('one');
      await until(session, (one) => isDone(one) && text(one).includes('Answer to one.'));
      const { sessionId } = session.transcript.view;
      proxy.drop();
      await until(session, (one) => isReady(one) && text(one).includes('Reconnected'));
      assert.equal(session.transcript.view.sessionId, sessionId, text(session));
      session.sendPrompt('two');
      await until(session, (one) => isDone(one) && text(one).includes('Answer to two.'));
      // Over WebSocket, Qwen replays the conversation when the next message is sent.
      if (kind === 'http') assert.equal(text(session).split('Answer to one.').length, 2, text(session));
    });

    void it('rejects a wrong token with a message', async () => {
      const session = harness.start(spec(kind, 'wrong'));
      await until(session, (one) => all(one, 'error').length > 0);
      assert.match(all(session, 'error')[0]?.cause ?? '', /needs a valid token \(401\)/);
    });
  });
}
