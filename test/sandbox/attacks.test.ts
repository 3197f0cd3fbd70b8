import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, it, type TestContext } from 'node:test';
import { heldPlaces } from '../../src/sandbox/places/heldPlaces';
import { policyOf } from '../../src/sandbox/places/policy';
import type { HoldingMode, Sandbox } from '../../src/shared/limits/sandbox';
import { startSandbox } from '../../src/sandbox/keeper/startSandbox';
import { buildKeeper, inSandbox, pathForSandbox } from '../unit-support/sandbox';
import { endBeforeRemoval, tempFolder } from '../unit-support/tempFolder';
import { machineAround, type Machine } from './surroundings';

const attacker = resolve('test/sandbox/attacker.mjs');
const onFiles = ['writing', 'guarded', 'reading'];
const onSystem = ['processes', 'rights'];
/** A mistake in the program itself would look like a failed attempt. */
const mistakes =
  /is not (defined|a function)|Cannot read properties|syntax error|at -e line|Can't locate|Unexpected token/;

interface Outcome {
  readonly name: string;
  /** What the attempt got. */
  readonly got?: string;
  readonly error?: string;
}

/** Ways to start the attack program, as the files and arguments of a command. */
const places = {
  'as the agent': (words: readonly string[]) => words,
  'as a command of the agent': (words: readonly string[]) => [
    '/bin/sh',
    '-c',
    words.map((word) => `'${word}'`).join(' '),
  ],
  'as a child of a child': (words: readonly string[]) => [
    ...[process.execPath, '-e'],
    `const [file, ...args] = ${JSON.stringify(['setsid', '--wait', 'sh', '-c', words.map((word) => `'${word}'`).join(' ')])};` +
      `require('child_process').spawn(file, args, { stdio: 'inherit', detached: true }).on('exit', (code) => process.exit(code))`,
  ],
} as const;

void describe('an attack from a sandbox', inSandbox, () => {
  const built = tempFolder({ after });
  let keeperPath = '';
  before(async () => {
    keeperPath = await buildKeeper(built);
  });

  async function start(context: TestContext, machine: Machine, mode: HoldingMode): Promise<Sandbox> {
    const env = { PATH: pathForSandbox, HOME: machine.home };
    const { folder, home, outside, allowed, closed, rebound } = machine;
    const policy = policyOf({
      mode,
      folders: [folder],
      commands: [['agent']],
      env,
      home,
      packages: false,
      sharedGit: [],
      held: [heldPlaces(folder)],
      programs: [attacker, process.execPath],
      localPorts: [allowed],
    });
    const records = join(machine.folder, '..', 'records');
    // Most of the machine can be read. This part of it is among temporary files, which can't.
    const stillReadable = [...(policy.stillReadable ?? []), outside];
    const held = { ...policy, stillReadable, hosts: [`${rebound}:${closed}`] };
    const sandbox = await startSandbox({ policy: held, keeperPath, env, records });
    endBeforeRemoval(context, () => sandbox.dispose());
    sandbox.askHost = () => Promise.resolve({ allow: false, reason: 'The user said no' });
    return sandbox;
  }

  /** Runs a program inside and resolves to what it printed. */
  async function run(sandbox: Sandbox, machine: Machine, words: readonly string[]): Promise<string> {
    const [file = '', ...args] = words;
    const env = { PATH: pathForSandbox, HOME: machine.home, ATTACK: JSON.stringify(machine) };
    const inner = await sandbox.wrap({ file, args, env });
    const child = spawn(inner.file, inner.args, {
      cwd: machine.folder,
      env: inner.env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const output = await text(child.stdout);
    if (child.exitCode === null) await once(child, 'exit');
    sandbox.ended();
    return output;
  }

  for (const mode of ['files', 'filesAndNetwork'] as const) {
    const groups = [...onFiles, ...onSystem, ...(mode === 'filesAndNetwork' ? ['network'] : [])];
    for (const [place, commandOf] of Object.entries(places)) {
      void it(`fails in mode ${mode} ${place}, and the session goes on`, async (context) => {
        const machine = await machineAround(context);
        const sandbox = await start(context, machine, mode);
        const output = await run(sandbox, machine, commandOf([process.execPath, attacker, ...groups]));
        const outcomes = output
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line) as Outcome);
        assert.ok(outcomes.length >= (mode === 'files' ? 150 : 190), `${outcomes.length} attempts`);
        const succeeded = outcomes.filter(({ got }) => got !== undefined);
        assert.deepEqual(succeeded, [], 'no attempt succeeds');
        const unclear = outcomes.filter(({ error = '' }) => error.trim() === '' || mistakes.test(error));
        assert.deepEqual(unclear, [], 'each fails with a clear error');
        machine.check();
        const proof = 'proof.txt';
        await run(sandbox, machine, ['/bin/sh', '-c', `echo done > ${proof}`]);
        assert.equal(readFileSync(join(machine.folder, proof), 'utf8'), 'done\n');
      });
    }
  }

  void it('succeeds without a sandbox, so the attempts are real', async (context) => {
    const machine = await machineAround(context);
    const words = [attacker, '--dry', ...onFiles, 'processes'];
    const child = spawn(process.execPath, words, {
      cwd: machine.folder,
      env: { PATH: pathForSandbox, HOME: machine.home, ATTACK: JSON.stringify(machine) },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const outcomes = (await text(child.stdout))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Outcome);
    const succeeded = outcomes.filter(({ got }) => got !== undefined);
    assert.ok(succeeded.length >= 45, `${succeeded.length} of ${outcomes.length} attempts succeed`);
    assert.throws(() => machine.check());
  });
});
