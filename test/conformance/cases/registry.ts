import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import * as vscode from 'vscode';
import { LocalServer, tarGz, zip } from '../../unit-support/archives';
import { until, type Case } from '../case';
import { agentName, secretValue } from '../connections';
import { row } from '../row';

const platform = `${{ darwin: 'darwin', win32: 'windows' }[process.platform as string] ?? 'linux'}-${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}`;

/** A program that is the scripted agent, with an argument that tells one version from another. */
function program(version: string): string {
  const agents = vscode.workspace.getConfiguration('parley').get<Record<string, { args: string[] }>>('agents')!;
  const [script, port] = agents[agentName]!.args;
  return `#!/bin/sh\nexec '${process.execPath}' '${script}' ${port} ${version} "$@"\n`;
}

function entry(id: string, version: string, binary: object, more: object = {}): object {
  return {
    id,
    name: `Agent ${id}`,
    version,
    description: `What ${id} does.`,
    license: 'MIT',
    distribution: { binary },
    ...more,
  };
}

async function serving(t: Case, play: (server: LocalServer, publish: (...agents: object[]) => void) => Promise<void>) {
  const server = await LocalServer.open();
  try {
    await t.set('parley.registry.url', server.url('/registry.json'));
    await play(
      server,
      (...agents) => void server.serve('/registry.json', JSON.stringify({ version: '1.0.0', agents })),
    );
  } finally {
    await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
    await vscode.commands.executeCommand('notifications.clearAll');
    await server.close();
  }
}

/** Opens the list of agents; what it does goes on until the user has answered. */
function openList(): { readonly done: Promise<void> } {
  return { done: Promise.resolve(vscode.commands.executeCommand<undefined>('parley.addAgent')) };
}

/** Adds an agent; resolves to what the user was asked. */
async function add(t: Case, name: string, button = 'Add'): Promise<string> {
  const asked = t.editor.confirmsNext(button);
  const ready = button === 'Add' ? t.editor.confirmsNext('New session', 'showInformationMessage') : undefined;
  const list = openList();
  await t.editor.picks(name);
  const words = await asked;
  if (ready) assert.equal(await ready, `${name} is ready`);
  await list.done;
  return words;
}

async function remove(t: Case, name: string): Promise<void> {
  const asked = t.editor.confirmsNext('Remove');
  const list = openList();
  await t.editor.pressesInList(name, 'Remove');
  assert.match(await asked, /^Remove Agent/);
  await list.done;
}

row('G01', 'fetches the list on request, caches it, and skips bad entries', async (t) => {
  await serving(t, async (server, publish) => {
    const anywhere = { distribution: { npx: { package: 'good@1.0.0' } } };
    publish(entry('bad', 'latest', {}), entry('good', '1.0.0', {}, anywhere), entry('other', '2.0.0', {}, anywhere));
    assert.equal(server.requests.length, 0);
    for (const isOnline of [true, false]) {
      if (!isOnline) server.answers.clear();
      const list = openList();
      await t.editor.lists('Agent good');
      let texts = '';
      // The list is drawn once more when it has its entries.
      await until(async () => {
        texts = (await t.editor.entries()).join('\n');
        return texts.includes('Agent other');
      });
      assert.match(texts, /Agent good[^]*1\.0\.0 · MIT[^]*Agent other/);
      assert.ok(!texts.includes('Agent bad'));
      // What is stored is shown before the server is asked.
      await until(() => server.requests.length === (isOnline ? 1 : 2));
      await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
      await list.done;
    }
    assert.equal(server.requests.length, 2);
    await t.set('parley.registry.url', server.url('/nowhere.json'));
    const list = openList();
    const words = await t.editor.answersNotification('Couldn’t load the agent registry', 'Try Again');
    assert.match(words, /404.*parley\.registry\.url/);
    await until(() => server.requests.length === 4);
    let isDone = false;
    void list.done.then(() => (isDone = true));
    await until(async () => {
      await vscode.commands.executeCommand('notifications.clearAll');
      return isDone;
    });
  });
});

row('G03', 'shows, confirms, downloads, verifies, and runs a program', async (t) => {
  await serving(t, async (server, publish) => {
    const bytes = await tarGz([{ name: 'bin/agent', content: program('1.0.0') }]);
    const archive = server.serve('/agent.tgz', bytes);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const target = { archive, sha256, cmd: './bin/agent', args: ['two words', '${env:HOME}'], env: { LEVEL: '7' } };
    publish(entry('spoken', '1.0.0', { [platform]: target }));

    const refused = await add(t, 'Agent spoken', 'Cancel');
    assert.deepEqual(refused.split('\n').slice(0, 1), ['Add Agent spoken 1.0.0?']);
    assert.deepEqual(server.requests.map(({ url }) => url).includes('/agent.tgz'), false);

    const next = t.nextAgent();
    const asked = await add(t, 'Agent spoken');
    const command = /Command: (\S+) "two words" \$\{env:HOME\}/.exec(asked)?.[1] ?? '';
    assert.match(command, /[\\/]agents[\\/]spoken[\\/]1\.0\.0[\\/]bin[\\/]agent$/);
    for (const words of ['Environment variable: LEVEL=7', archive, sha256]) assert.ok(asked.includes(words), asked);
    t.opened();
    const agent = await next;
    await agent.call('session/new');
    assert.deepEqual(agent.hello.args, ['1.0.0', 'two words', '${env:HOME}']);
    assert.equal(agent.hello.env['LEVEL'], '7');
    await t.turn(agent, ({ say }) => say('from the registry'));
    await t.page.sees({ role: 'article', name: 'Agent spoken', hasText: 'from the registry' });
    await t.close();
    await agent.ended;
    // It is an agent as any other: by its id, too.
    await t.set('parley.defaultAgent', 'spoken');
    assert.deepEqual((await t.start({}, { agent: 'spoken' })).hello.args[0], '1.0.0');
    await t.close();
    await remove(t, 'Agent spoken');
    await until(() => !existsSync(dirname(dirname(dirname(command)))));
  });
});

row('G04', 'rejects escaping archives, wrong checksums, and variables that decide programs', async (t) => {
  await serving(t, async (server, publish) => {
    const attack = zip([{ name: '../../../../evil', content: secretValue }]);
    const target = (path: string, bytes: Buffer, more: object = {}) => ({
      [platform]: { archive: server.serve(path, bytes), cmd: './agent', ...more },
    });
    const good = zip([{ name: 'agent', content: program('1.0.0') }]);
    publish(
      entry('attack', '1.0.0', target('/attack.zip', attack)),
      entry('wrong', '1.0.0', target('/wrong.zip', good, { sha256: 'a'.repeat(64) })),
      entry('preload', '1.0.0', target('/preload.zip', good, { env: { LD_PRELOAD: '/tmp/x.so' } })),
    );
    for (const [name, words] of [
      ['attack', 'The archive'],
      ['wrong', 'The checksum of'],
    ] as const) {
      const asked = t.editor.confirmsNext('Add');
      const list = openList();
      await t.editor.picks(`Agent ${name}`);
      await asked;
      const told = await t.editor.answersNotification(words, 'Try Again');
      assert.match(told, /Nothing was installed/);
      await t.editor.lists(`Agent ${name}`);
      await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
      await list.done;
    }
    const list = openList();
    await t.editor.lists('sets LD_PRELOAD');
    await t.editor.picks('Agent preload');
    // Nothing is asked, nothing is fetched; the list is still there.
    await t.editor.lists('Agent attack');
    await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
    await list.done;
    assert.ok(!server.requests.some(({ url }) => url === '/preload.zip'));
  });
});

row('G05', 'offers updates, keeps used versions, and disables other platforms', async (t) => {
  await serving(t, async (server, publish) => {
    const version = (number: string) =>
      entry('fresh', number, {
        [platform]: { archive: server.serve(`/fresh-${number}`, program(number)), cmd: './agent' },
      });
    const alien = entry('alien', '1.0.0', { 'windows-aarch64': { archive: server.url('/a.zip'), cmd: 'a.exe' } });
    publish(version('1.9.0'), alien);
    const first = t.nextAgent();
    const command = /Command: (\S+)/.exec(await add(t, 'Agent fresh'))?.[1] ?? '';
    t.opened();
    const old = await first;
    await old.call('session/new');
    // The open session takes the focus, which would close a list that opened before.
    await t.page.sees({ css: 'textarea:focus' });

    publish(version('1.10.0'), alien);
    const asked = t.editor.confirmsNext('Update');
    const list = openList();
    await t.editor.lists('Not available for this machine');
    await t.editor.picks('update to 1.10.0 available');
    assert.match(await asked, /^Update Agent fresh from 1\.9\.0 to 1\.10\.0\?/);
    await list.done;
    assert.ok(existsSync(command));
    const fresh = await t.start({}, { agent: 'fresh' });
    assert.deepEqual([old.hello.args, fresh.hello.args], [['1.9.0'], ['1.10.0']]);
    assert.ok(!old.hasEnded);
    await t.close();
    await t.close();
    await old.ended;
    await until(() => !existsSync(command));
    await remove(t, 'Agent fresh');
  });
});
