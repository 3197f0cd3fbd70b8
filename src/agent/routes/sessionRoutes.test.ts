import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ResponseError } from '../../acp/base/errors';
import { SessionHarness } from '../../../test/unit-support/fakeSession';
import { FakeServices } from '../../../test/unit-support/poolHarness';
import type { SessionId } from '../../shared/values/ids';
import { SessionRoutes } from './sessionRoutes';

const say = (text: string) => ({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });
const subagent = (sessionId: string, fields: object = {}) => ({
  sessionUpdate: 'subagent_update',
  sessionId,
  title: `Agent ${sessionId}`,
  state: { state: 'running' },
  ...fields,
});

function start() {
  const services = new FakeServices();
  const notes: string[] = [];
  const routes = new SessionRoutes(services.terminals, (note) => notes.push(note));
  const open = (sessionId: string) => {
    const test = new SessionHarness().introduce();
    const route = routes.begin(test.session, undefined);
    for (const update of routes.settle(route, sessionId as SessionId)) routes.deliver(sessionId as SessionId, update);
    return test.open();
  };
  const hear = (sessionId: string, ...updates: readonly object[]) => {
    for (const update of updates) routes.update({ sessionId, update }, (one) => one);
  };
  return { services, notes, routes, open, hear };
}

const texts = (test: SessionHarness) =>
  test
    .all('agent_message')
    .map(({ subagent: from, content: [block] }) => [from ?? 'own', block?.type === 'text' ? block.text : '']);

void describe('the sessions of subagents', () => {
  void it('appear in the session that announced them, as do nested ones', () => {
    const { open, hear, routes } = start();
    const [main, other] = [open('main'), open('other')];
    hear('main', subagent('child'));
    hear('child', say('of the child'), subagent('grandchild'));
    hear('grandchild', say('of the grandchild'));
    hear('other', say('of another'));
    assert.deepEqual(texts(main), [
      ['child', 'of the child'],
      ['grandchild', 'of the grandchild'],
    ]);
    assert.deepEqual(
      main.all('subagent').map(({ sessionId, subagent: by }) => [sessionId, by]),
      [
        ['child', undefined],
        ['grandchild', 'child'],
      ],
    );
    assert.deepEqual(texts(other), [['own', 'of another']]);
    // The child isn't a session that can be requested, and the session keeps its id.
    assert.deepEqual(routes.sessions, [main.session, other.session]);
    assert.equal(routes.idOf(main.session), 'main');
  });

  void it('may send updates before their announcement, during an opening or later', () => {
    const { open, hear, routes, notes } = start();
    const opening = new SessionHarness().introduce();
    const route = routes.begin(opening.session, undefined);
    hear('early', say('too early'));
    hear('main', subagent('early'));
    for (const update of routes.settle(route, 'main' as SessionId)) routes.deliver('main' as SessionId, update);
    opening.open();
    assert.deepEqual(texts(opening), [['early', 'too early']]);

    hear('later', say('one '), say('two'));
    const meanwhile = open('meanwhile');
    assert.deepEqual(texts(opening).length, 1);
    hear('main', subagent('later'));
    hear('later', say(' three'));
    assert.deepEqual(texts(opening)[1], ['later', 'one two three']);
    assert.deepEqual(texts(meanwhile), []);
    assert.deepEqual(
      notes.filter((note) => note.includes('later')),
      ['Updates for the session later are held until its parent session is announced.'],
    );
  });

  void it('can hold only a few updates in advance, within the memory limit', () => {
    const { open, hear, notes } = start();
    const main = open('main');
    for (let count = 0; count < 1000; count += 1) hear('nobody', say(`${count} `));
    hear('child', say('lost'));
    hear('main', subagent('child'), subagent('nobody'));
    assert.match(String(texts(main)[0]?.[1]), / 199 $/);
    assert.equal(texts(main).length, 1);
    assert.ok(notes.includes('Updates for the unknown session child are ignored.'));
    // Delivered updates make room.
    hear('next', say('kept'));
    hear('main', subagent('next'));
    assert.deepEqual(texts(main).at(-1), ['next', 'kept']);
  });

  void it('can never be other sessions: open, opening, or children of others', () => {
    const { open, hear, routes, notes } = start();
    const [main, victim] = [open('main'), open('victim')];
    const loading = new SessionHarness().introduce();
    const route = routes.begin(loading.session, 'loading' as SessionId);
    hear('main', subagent('victim'), subagent('main'), subagent('loading'));
    hear('victim', subagent('child'));
    hear('main', subagent('child', { title: 'Mine now' }));
    hear('child', subagent('child'), subagent('victim'), subagent('main'));
    assert.deepEqual(main.all('subagent'), []);
    assert.deepEqual(
      victim.all('subagent').map(({ title }) => title),
      ['Agent child'],
    );
    hear('victim', say('still its own'));
    hear('child', say('of its parent'));
    assert.deepEqual(texts(victim), [
      ['own', 'still its own'],
      ['child', 'of its parent'],
    ]);
    routes.settle(route, 'loading' as SessionId);
    hear('loading', say('loaded'));
    assert.deepEqual(texts(loading), [['own', 'loaded']]);
    assert.equal(notes.filter((note) => note.includes("announced a session that isn't its subagent")).length, 4);
  });

  void it('may send requests before their announcement, rejected if it never comes', async () => {
    const { open, hear, routes } = start();
    const main = open('main');
    const asked = routes.serve({ sessionId: 'early' }, ({ session, child }) => [session, child?.sessionId]);
    const unknown = assert.rejects(
      routes.serve({ sessionId: 'nobody' }, () => assert.fail('served')),
      { message: 'Unknown session: nobody' },
    );
    hear('main', subagent('early'));
    assert.deepEqual(await asked, [main.session, 'early']);
    await unknown;
    const left = routes.serve({ sessionId: 'late' }, () => assert.fail('served'));
    routes.removeAll();
    await assert.rejects(left, { message: 'Unknown session: late' });
  });

  void it('end with the session that shows them', () => {
    const { open, hear, routes } = start();
    const main = open('main');
    hear('main', subagent('child'));
    hear('child', subagent('grandchild'));
    assert.equal(routes.find({ sessionId: 'grandchild' }).session, main.session);
    routes.remove(main.session);
    for (const sessionId of ['main', 'child', 'grandchild']) {
      assert.throws(() => routes.find({ sessionId }), ResponseError);
    }
  });

  void it('run commands in their own folder, with terminals only they can use', async () => {
    const { open, hear, routes, services } = start();
    open('main');
    hear('main', subagent('child', { cwd: '/elsewhere' }));
    const create = async (sessionId: string, params: object) => {
      const { signal } = new AbortController();
      const command = { command: 'x', args: [], env: {}, ...params };
      return routes.find({ sessionId }).terminals.create(command, signal);
    };
    await create('main', {});
    const terminalId = await create('child', {});
    await create('child', { cwd: '/third' });
    hear('main', subagent('child', { cwd: null }));
    await create('child', {});
    assert.deepEqual(
      services.made.map(({ cwd }) => cwd),
      ['/workspace', '/elsewhere', '/third', '/workspace'],
    );
    assert.throws(() => routes.find({ sessionId: 'main' }).terminals.output(terminalId), ResponseError);
  });
});

void describe('updates of unknown sessions', () => {
  void it('are kept up to a total size, even if they are few', () => {
    const { notes, routes, open, hear } = start();
    const text = 'x'.repeat(1_000_000);
    for (let count = 0; count < 100; count += 1) hear('early', say(text));
    assert.ok(routes.heldOf('early' as SessionId).length < 10, 'two bytes a letter, eight megabytes');
    assert.equal(notes.length, 1);
    const opening = routes.begin(new SessionHarness().session, undefined);
    for (let count = 0; count < 100; count += 1) hear('early', say(text));
    assert.ok(routes.heldOf('early' as SessionId).length < 40);
    routes.settle(opening, undefined);
    assert.equal(routes.heldOf('early' as SessionId).length, 0, 'too much for a session that was not opened');
    hear('other', say('a'));
    assert.deepEqual(texts(open('other')), [['own', 'a']]);
  });
});
