import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { lives, pidsOf, PoolHarness, workspace } from '../../../test/unit-support/poolHarness';
import { SandboxFailure } from '../../shared/limits/sandbox';
import type { AgentSpec } from '../spec/agentSpec';
import type { Finding } from './check';
import { agentTimeout, checkAgent, waitingStep, type AgentCheckOptions } from './checkAgent';

let harness = new PoolHarness();
afterEach(async () => {
  await harness.pool.stopAll();
  for (const pid of pidsOf(harness)) assert.equal(lives(pid), false, `process ${pid} is left`);
  harness = new PoolHarness();
});

/** Checks an agent with this script. `late` fires the timer of that many milliseconds as soon as it is set. */
function check(
  script: object,
  {
    changes = {},
    signal = new AbortController().signal,
    late,
    ...more
  }: { changes?: Partial<AgentSpec>; signal?: AbortSignal; late?: number } & Partial<AgentCheckOptions> = {},
) {
  const spec: AgentSpec = { ...harness.spec(script), ...changes };
  const schedule = (ms: number, action: () => void) => {
    const timer = setTimeout(action, ms === late ? 0 : ms);
    return { dispose: () => clearTimeout(timer) };
  };
  return checkAgent(
    spec,
    { lease: () => harness.pool.lease(spec, workspace), now: () => 0, schedule, ...more },
    signal,
  );
}

const initialize = { protocolVersion: 1, agentInfo: { name: 'codex', version: '2.1.0' } };

test('an agent that completes the handshake passes without a session', async () => {
  const finding = await check({ initialize });
  assert.deepEqual([finding.state, finding.summary, finding.fix], ['ok', 'works, version 2.1.0', undefined]);
  assert.match(finding.detail, /It started and answered in 0\.0 s\. It needs no login\./);
  assert.deepEqual(harness.sent(), ['initialize']);
  await harness.pool.stopAll();
});

test('reports an agent that speaks another version of the protocol', async () => {
  harness = new PoolHarness({ versions: { mayOffer: () => true, note: () => undefined } });
  const finding = await check({ version: 2 });
  assert.match(finding.detail, /It uses version 2 of the protocol\./);
});

test('mentions when an agent with login methods reports no account', async () => {
  const finding = await check({ initialize: { ...initialize, authMethods: [{ id: 'a', name: 'Account' }] } });
  assert.match(finding.detail, /It asks for a login when a session needs one/);
});

test('offers the login if nobody is logged in, without account names', async () => {
  const can = { ...initialize, agentCapabilities: { auth: { status: {} } }, authMethods: [{ id: 'a', name: 'A' }] };
  const out = await check({ initialize: can, answers: { 'auth/status': { state: 'unauthenticated' } } });
  assert.deepEqual([out.state, out.summary, out.fix?.kind], ['note', 'not logged in', 'logIn']);
  harness = new PoolHarness();
  const accounts = [{ label: 'Pro', email: 'ada@example.com', active: true }];
  const logged = await check({ initialize: can, answers: { 'auth/status': { state: 'authenticated', accounts } } });
  assert.match(logged.detail, /You’re logged in\./);
  assert.doesNotMatch(JSON.stringify(logged), /ada@/);
});

test("Qwen's own check, skills, and hooks are part of the finding", async () => {
  // Recorded from Qwen Code 0.24.4, shortened.
  const skill = { kind: 'skill', status: 'ok', name: 'my-skill', level: 'project', modelInvocable: true };
  const hook = { kind: 'hook', eventName: 'PreToolUse', config: { type: 'command' }, source: 'user', enabled: true };
  const auth = { kind: 'auth', locality: 'acp', status: 'ok', detail: { source: 'openai', hasToken: true } };
  const egress = { kind: 'egress', status: 'not_started', locality: 'acp', hint: 'not yet implemented' };
  const mcp = {
    kind: 'mcp_discovery',
    locality: 'acp',
    status: 'error',
    errorKind: 'protocol_error',
    error: '1/1 MCP server(s) disconnected after discovery.',
  };
  const qwen = { ...initialize, agentInfo: { name: 'qwen-code', version: '0.24.4' } };
  const answers = (cells: readonly object[]) => ({
    'qwen/status/workspace/preflight': { cells },
    'qwen/status/workspace/skills': { v: 1, initialized: true, skills: [skill, { ...skill, name: 'next' }] },
    'qwen/status/workspace/hooks': { v: 1, disabled: false, hooks: [hook], events: {} },
  });
  const good = await check({ initialize: qwen, answers: answers([auth, egress]) });
  assert.equal(good.state, 'ok');
  assert.match(good.detail, /It has 2 skills\. It runs 1 hook\.$/);
  harness = new PoolHarness();
  const bad = await check({ initialize: qwen, answers: answers([auth, mcp]) });
  assert.deepEqual([bad.state, bad.summary], ['note', 'works, version 0.24.4, with warnings']);
  assert.match(bad.detail, /Its own check: 1\/1 MCP server\(s\) disconnected after discovery\.$/);
  harness = new PoolHarness();
  // An older one has none of these methods, and later ones may answer otherwise.
  for (const odd of [{}, { 'qwen/status/workspace/preflight': { cells: 4 }, 'qwen/status/workspace/skills': [] }]) {
    const old = await check({ initialize: qwen, answers: odd });
    assert.equal(old.detail, 'It started and answered in 0.0 s. It needs no login.');
  }
});

test('a missing program leads to the settings or the agent list', async () => {
  const own = await check({}, { changes: { command: '/nowhere/codex' } });
  assert.deepEqual([own.state, own.summary, own.fix?.kind], ['problem', 'program not found', 'openSettings']);
  assert.match(own.detail, /Couldn’t start Codex: the program “\/nowhere\/codex” wasn’t found/);
  const added = await check({}, { changes: { command: '/nowhere/codex', source: 'registry' } });
  assert.equal(added.fix?.kind, 'addAgent');
});

test('a program that cannot be run leads to the settings', async () => {
  const folder = await check({}, { changes: { command: process.cwd() } });
  assert.deepEqual([folder.state, folder.summary, folder.fix?.kind], ['problem', 'doesn’t start', 'openSettings']);
  const failed = await check({}, { changes: { command: process.execPath, args: ['-e', 'process.exit(3)'] } });
  assert.equal(failed.fix?.kind, 'openSettings');
  const noisy = await check({}, { changes: { command: process.execPath, args: ['-e', 'console.error("No key")'] } });
  assert.deepEqual([noisy.fix?.kind, /Its last output: No key$/.test(noisy.detail)], ['showLog', true]);
});

test('leaves a missing sandbox to the check of the sandbox', async () => {
  harness = new PoolHarness({
    sandbox: { enclose: () => Promise.reject(new SandboxFailure('bubblewrap is missing.')) },
  });
  const finding = await check({ initialize }, { changes: { sandbox: 'files' } });
  assert.deepEqual([finding.state, finding.summary, finding.fix], ['problem', 'doesn’t start', undefined]);
  assert.match(finding.detail, /bubblewrap is missing\.$/);
});

test('offers the log for an agent that exits or is silent', async () => {
  const refused = await check({ initialize: { error: { code: -32603, message: 'No licence' } } });
  assert.deepEqual([refused.state, refused.summary, refused.fix?.kind], ['problem', 'doesn’t start', 'showLog']);
  assert.match(refused.detail, /No licence/);
  const silent = await check({ initialize: 'silent' }, { late: agentTimeout });
  assert.deepEqual([silent.state, silent.summary, silent.fix?.kind], ['problem', 'no response', 'showLog']);
});

test('says early what a program printed in place of messages', async () => {
  const enough = new AbortController();
  const print = 'console.log("Welcome! Type your question:"); setInterval(() => {}, 1000)';
  const heard: Finding[] = [];
  const finding = await check(
    {},
    {
      changes: { command: process.execPath, args: ['-e', print] },
      late: waitingStep,
      enough: enough.signal,
      waiting: (soFar) => {
        heard.push(soFar);
        if (soFar.detail.includes('Welcome')) enough.abort();
      },
    },
  );
  const first = heard[0];
  assert.match(first?.detail ?? '', /^Codex hasn’t responded for 5 s\..*missing an argument such as --acp\.$/);
  assert.equal(first?.state, 'note');
  assert.match(heard.at(-1)?.detail ?? '', /It printed text that isn’t an ACP message: “Welcome! Type your question:”/);
  assert.deepEqual([finding.state, finding.summary, finding.fix?.kind], ['problem', 'no response', 'openSettings']);
});

test('a slow agent that answers passes, whatever was said before', async () => {
  const heard: Finding[] = [];
  const print =
    'import("node:readline").then(({ createInterface }) => createInterface({ input: process.stdin }).on("line", (line) => setTimeout(() => console.log(JSON.stringify({ jsonrpc: "2.0", id: JSON.parse(line).id, result: { protocolVersion: 1, agentCapabilities: {} } })), 100)))';
  const finding = await check(
    {},
    {
      changes: { command: process.execPath, args: ['-e', print] },
      late: waitingStep,
      waiting: (soFar) => heard.push(soFar),
    },
  );
  assert.equal(heard.length > 0, true);
  assert.equal(finding.state, 'ok', finding.detail);
});

test('a cancelled check stops the agent', async () => {
  const cancelled = new AbortController();
  const found = check({ initialize: 'silent' }, { signal: cancelled.signal });
  setImmediate(() => cancelled.abort());
  assert.deepEqual([(await found).state, (await found).detail], ['skipped', 'Cancelled.']);
});

test('starts no agent without trust and explains why', async () => {
  harness = new PoolHarness({ isTrusted: () => false });
  const finding = await check({ initialize });
  assert.deepEqual([finding.state, finding.fix?.kind], ['problem', 'manageTrust']);
  assert.deepEqual(pidsOf(harness), []);
});
