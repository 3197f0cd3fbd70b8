import assert from 'node:assert/strict';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, suite, test } from 'node:test';
import { ProcessMark } from '../../../test/unit-support/markedProcesses';
import { posixOnly } from '../../../test/unit-support/platform';
import { SpawnFailure, startAgentProcess, type AgentLaunch } from './agentProcess';

const mark = new ProcessMark();
after(() => mark.clean());

suite('starting an agent process', () => {
  async function failure(launch: Partial<AgentLaunch>): Promise<SpawnFailure> {
    const whole: AgentLaunch = { command: process.execPath, args: [], env: mark.env, cwd: process.cwd(), ...launch };
    const error: unknown = await startAgentProcess(whole).then(
      () => assert.fail('It started.'),
      (reason: unknown) => reason,
    );
    assert.ok(error instanceof SpawnFailure);
    return error;
  }

  test('reports a missing program by its name', posixOnly, async () => {
    const error = await failure({ command: 'no-such-agent' });
    assert.equal(error.kind, 'notFound');
    assert.equal(error.command, 'no-such-agent');
    assert.match(error.message, /Couldn’t find the program .*no-such-agent/);
  });

  test('reports a missing or invalid folder instead of blaming the program', posixOnly, async () => {
    for (const cwd of [join(process.cwd(), 'no-such-folder'), join(process.cwd(), 'package.json'), 'src']) {
      const error = await failure({ cwd });
      assert.equal(error.kind, 'badCwd');
      assert.ok(error.message.includes(cwd));
    }
  });

  test('reports files without execute permission or interpreter as not executable', posixOnly, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'parley-'));
    try {
      const plain = join(folder, 'plain');
      await writeFile(plain, 'text');
      assert.equal((await failure({ command: plain })).kind, 'notExecutable');
      const orphan = join(folder, 'orphan');
      await writeFile(orphan, '#!/no/such/interpreter\n');
      await chmod(orphan, 0o755);
      const error = await failure({ command: orphan });
      assert.equal(error.kind, 'notExecutable');
      assert.match(error.message, /interpreter/);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test("reports arguments that the system can't pass without crashing", posixOnly, async () => {
    assert.equal((await failure({ args: ['a\0b'] })).kind, 'other');
  });

  test('the agent gets only the environment of its launch', posixOnly, async () => {
    const script = 'process.stdout.write(JSON.stringify(Object.keys(process.env).sort()) + "\\n")';
    const env = { ...mark.env, ONLY: '1' };
    const agent = await startAgentProcess({ command: process.execPath, args: ['-e', script], env, cwd: process.cwd() });
    const [line] = (await once(createInterface({ input: agent.stdout }), 'line')) as [string];
    assert.deepEqual(JSON.parse(line), Object.keys(env).sort());
    await agent.stop();
  });
});
