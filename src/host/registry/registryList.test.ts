import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, beforeEach, suite, test } from 'node:test';
import { LocalServer } from '../../../test/unit-support/archives';
import { decodeRegistry } from '../../agent/registry/decodeRegistry';
import { bundledList } from './bundledList';
import { RegistryList } from './registryList';
import { beforeTests } from '../../../test/unit-support/beforeTests';

const entry = (id: string) => ({
  id,
  name: id,
  version: '1.0.0',
  description: '',
  distribution: { npx: { package: id } },
});
const registry = (...agents: unknown[]) => JSON.stringify({ version: '1.0.0', agents });

let folder: string;
let server: LocalServer;
let online: string;

beforeTests(async () => {
  server = await LocalServer.open();
});
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-registry-'));
  server.requests.length = 0;
  online = server.serve('/registry.json', registry(entry('one'), 7));
});
afterEach(() => rm(folder, { recursive: true }));
after(() => server.close());

function load(url = online, now = 0, signal = new AbortController().signal) {
  return new RegistryList(folder).load({ url, signal, now });
}

suite('the registry list', () => {
  test('is fetched, and its invalid entries are reported', async () => {
    const { agents, problems, stale } = await load();
    assert.deepEqual([agents.map(({ id }) => id), stale], [['one'], undefined]);
    assert.match(problems.join(), /Skipped entry 2 in the registry/);
  });

  test('is not sent again if it has not changed', async () => {
    server.answers.set('/registry.json', (request, response) => {
      if (request.headers['if-none-match'] === '"v1"') response.writeHead(304).end();
      else response.writeHead(200, { etag: '"v1"' }).end(registry(entry('one')));
    });
    await load();
    const { agents, stale } = await load(online, 1000);
    assert.deepEqual([agents.map(({ id }) => id), stale], [['one'], undefined]);
    assert.deepEqual(
      server.requests.map(({ headers }) => headers['if-none-match']),
      [undefined, '"v1"'],
    );
  });

  test('is the cached one with its date if the response is invalid', async () => {
    await load(online, 1000);
    for (const [answer, reason] of [
      [(): void => undefined, /ended|closed|hang up|socket/i],
      ['<html>', /not valid JSON/],
      ['{}', /not a list of agents/],
    ] as const) {
      if (typeof answer === 'string') server.serve('/registry.json', answer);
      else server.answers.set('/registry.json', (_request, response) => response.destroy());
      const { agents, stale } = await load(online, 61_000);
      assert.deepEqual(
        agents.map(({ id }) => id),
        ['one'],
      );
      assert.equal(stale?.from, 1000);
      assert.match(stale.reason, reason);
    }
    server.serve('/registry.json', registry(entry('two')));
    assert.deepEqual((await load()).agents[0]?.id, 'two');
  });

  suite('without a network and without a cached list', () => {
    const bundled = () => ({ url: online, savedAt: 5000, registry: JSON.parse(registry(entry('bundled'))) as unknown });
    const asked = (url = online) => {
      server.answers.delete('/registry.json');
      const signal = new AbortController().signal;
      return new RegistryList(folder, bundled()).load({ url, signal, now: 9000 });
    };

    test('is the bundled one with its date', async () => {
      const { agents, stale } = await asked();
      assert.deepEqual([agents.map(({ id }) => id), stale?.from], [['bundled'], 5000]);
    });

    test('is not the bundled one for another URL', async () => {
      await assert.rejects(asked(server.url('/other.json')), /404/);
      assert.equal(await new RegistryList(folder, bundled()).stored(server.url('/other.json')), undefined);
    });

    test('is the newer of the cached and the bundled one', async () => {
      await load(online, 6000);
      assert.deepEqual((await asked()).agents[0]?.id, 'one');
      server.serve('/registry.json', registry(entry('one')));
      await load(online, 4000);
      assert.deepEqual((await asked()).agents[0]?.id, 'bundled');
    });
  });

  test('has only valid bundled entries', async () => {
    const { agents, problems } = decodeRegistry(bundledList.registry);
    assert.deepEqual(problems, []);
    assert.ok(agents.length >= 10);
    for (const id of ['claude-acp', 'codex-acp', 'gemini'])
      assert.ok(
        agents.some((agent) => agent.id === id),
        id,
      );
    assert.ok(bundledList.savedAt > Date.parse('2026-01-01'));
    const stored = await new RegistryList(folder, bundledList).stored(bundledList.url);
    assert.equal(stored?.agents.length, agents.length);
  });

  test('is separate for another URL', async () => {
    await load();
    await assert.rejects(
      load(server.url('/other.json')),
      /Couldn’t load the agent registry from 127\.0\.0\.1:\d+: 404.* setting parley\.registry\.url/,
    );
  });

  test('is not loaded from an unsafe URL', async () => {
    for (const url of ['http://example.com/registry.json', 'file:///etc/passwd', 'nonsense', '']) {
      await assert.rejects(load(url), /isn’t an https URL/, url);
    }
  });

  test('is not read to the end if it is too long', async () => {
    server.answers.set('/registry.json', (_request, response) => {
      const chunk = Buffer.alloc(1_000_000, ' ');
      const more = () => {
        if (!response.destroyed) response.write(chunk, more);
      };
      more();
    });
    await assert.rejects(load(), /too large/);
  });

  test('is ignored if its cached copy is damaged', async () => {
    await load();
    for (const name of await readdir(folder)) await writeFile(join(folder, name), '{"url":');
    server.answers.delete('/registry.json');
    await assert.rejects(load(), /404/);
  });

  test('is no longer awaited once it is closed', async () => {
    await load();
    const closed = new AbortController();
    server.answers.set('/registry.json', () => closed.abort());
    await assert.rejects(load(online, 0, closed.signal), /abort/i);
  });
});
