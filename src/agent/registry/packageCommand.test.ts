import assert from 'node:assert/strict';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { posixOnly } from '../../../test/unit-support/platform';
import { startAgentProcess } from '../process/agentProcess';
import { resolveLaunch } from '../launch/launch';
import { commandText } from '../spec/commandLine';
import { addedAgentSpec, decodeAddedAgents, type AddedAgent } from './addedAgent';
import { packageCommand } from './packageCommand';
import { compareVersions, isNewer } from './compareVersions';

const run = { env: {}, args: ['--acp', 'two words'] };

suite('packages are run', () => {
  test('G02 by npx and uvx, with and without a cmd', () => {
    const text = (kind: 'npx' | 'uvx', name: string, cmd?: string) =>
      commandText(packageCommand(kind, { ...run, package: name, ...(cmd !== undefined && { cmd }) }));
    assert.equal(text('npx', '@a/b@1.0.0'), 'npx --yes @a/b@1.0.0 --acp "two words"');
    assert.equal(text('npx', '@a/b@1.0.0', 'tool'), 'npx --yes --package @a/b@1.0.0 tool --acp "two words"');
    assert.equal(text('uvx', 'b==1.0.0'), 'uvx b==1.0.0 --acp "two words"');
    assert.equal(text('uvx', 'b@1.0.0', 'tool'), 'uvx --from b@1.0.0 tool --acp "two words"');
  });

  test('G02 with exactly these arguments and variables, unchanged', posixOnly, async () => {
    const root = await mkdtemp(join(tmpdir(), 'parley-npx-'));
    try {
      await mkdir(join(root, 'bin'));
      const record = join(root, 'record');
      for (const kind of ['npx', 'uvx'] as const) {
        const program = join(root, 'bin', kind);
        await writeFile(program, `#!/bin/sh\nprintf '%s\\n' "$LEVEL" "$@" > '${record}'\n`);
        await chmod(program, 0o755);
        const line = packageCommand(kind, {
          package: 'agent@1.0.0',
          cmd: 'tool',
          args: ['two words', '${env:TOKEN}'],
          env: {},
        });
        const added: AddedAgent = { ...line, id: 'one', name: 'One', version: '1.0.0', env: { LEVEL: '${userHome}' } };
        const launch = await resolveLaunch(addedAgentSpec(added), {
          workspaceFolder: root,
          workspaceFolders: [],
          userHome: root,
          environment: async () => ({ env: { PATH: join(root, 'bin'), TOKEN: 'secret' } }),
        });
        const started = await startAgentProcess(launch);
        await new Promise<void>((resolve) => started.onDidExit(() => resolve()));
        const head = kind === 'npx' ? ['--yes', '--package'] : ['--from'];
        const words = ['${userHome}', ...head, 'agent@1.0.0', 'tool', 'two words', '${env:TOKEN}'];
        assert.deepEqual((await readFile(record, 'utf8')).trimEnd().split('\n'), words);
      }
    } finally {
      await rm(root, { recursive: true });
    }
  });
});

test('compares versions as semantic versions', () => {
  const sorted = [
    '0.9.0',
    '0.10.0',
    '1.0.0-alpha',
    '1.0.0-alpha.2',
    '1.0.0-alpha.10',
    '1.0.0-beta',
    '1.0.0rc1',
    '1.0.0rc2',
    '1.0.0',
    '1.0.1',
    '1.0.1.5',
    '2.0.0',
    '20250101000000000000.0.0',
  ];
  for (const [index, version] of sorted.entries()) {
    for (const [other, later] of sorted.entries())
      assert.equal(isNewer(later, version), other > index, `${later} ${version}`);
  }
  assert.equal(compareVersions('1.0.0+a', '1.0.0+b'), 0);
  assert.equal(compareVersions('1.0', '1.0.0'), 0);
});

test('reads added agents and skips damaged ones', () => {
  const added: AddedAgent = {
    id: 'one',
    name: 'One',
    version: '1.0.0',
    command: 'npx',
    args: ['--yes', 'one'],
    env: { A: '1' },
  };
  const bad = [
    7,
    null,
    {},
    { ...added, command: '' },
    { ...added, args: [1] },
    { ...added, env: null },
    { ...added, folder: 1 },
  ];
  assert.deepEqual(decodeAddedAgents([...bad, added]), [added]);
  for (const value of [undefined, {}, 'x']) assert.deepEqual(decodeAddedAgents(value), []);
});
