import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, test, type TestContext } from 'node:test';
import { tempFolder } from '../../../test/unit-support/tempFolder';
import { editor } from '../../../test/unit-support/vscode';
import type { AgentLaunch } from '../../agent/process/agentProcess';
import type { AgentSpec } from '../../agent/spec/agentSpec';
import { createEnclose } from './enclose';

const onLinux = { skip: process.platform !== 'linux' && 'the programs of the sandbox are played as on Linux' };

beforeEach(() => editor.reset());

/** Plays the process that has a sandbox: whatever is to run there becomes one harmless program. */
const keeper = `process.on('message', (message) => {
  if (message.kind === 'start') process.send({ kind: 'ready' });
  else if (message.kind === 'wrap') process.send({ kind: 'wrapped', id: message.id, argv: ['/bin/true'] });
  else if (message.kind === 'end') process.exit();
});
`;

/** A machine on which the sandbox's programs are played. */
function machine(t: TestContext) {
  const root = tempFolder(t);
  const [programs, home, project, elsewhere] = ['programs', 'home', 'project', 'elsewhere'].map((name) => {
    mkdirSync(join(root, name));
    return join(root, name);
  }) as [string, string, string, string];
  for (const name of ['bwrap', 'socat', 'rg']) writeFileSync(join(programs, name), '#!/bin/sh\n', { mode: 0o755 });
  mkdirSync(join(root, 'dist'));
  writeFileSync(join(root, 'dist', 'sandboxKeeper.js'), keeper);
  const env = { PATH: programs, HOME: home, GITHUB_TOKEN: 'secret', PASSED: 'yes', MINE: 'secret' };
  const enclose = createEnclose({
    knownGit: () => Promise.resolve([]),
    extensionPath: root,
    records: '/nowhere',
    caches: '/nowhere',
    guard: { add: () => undefined, remove: () => undefined },
    packages: () => false,
    allowed: () => [],
    passed: () => ['PASSED'],
    toolsPort: () => Promise.resolve(undefined),
    serverPorts: () => Promise.resolve({ ofUser: [7001], others: [7002] }),
    environment: () => Promise.resolve({ env }),
    log: { info: () => undefined },
  });
  /** Encloses an agent that starts in another folder than its session's. Resolves to how it is started. */
  const start = async (spec: Partial<AgentSpec>, agentEnv: Readonly<Record<string, string>> = env) => {
    const launch: AgentLaunch = { command: '/bin/echo', args: [], env: agentEnv, cwd: elsewhere };
    const whole = { source: 'settings', sandbox: 'files', sandboxFolders: [], ...spec } as unknown as AgentSpec;
    const started = await enclose(whole, project, launch);
    t.after(() => started.sandbox?.dispose());
    return started;
  };
  return { home, project, elsewhere, start };
}

test('only the user’s own agent may change its start folder', onLinux, async (t) => {
  const { project, elsewhere, start } = machine(t);
  const foldersOf = async (spec: Partial<AgentSpec>) => (await start(spec)).sandbox?.policy.folders;
  assert.deepEqual(await foldersOf({}), [project, elsewhere]);
  assert.deepEqual(await foldersOf({ isOfWorkspace: true }), [project]);
  assert.deepEqual(await foldersOf({ source: 'registry' }), [project]);
});

test('the environment of a workspace’s agent decides nothing about its sandbox', onLinux, async (t) => {
  const { home, elsewhere, start } = machine(t);
  const strange = { PATH: elsewhere, HOME: elsewhere };
  const { sandbox } = await start({ isOfWorkspace: true }, strange);
  assert.ok(sandbox?.policy.unreadable.includes(join(home, '.ssh')));
  await assert.rejects(start({}, strange), /The sandbox needs these programs: bubblewrap, socat, ripgrep\./);
});

test('an agent starts outside of a sandbox only if it’s off', onLinux, async (t) => {
  const { start } = machine(t);
  assert.equal((await start({ sandbox: 'off' })).sandbox, undefined);
  const { command, sandbox } = await start({});
  assert.deepEqual([command, sandbox?.policy.mode], ['/bin/true', 'files']);
});

test('a sandboxed agent gets only the variables that are passed', onLinux, async (t) => {
  const { start } = machine(t);
  const leftOut = async (spec: Partial<AgentSpec>) => {
    const { sandbox, env } = await start(spec);
    assert.equal(Object.values(env).includes('secret'), sandbox?.policy.leftOut?.includes('MINE') !== true);
    assert.equal(env['PASSED'], 'yes');
    return sandbox?.policy.leftOut;
  };
  assert.deepEqual(await leftOut({}), ['GITHUB_TOKEN', 'MINE']);
  assert.deepEqual(await leftOut({ env: { MINE: 'secret' } }), ['GITHUB_TOKEN']);
  assert.deepEqual(await leftOut({ env: { MINE: 'secret' }, isOfWorkspace: true }), ['GITHUB_TOKEN', 'MINE']);
});

test('the user’s MCP servers are reached, and others asked about', onLinux, async (t) => {
  const { start } = machine(t);
  const portsOf = async (sandbox: 'files' | 'filesAndNetwork') => {
    const { localPorts, askedPorts } = (await start({ sandbox })).sandbox!.policy;
    return { localPorts, askedPorts };
  };
  assert.deepEqual(await portsOf('files'), { localPorts: [], askedPorts: undefined });
  assert.deepEqual(await portsOf('filesAndNetwork'), { localPorts: [7001], askedPorts: [7002] });
});
