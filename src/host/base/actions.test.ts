import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { askedActions } from '../../../test/unit-support/askedActions';
import { ActionDesk, sessionIn, type ActionName, type Actions } from './actions';

suite('an action of another feature', () => {
  test('gets its arguments, and ends when it is done', async () => {
    const desk = new ActionDesk();
    const done: unknown[] = [];
    const commit = async (...args: readonly unknown[]) => {
      await Promise.resolve();
      done.push(args);
    };
    await assert.rejects(desk.act('openChat'), /Nothing can openChat yet/);
    desk.join({ commit } as unknown as Actions<ActionName>);
    await desk.act('commit', sessionIn('a'), 2);
    assert.deepEqual(done, [['a', 2]]);
  });

  test('with an argument of another type is a type error', async () => {
    const { act, asked } = askedActions();
    // @ts-expect-error: a key is no preset.
    await act('newSession', sessionIn('a'));
    // @ts-expect-error: no feature has such an action.
    await act('newSessions');
    assert.equal(asked.length, 2);
  });

  test('takes a session from a command if it is a key', () => {
    assert.deepEqual(['a', '', 3, undefined, { key: 'a' }].map(sessionIn), [
      'a',
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });
});
