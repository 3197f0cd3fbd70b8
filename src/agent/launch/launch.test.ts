import assert from 'node:assert/strict';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { posixOnly } from '../../../test/unit-support/platform';
import { SpawnFailure } from '../process/agentProcess';
import { settingsAgentId, type AgentSpec } from '../spec/agentSpec';
import { withoutEditor } from '../../process/withoutEditor';
import { resolveLaunch, type LaunchContext } from './launch';
import { tempFolder } from '../../../test/unit-support/tempFolder';
import { beforeTests } from '../../../test/unit-support/beforeTests';

const root = tempFolder({ after });
let bin: string;

beforeTests(async () => {
  bin = join(root, 'bin');
  await mkdir(join(root, 'project', 'tools'), { recursive: true });
  await mkdir(join(bin, 'folder'), { recursive: true });
  for (const path of [join(bin, 'agent'), join(bin, 'npx'), join(bin, 'npm'), join(root, 'project', 'tools', 'own')]) {
    await writeFile(path, '#!/bin/sh\n');
    await chmod(path, 0o755);
  }
  await writeFile(join(bin, 'text'), 'text');
});

function spec(more: Partial<AgentSpec>): AgentSpec {
  return { id: settingsAgentId('A'), name: 'A', command: 'agent', args: [], env: {}, source: 'settings', ...more };
}

function resolve(more: Partial<AgentSpec>, context: Partial<LaunchContext> = {}, env: Record<string, string> = {}) {
  return resolveLaunch(spec(more), {
    workspaceFolder: join(root, 'project'),
    workspaceFolders: [{ name: 'project', path: join(root, 'project') }],
    userHome: root,
    environment: async () => ({ env: { PATH: `relative::${bin}`, ...env } }),
    platform: 'linux',
    ...context,
  });
}

async function failure(more: Partial<AgentSpec>, context: Partial<LaunchContext> = {}): Promise<SpawnFailure> {
  const error: unknown = await resolve(more, context).then(
    () => assert.fail('It was found.'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof SpawnFailure);
  return error;
}

suite('the program', () => {
  test("is found on the user's PATH as an absolute path", posixOnly, async () => {
    assert.equal((await resolve({})).command, join(bin, 'agent'));
  });

  test("is found on the PATH that the agent's settings define", posixOnly, async () => {
    const launch = await resolve({ command: 'own', env: { PATH: '${workspaceFolder}/tools' } });
    assert.equal(launch.command, join(root, 'project', 'tools', 'own'));
  });

  test('may be a path with variables, from home, or from its folder', posixOnly, async () => {
    const own = join(root, 'project', 'tools', 'own');
    for (const command of [
      '${workspaceFolder}/tools/own',
      '${userHome}/project/tools/own',
      '~/project/tools/own',
      'tools/own',
    ]) {
      assert.equal((await resolve({ command })).command, own);
    }
    assert.equal((await resolve({ command: './own', cwd: 'tools' })).command, own);
  });

  test('is reported if it is missing, a folder, or not executable', posixOnly, async () => {
    assert.equal((await failure({ command: 'no-such-agent' })).kind, 'notFound');
    assert.equal((await failure({ command: './no-such-agent' })).kind, 'notFound');
    assert.equal((await failure({ command: 'folder' })).kind, 'notFound');
    assert.equal((await failure({ command: 'text' })).kind, 'notExecutable');
    const folder = await failure({ command: bin });
    assert.equal(folder.kind, 'notExecutable');
    assert.match(folder.message, /is a folder\. Use the path of the program in it\./);
  });

  test('is resolved by the rules of Windows there', async () => {
    const context: Partial<LaunchContext> = {
      platform: 'win32',
      workspaceFolder: 'C:\\repo',
      userHome: 'C:\\Users\\Ada',
      environment: async () => ({ env: { Path: 'C:\\bin' } }),
      files: { isFile: (path) => path.toLowerCase() === 'c:\\bin\\agent.cmd', readFile: () => 'echo %*' },
    };
    const launch = await resolve({ args: ['${pathSeparator}'], env: { PATH: '${env:PATH};D:\\more' } }, context);
    assert.equal(launch.cwd, 'C:\\repo');
    assert.deepEqual(launch.env, { ...withoutEditor('win32'), PATH: 'C:\\bin;D:\\more' });
    assert.equal(launch.windowsVerbatimArguments, true);
    assert.equal(launch.args.at(-1), '""c:\\bin\\agent.cmd" "\\\\""'.replace('c:', 'C:'));
    assert.equal((await failure({ args: ['a\nb'] }, context)).kind, 'other');
    assert.equal((await failure({ command: 'nothing' }, context)).kind, 'notFound');
  });
});

suite('the folder', () => {
  test("is the workspace's or the home folder, and always absolute", posixOnly, async () => {
    assert.equal((await resolve({})).cwd, join(root, 'project'));
    assert.equal((await resolve({ cwd: 'tools' })).cwd, join(root, 'project', 'tools'));
    assert.equal((await resolve({ cwd: '~' })).cwd, root);
    const launch = await resolveLaunch(spec({}), {
      workspaceFolders: [],
      userHome: root,
      environment: async () => ({ env: { PATH: bin } }),
      platform: 'linux',
    });
    assert.equal(launch.cwd, root);
    assert.equal(launch.env['PWD'], root);
  });
});

suite('the environment', () => {
  test("is the user's without the editor's part, plus the agent's settings", posixOnly, async () => {
    const { env } = await resolve(
      { env: { ELECTRON_RUN_AS_NODE: '1', KEY: '${env:MY_KEY}', LANG: 'C', VISUAL: 'nano' } },
      {},
      { VSCODE_PID: '1', NODE_OPTIONS: '--inspect', MY_KEY: 'k', LANG: 'de', EDITOR: 'vim' },
    );
    assert.deepEqual(env, {
      ...withoutEditor(process.platform),
      VISUAL: 'nano',
      PATH: `relative::${bin}`,
      MY_KEY: 'k',
      KEY: 'k',
      LANG: 'C',
      ELECTRON_RUN_AS_NODE: '1',
      PWD: join(root, 'project'),
    });
  });

  test('an undefined variable stops the start and is reported with its location', async () => {
    const unknown = await failure({ args: ['--dir', '${file}'] });
    assert.equal(unknown.kind, 'other');
    assert.match(unknown.message, /\$\{file\}.*parley\.agents/);
    const folder = await failure({ cwd: '${workspaceFolder:other}' });
    assert.match(folder.message, /\$\{workspaceFolder:other\}, but this window has no such folder/);
  });
});

test('npx and npm exec run without prompts unless the user decided otherwise', posixOnly, async () => {
  const args = async (command: string, ...given: string[]) => (await resolve({ command, args: given })).args.join(' ');
  assert.equal(await args('npx', 'agent', '--acp'), '--yes agent --acp');
  assert.equal(await args(join(bin, 'npx'), '-p', 'pkg', 'agent'), '--yes -p pkg agent');
  assert.equal(await args('npx', '-y', 'agent'), '-y agent');
  assert.equal(await args('npx', '--yes', 'agent'), '--yes agent');
  assert.equal(await args('npx', '--no-install', 'agent'), '--no-install agent');
  assert.equal(await args('npx', 'agent', '-y'), '--yes agent -y');
  assert.equal(await args('npm', 'exec', 'agent', '--', '--acp'), 'exec --yes agent -- --acp');
  assert.equal(await args('npm', 'exec', '--', 'agent', '-y'), 'exec --yes -- agent -y');
  assert.equal(await args('npm', 'run', 'agent'), 'run agent');
  assert.equal(await args('agent', 'npx'), 'npx');
});

suite('values that the user enters', () => {
  const asks = { env: { KEY: 'k-${input:key}' }, args: ['--token', '${input:token}', '${input:key}'] };

  test('are in the environment and the arguments, and hidden in logs', posixOnly, async () => {
    const asked: string[] = [];
    const askInput = (name: string) => {
      asked.push(name);
      return Promise.resolve(`${name}-value`);
    };
    const launch = await resolve(asks, { askInput });
    assert.deepEqual(launch.args, ['--token', 'token-value', 'key-value']);
    assert.equal(launch.env['KEY'], 'k-key-value');
    assert.deepEqual(launch.secretValues, ['token-value', 'key-value']);
    assert.deepEqual(asked, ['token', 'key'], 'Each is asked for once.');
  });

  test('are needed to start', async () => {
    const askInput = () => Promise.resolve(undefined);
    assert.match(
      (await failure(asks, { askInput })).message,
      /A needs a value for “token”\. Restart it to enter one\./,
    );
  });

  test('are never asked for by a registry', posixOnly, async () => {
    const launch = await resolve({ ...asks, source: 'registry' }, { askInput: () => assert.fail('It asked.') });
    assert.equal(launch.args[1], '${input:token}');
  });
});
