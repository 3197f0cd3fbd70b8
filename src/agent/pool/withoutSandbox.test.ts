import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isClosed, isReady, pidsOf, PoolHarness, text, until, workspace } from '../../../test/unit-support/poolHarness';
import type { Session } from '../../session/session';
import { SandboxFailure, type Sandbox } from '../../shared/limits/sandbox';
import type { AgentLaunch } from '../process/agentProcess';

const hasEndedOrBegun = (session: Session) => isClosed(session) || isReady(session);

test('an agent whose sandbox can’t be made never starts', async () => {
  const enclose = () => Promise.reject(new SandboxFailure('There is no bubblewrap.'));
  const harness = new PoolHarness({ sandbox: { enclose } });
  const session = harness.pool.createSession({ spec: harness.spec({}), cwd: workspace, sandbox: 'files' });
  session.sendPrompt('go');
  await until(session, hasEndedOrBegun);
  assert.ok(isClosed(session));
  assert.match(text(session), /Couldn’t start .* in its sandbox\.[^]*There is no bubblewrap\./);
  assert.deepEqual(pidsOf(harness), []);
});

test('an agent never starts where nothing makes its sandbox', async () => {
  const harness = new PoolHarness();
  const session = harness.pool.createSession({ spec: harness.spec({}), cwd: workspace, sandbox: 'files' });
  session.sendPrompt('go');
  await until(session, hasEndedOrBegun);
  assert.ok(isClosed(session));
  assert.deepEqual(pidsOf(harness), []);
});

/** Starts an agent in a sandbox whose program prints this and exits. Returns what its session shows. */
async function startedIn(words: string): Promise<string> {
  const sandbox = {
    onDidBlock: () => ({ dispose: () => undefined }),
    dispose: () => undefined,
    ended: () => undefined,
  };
  const enclose = (_spec: unknown, _cwd: string, launch: AgentLaunch): Promise<AgentLaunch> =>
    Promise.resolve({
      ...launch,
      command: process.execPath,
      args: ['-e', `console.error(${JSON.stringify(words)}); process.exitCode = 1;`],
      sandbox: sandbox as unknown as Sandbox,
    });
  const harness = new PoolHarness({ sandbox: { enclose } });
  const session = harness.pool.createSession({ spec: harness.spec({}), cwd: workspace, sandbox: 'files' });
  session.sendPrompt('go');
  await until(session, isClosed);
  return text(session);
}

test('a start that fails in the sandbox says so, with its cause', async () => {
  assert.match(
    await startedIn("bwrap: Can't bind mount /a on /b: No such file"),
    /in its sandbox\.[^]*The sandbox couldn’t be made: Can't bind mount \/a on \/b: No such file\. Try again, or select another sandbox/,
  );
  assert.match(
    await startedIn('Error: EACCES'),
    /exit code 1[^]*It ran in its sandbox[^]*parley\.sandboxFolders[^]*EACCES/,
  );
});
