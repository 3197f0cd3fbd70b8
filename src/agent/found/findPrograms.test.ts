import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, suite, test } from 'node:test';
import { posixOnly } from '../../../test/unit-support/platform';
import { findPrograms } from './findPrograms';
import { knownPrograms, programOf } from './knownPrograms';
import { searchedPlaces } from './places';

let home: string;
const never = new AbortController().signal;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'parley-found-'));
});
afterEach(() => rm(home, { recursive: true }));

async function program(path: string, mode = 0o755): Promise<string> {
  await mkdir(dirname(path), { recursive: true });
  // Whoever starts it while searching fails the test.
  await writeFile(path, `#!/bin/sh\ntouch '${home}/started'\n`);
  await chmod(path, mode);
  return path;
}

async function find(env: Record<string, string> = {}, signal = new AbortController().signal) {
  const found = await findPrograms({ platform: 'linux', home, env: { PATH: '', ...env } }, signal);
  // What this machine has in its shared folders isn't part of the test.
  return found.filter(({ path }) => path.startsWith(home));
}

suite('finding programs', posixOnly, () => {
  test('searches PATH, then the usual places, and starts nothing', async () => {
    const onPath = await program(join(home, 'tools', 'claude'));
    await program(join(home, '.claude', 'local', 'claude'));
    const opencode = await program(join(home, '.opencode', 'bin', 'opencode'));
    const found = await find({ PATH: `relative:${join(home, 'tools')}:` });
    assert.deepEqual(
      found.map(({ known, path }) => [known.name, path]),
      [
        ['Claude', onPath],
        ['OpenCode', opencode],
      ],
    );
    assert.equal(existsSync(join(home, 'started')), false);
  });

  test('prefers a globally installed adapter, with its version and command', async () => {
    const bin = join(home, 'tools');
    await program(join(bin, 'codex'));
    await program(join(bin, 'codex-acp'));
    await program(join(bin, 'claude-code-acp'));
    await program(join(bin, 'nanocoder'));
    await program(join(bin, 'pi-acp'));
    const folder = join(bin, 'node_modules', '@agentclientprotocol', 'codex-acp');
    await mkdir(folder, { recursive: true });
    const manifest = { name: '@agentclientprotocol/codex-acp', version: '2.6.0' };
    await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
    const found = await find({ PATH: bin });
    assert.deepEqual(
      found.map(({ known: { name, program: command, speaks }, version }) => [
        name,
        [command, ...(speaks.how === 'arguments' ? speaks.args(version) : ['needs an adapter'])].join(' '),
        version,
      ]),
      [
        ['Claude', 'claude-code-acp', undefined],
        ['Codex', 'codex-acp', '2.6.0'],
        ['Nanocoder', 'nanocoder --acp', undefined],
        ['pi', 'pi-acp', undefined],
      ],
    );
  });

  test('finds a program in any case where case is ignored', async () => {
    const path = await program(join(home, 'tools', 'CLAUDE'));
    const env = { PATH: join(home, 'tools') };
    const found = await findPrograms({ platform: 'darwin', home, env }, never);
    assert.deepEqual(
      found.filter(({ path: one }) => one.startsWith(home)).map(({ path: one }) => one),
      [path],
    );
    assert.deepEqual(await find(env), []);
  });

  test("skips folders and files that can't be started", async () => {
    await program(join(home, 'bin', 'codex'), 0o644);
    await mkdir(join(home, 'bin', 'goose'), { recursive: true });
    await symlink(join(home, 'nowhere'), join(home, 'bin', 'gemini'));
    assert.deepEqual(await find(), []);
  });

  test('reads the version from the package that the program is linked to', async () => {
    const folder = join(home, 'lib', 'node_modules', '@google', 'gemini-cli');
    const script = await program(join(folder, 'bundle', 'gemini.js'));
    await mkdir(join(home, '.npm-global', 'bin'), { recursive: true });
    await symlink(script, join(home, '.npm-global', 'bin', 'gemini'));
    const args = async () => {
      const [gemini] = await find();
      const { speaks } = gemini!.known;
      return [gemini!.version, speaks.how === 'arguments' ? speaks.args(gemini!.version) : undefined];
    };
    assert.deepEqual(await args(), [undefined, ['--acp']]);
    for (const [version, flag] of [
      ['0.32.9', '--experimental-acp'],
      ['0.33.0', '--acp'],
    ] as const) {
      await writeFile(join(folder, 'package.json'), JSON.stringify({ name: '@google/gemini-cli', version }));
      assert.deepEqual(await args(), [version, [flag]]);
    }
    await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'other', version: '9.9.9' }));
    assert.deepEqual(await args(), [undefined, ['--acp']]);
  });

  test('gives up when its time is up before reading a folder', async () => {
    await program(join(home, 'bin', 'goose'));
    assert.deepEqual(await find({}, AbortSignal.abort()), []);
  });
});

test('searches the usual places of Windows', () => {
  const places = searchedPlaces({
    platform: 'win32',
    home: 'C:\\Users\\ann',
    env: { Path: '"C:\\Program Files\\nodejs\\";tools;', APPDATA: 'C:\\Roaming', LOCALAPPDATA: 'C:\\Local' },
  });
  assert.equal(places[0], 'C:\\Program Files\\nodejs');
  assert.ok(!places.includes('tools'));
  for (const place of ['C:\\Roaming\\npm', 'C:\\Local\\Microsoft\\WinGet\\Links', 'C:\\Users\\ann\\.local\\bin']) {
    assert.ok(places.includes(place), place);
  }
});

test('lists every program and id in the table once', () => {
  const ids = knownPrograms.flatMap((known) => known.ids);
  assert.equal(new Set(ids).size, ids.length);
  assert.equal(new Set(knownPrograms.map(({ program: name }) => name)).size, knownPrograms.length);
  assert.equal(programOf('claude-code-acp')?.program, 'claude');
  assert.equal(programOf('nobody'), undefined);
});
