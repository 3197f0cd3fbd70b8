import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, suite, test, type TestContext } from 'node:test';
import { decodeRegistry } from '../../src/agent/registry/decodeRegistry';
import { LocalServer } from './archives';
import { tempFolder } from './tempFolder';
import { beforeTests } from './beforeTests';

const svg =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path fill="currentColor" d="M1 1h9v9z"/></svg>';

interface Snapshot {
  readonly made: string;
  readonly agents: readonly { readonly id: string; readonly icon?: string }[];
}

let server: LocalServer;
beforeTests(async () => {
  server = await LocalServer.open();
});
after(() => server.close());

function entry(id: string, icon?: string) {
  const distribution = { npx: { package: `${id}@1.2.3` } };
  return { id, name: id, version: '1.2.3', description: '', license: 'MIT', distribution, ...(icon && { icon }) };
}

/** Runs the script. Resolves to what it wrote to stderr. */
function run(...args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      ['test/registrySnapshot.mjs', ...args],
      { cwd: process.cwd() },
      (error, _stdout, stderr) => {
        if (error) reject(new Error(stderr, { cause: error }));
        else resolve(stderr);
      },
    );
  });
}

async function snapshotOf(t: TestContext, agents: unknown, file = join(tempFolder(t), 'snapshot.json')) {
  server.serve('/latest/registry.json', JSON.stringify({ version: '1.0.0', agents }));
  const stderr = await run(server.url('/latest/registry.json'), '--out', file);
  return { snapshot: JSON.parse(await readFile(file, 'utf8')) as Snapshot, stderr };
}

suite('the list of agents that ships', () => {
  test('has the agents of the registry, today’s date, and their icons', async (t) => {
    server.serve('/latest/one.svg', `<?xml version="1.0"?>\n${svg}\n`);
    const from = new Date().toISOString().slice(0, 10);
    const { snapshot } = await snapshotOf(t, [
      entry('two', server.url('/latest/missing.svg')),
      entry('one', 'one.svg'),
    ]);
    const until = new Date().toISOString().slice(0, 10);
    assert.deepEqual(
      snapshot.agents.map(({ id, icon }) => [id, icon]),
      [
        ['one', svg],
        ['two', undefined],
      ],
    );
    assert.ok(snapshot.made >= from && snapshot.made <= until, snapshot.made);
    assert.deepEqual(decodeRegistry(snapshot).problems, []);
  });

  test('has only icons that are small shapes', async (t) => {
    const odd = {
      script: svg.replace('<path', '<script>1</script><path'),
      event: svg.replace('<path', '<path onload="1"'),
      picture: svg.replace('<path', '<image href="https://example.com/a.png"/><path'),
      large: svg.replace('M1 1h9v9z', 'M1 1h9v9z'.repeat(2000)),
      page: '<html></html>',
    };
    for (const [name, icon] of Object.entries(odd)) server.serve(`/latest/${name}.svg`, icon);
    const agents = Object.keys(odd).map((name) => entry(name, `${name}.svg`));
    const { snapshot, stderr } = await snapshotOf(t, agents);
    for (const { id, icon } of snapshot.agents) assert.equal(icon, undefined, id);
    for (const name of Object.keys(odd)) assert.ok(stderr.includes(`No icon for ${name}: `), stderr);
  });

  test('stays as it was if the registry can’t be read', async (t) => {
    const file = join(tempFolder(t), 'snapshot.json');
    await writeFile(file, 'before');
    await assert.rejects(snapshotOf(t, [], file), /isn't a list of agents/);
    await assert.rejects(run('http://example.com/a.json', '--out', file), /isn't an https URL/);
    assert.equal(await readFile(file, 'utf8'), 'before');
  });
});
