import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, suite, test } from 'node:test';
import { LocalServer } from '../../../test/unit-support/archives';
import { npmEnvironment, publish, type PublishedPackage } from '../../../test/unit-support/npmServer';
import { installPackage, planPackage, type NpmOptions } from './npmInstaller';
import { RuntimeError } from './registryFailures';

const good: PublishedPackage = {
  name: '@scope/agent',
  version: '1.2.0',
  bin: { 'the-agent': 'dist/agent.js', other: 'dist/other.js' },
  engines: { node: '>=18' },
  dependencies: { library: '1.0.0' },
  scripts: { postinstall: "node -e \"require('fs').writeFileSync('ran', '')\"" },
  files: { 'dist/agent.js': '#!/usr/bin/env node\nconsole.log(require("library"), process.argv[2]);\n' },
};

let outside: string;
let root: string;
let server: LocalServer;

beforeEach(async () => {
  outside = await mkdtemp(join(tmpdir(), 'parley-npm-'));
  root = join(outside, 'agents');
  server = await LocalServer.open();
  await publish(server, { name: 'library', version: '1.0.0', files: { 'index.js': 'module.exports = "works"' } });
});
afterEach(async () => {
  await server.close();
  await rm(outside, { recursive: true, force: true });
});

function options(more: Partial<NpmOptions> = {}): NpmOptions {
  return {
    root,
    agent: { id: 'one', name: 'One', version: '1.2.0' },
    package: { package: '@scope/agent@1.2.0', cmd: 'the-agent', args: ['--acp'], env: {} },
    env: npmEnvironment(server.url('/'), outside),
    signal: new AbortController().signal,
    ...more,
  };
}

async function nothingStays(): Promise<void> {
  assert.deepEqual(await readdir(join(root, 'one')).catch(() => []), []);
}

suite('installing an npm package', () => {
  test('shows the command first, and later starts offline without npm', async () => {
    await publish(server, good);
    const planned = await planPackage(options());
    const program = join(root, 'one', '1.2.0', 'node_modules', '@scope', 'agent', 'dist', 'agent.js');
    assert.deepEqual(planned.line, { command: 'node', args: [program, '--acp'] });
    assert.match(planned.facts.integrity ?? '', /^sha512-/);
    await nothingStays();

    const installed = await installPackage(options(), planned);
    assert.deepEqual(installed, { ...planned.line, folder: join(root, 'one', '1.2.0') });
    assert.deepEqual(await readdir(join(root, 'one')), ['1.2.0']);
    const before = server.requests.length;
    for (const start of ['first', 'second']) {
      const output: string = execFileSync(process.execPath, [...installed.args], { encoding: 'utf8' });
      assert.equal(output, 'works --acp\n', start);
    }
    assert.equal(server.requests.length, before);
  });

  test('runs no install scripts', async () => {
    await publish(server, good);
    const { folder } = await installPackage(options(), await planPackage(options()));
    assert.deepEqual(await readdir(join(folder, 'node_modules', '@scope', 'agent')), ['dist', 'package.json']);
  });

  test("runs a program that isn't written for Node.js directly", async () => {
    await publish(server, {
      ...good,
      bin: { 'the-agent': 'run' },
      files: { run: '#!/bin/sh\necho started\n' },
    });
    const { command, args } = await installPackage(options(), await planPackage(options()));
    assert.equal(command, join(root, 'one', '1.2.0', 'node_modules', '@scope', 'agent', 'run'));
    assert.deepEqual(args, ['--acp']);
  });

  test('replaces the same version', async () => {
    await publish(server, good);
    const planned = await planPackage(options());
    await installPackage(options(), planned);
    await installPackage(options(), planned);
    assert.deepEqual(await readdir(join(root, 'one')), ['1.2.0']);
  });

  test('fails before downloading if this Node.js is too old', async () => {
    await publish(server, { ...good, engines: { node: '>=99' } });
    await assert.rejects(planPackage(options()), (error) => {
      assert.ok(error instanceof RuntimeError);
      assert.match(error.message, /^One needs Node\.js 99 or later, but this machine has \d+\.\S+ Install Node\.js/);
      return true;
    });
    assert.ok(!server.requests.some(({ url }) => url?.startsWith('/files/')));
    await nothingStays();
  });

  test('fails with a reason if npm is missing', async () => {
    await assert.rejects(planPackage(options({ env: { PATH: outside } })), /npm/);
  });

  test("fails with a reason if npm can't reach its registry", async () => {
    await publish(server, good);
    const planned = await planPackage(options());
    server.answers.clear();
    const nowhere = await LocalServer.open();
    const url = nowhere.url('/');
    await nowhere.close();
    const env = npmEnvironment(url, join(outside, 'other'));
    await assert.rejects(
      installPackage(options({ env }), planned),
      /^Error: Couldn’t install One\. npm couldn’t reach its registry \(ECONNREFUSED\)\. Check .* Nothing was installed\.$/,
    );
    await assert.rejects(planPackage(options({ env })), /npm couldn’t reach its registry/);
    await nothingStays();
  });

  test('fails with a reason if a version no longer exists', async () => {
    await assert.rejects(planPackage(options()), /npm doesn’t have @scope\/agent@1\.2\.0\./);
  });

  test("installs nothing if a download doesn't match its checksum", async () => {
    await publish(server, good);
    await publish(server, { name: 'library', version: '1.0.0', integrity: `sha512-${'A'.repeat(86)}==` });
    const planned = await planPackage(options());
    await assert.rejects(installPackage(options(), planned), /doesn’t match its checksum.* Nothing was installed/);
    await nothingStays();
  });

  test('installs nothing if npm delivers other content than announced', async () => {
    await publish(server, good);
    const planned = await planPackage(options());
    await publish(server, { ...good, files: { 'dist/agent.js': 'console.log("replaced")' } });
    const env = { ...npmEnvironment(server.url('/'), outside), npm_config_cache: join(outside, 'new-cache') };
    await assert.rejects(installPackage(options({ env }), planned), /differs from what npm announced/);
    await nothingStays();
  });

  test('leaves nothing when the user cancels', async () => {
    await publish(server, good);
    const planned = await planPackage(options());
    const cancelled = new AbortController();
    const files = [...server.answers.keys()].filter((path) => path.startsWith('/files/'));
    // The download never ends, so only the user can.
    for (const path of files) server.answers.set(path, () => cancelled.abort());
    await assert.rejects(installPackage(options({ signal: cancelled.signal }), planned), { name: 'AbortError' });
    await nothingStays();
  });
});
