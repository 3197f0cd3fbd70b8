import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join, sep } from 'node:path';
import { after, before, suite, test, type TestContext } from 'node:test';
import { posixOnly } from '../../../test/unit-support/platform';
import { buildKeeper, pretending } from '../../../test/unit-support/sandbox';
import { tempFolder } from '../../../test/unit-support/tempFolder';
import type { HoldingMode, SandboxPolicy } from '../../shared/limits/sandbox';
import type { FromKeeper, ToKeeper } from './messages';

const pretends = pretending('darwin');

suite('the profile for macOS', posixOnly, () => {
  const built = tempFolder({ after });
  let keeperPath = '';
  before(async () => {
    keeperPath = await buildKeeper(built);
  });

  /** Returns what an agent is held to in a mode, and the command line that the keeper makes of it on macOS. */
  async function lineFor(context: TestContext, mode: HoldingMode, homes: readonly string[] = []) {
    const root = tempFolder(context);
    const path = (name: string) => join(root, name);
    const policy: SandboxPolicy = {
      mode,
      folders: [path('project')],
      homes: homes.map(path),
      stillReadable: homes.map((home) => path(join(home, 'home/tools'))),
      state: [path('home/.agent')],
      shared: [path('cache')],
      readOnly: [path('project/.git/hooks')],
      unreadable: [path('home/.ssh'), path('project/.env')],
      hosts: ['api.example:443'],
      localPorts: [],
    };
    for (const at of ['home/tools', 'project/.git/hooks', 'home/.agent', 'home/.ssh', 'cache', 'own', 'outside'])
      mkdirSync(path(at), { recursive: true });
    const keeper = fork(keeperPath, { cwd: path('own'), execArgv: ['--import', pretends], stdio: 'ignore' });
    const receive = async () => ((await once(keeper, 'message')) as [FromKeeper])[0];
    const send = (message: ToKeeper) => keeper.send(message);
    send({ kind: 'start', policy, temporary: path('own') });
    assert.deepEqual(await receive(), { kind: 'ready' });
    send({ kind: 'wrap', id: 1, line: 'exec agent' });
    const answer = await receive();
    // It takes back its own files.
    const exit = once(keeper, 'exit');
    send({ kind: 'end' });
    await exit;
    assert.ok(answer.kind === 'wrapped', JSON.stringify(answer));
    const line = answer.argv.at(-1) ?? '';
    /** Returns the paths of all parts of the profile that begin with these words. */
    const part = (words: string) =>
      line
        .split('\n(')
        .filter((one) => one.startsWith(`${words}\n`))
        .flatMap((one) => [...one.matchAll(/\(subpath "([^"]*)"\)/g)].map(([, found = '']) => found))
        .filter((found) => found.startsWith(root + sep))
        .map((found) => found.slice(root.length + 1));
    return { line, part };
  }

  for (const mode of ['files', 'filesAndNetwork'] as const) {
    test(`holds the files in mode ${mode}`, async (context) => {
      const { line, part } = await lineFor(context, mode);
      assert.match(line, /\/usr\/bin\/sandbox-exec -p '\(version 1\)\n\(deny default /);
      assert.match(line, /-c 'exec agent'$/);
      assert.deepEqual(part('allow file-write*').sort(), ['cache', 'home/.agent', 'own', 'project']);
      assert.ok(part('deny file-write*').includes('project/.git/hooks'));
      assert.deepEqual(part('deny file-read*').sort(), ['home/.ssh', 'project/.env']);
      // What denies comes after what allows, and wins.
      assert.ok(line.indexOf('(deny file-write*') > line.indexOf('(allow file-write*'));
      assert.ok(line.indexOf('(deny file-read*') > line.indexOf('(allow file-read*)'));
    });
  }

  test('hides the home folder except tools and what the agent can change', async (context) => {
    const { line, part } = await lineFor(context, 'files', ['']);
    const rules = line.split('\n(').filter((rule) => /^(?:allow|deny) file-read\*\n/.test(rule));
    const [hidden = '', visible = '', still = ''] = rules;
    assert.deepEqual(
      [rules.length, hidden.slice(0, 4), visible.slice(0, 5), still.slice(0, 4)],
      [3, 'deny', 'allow', 'deny'],
    );
    assert.deepEqual(part('allow file-read*').sort(), ['cache', 'home/.agent', 'home/tools', 'own', 'project']);
    // The last rule that fits decides.
    assert.match(still, /project\/\.env"/);
  });

  test('holds the network only if it is to', async (context) => {
    assert.match((await lineFor(context, 'files')).line, /^\(allow network\*\)$/m);
    const { line } = await lineFor(context, 'filesAndNetwork');
    const network = line.split('\n').filter((one) => one.startsWith('(allow network'));
    const ports = new Set(
      network.map((one) => /^\(allow network-\w+ \((?:local|remote) ip "localhost:(\d+)"\)\)$/.exec(one)?.[1]),
    );
    // The one of the proxy.
    assert.deepEqual([ports.size, ports.has(undefined)], [1, false], network.join('\n'));
  });
});
