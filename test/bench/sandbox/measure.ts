import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { heldPlaces } from '../../../src/sandbox/places/heldPlaces';
import { startSandbox } from '../../../src/sandbox/keeper/startSandbox';
import { policyOf } from '../../../src/sandbox/places/policy';
import type { Sandbox } from '../../../src/shared/limits/sandbox';
import type { SandboxMode } from '../../../src/shared/limits/sandboxMode';
import { connect } from '../protocol/parleyClient';
import { UpdateCheck } from '../protocol/updates.mjs';

const [root = ''] = process.argv.slice(2);
const [folder, home] = [join(root, 'project'), join(root, 'home')];
mkdirSync(folder);
mkdirSync(home);

const updates = 200_000;
const rounds = 5;
const env = { PATH: process.env['PATH'] ?? '', HOME: home };
const keeperPath = resolve('dist', 'sandboxKeeper.js');
const agent = [resolve('test', 'bench', 'protocol', 'floodAgent.mjs'), String(updates), '100'];

interface Measured {
  readonly start: number;
  readonly messages: number;
}

/** Starts an agent, from nothing to its first answer, and receives its messages. */
async function measure(mode: SandboxMode): Promise<Measured> {
  const begin = performance.now();
  let command = {
    file: process.execPath,
    args: agent as readonly string[],
    env: env as Readonly<Record<string, string>>,
  };
  let sandbox: Sandbox | undefined;
  if (mode !== 'off') {
    const commands = [[command.file, ...agent] as const];
    const programs = [command.file, resolve('test', 'bench', 'protocol', 'floodAgent.mjs'), keeperPath];
    const own = { folders: [folder], held: [heldPlaces(folder)], sharedGit: [], localPorts: [], programs };
    const policy = policyOf({ mode, commands, env, home, packages: false, ...own });
    sandbox = await startSandbox({ policy, keeperPath, env });
    command = await sandbox.wrap(command);
  }
  const check = new UpdateCheck();
  const child: ChildProcessByStdio<Writable, Readable, null> = spawn(command.file, command.args, {
    cwd: folder,
    env: command.env,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const peer = connect(child, (text) => check.receive(text));
  await peer.initialize();
  const start = performance.now() - begin;
  const { sessionId } = (await peer.newSession(folder)) as { sessionId: string };
  const sent = performance.now();
  await peer.prompt(sessionId);
  const messages = performance.now() - sent;
  check.assertComplete(updates);
  peer.close();
  child.kill();
  sandbox?.dispose();
  return { start, messages };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}

const modes = [
  { mode: 'off', words: 'without a sandbox', startBudget: 500 },
  { mode: 'files', words: 'in a sandbox, files', startBudget: 2000 },
  { mode: 'filesAndNetwork', words: 'in a sandbox, files and network', startBudget: 2500 },
] as const;
const measured = modes.map((plan) => ({ ...plan, runs: [] as Measured[] }));
// By turns, so that whatever else the machine does meets all of them.
for (let round = 0; round < rounds; round += 1) {
  for (const { mode, runs } of measured) runs.push(await measure(mode));
}
const startOf = (runs: readonly Measured[]) => median(runs.map(({ start }) => start));
const [bare] = measured;
const startWithout = startOf(bare?.runs ?? []);
const rows = measured.flatMap(({ words, startBudget, runs }) => [
  { name: `an agent's start, ${words}`, value: startOf(runs), budget: startBudget },
  {
    name: `${updates.toLocaleString('en')} messages, ${words}`,
    value: median(runs.map(({ messages }) => messages)),
    budget: 5000,
  },
]);
const added = measured
  .filter(({ mode }) => mode !== 'off')
  .map(({ words, runs }) => ({
    name: `what a start takes longer, ${words}`,
    value: startOf(runs) - startWithout,
    budget: 400,
  }));
console.log(JSON.stringify([...rows, ...added]));
