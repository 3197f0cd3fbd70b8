import assert from 'node:assert/strict';
import { test } from 'node:test';
import { posixOnly } from '../../../test/unit-support/platform';
import { allowablePlaces, allowedPlaces } from './allowedPlaces';

test('a path of the home folder is written with a tilde', posixOnly, () => {
  assert.deepEqual(allowedPlaces(['~/.cache/x/', '/opt/../srv', 'relative', '~other/x'], '/home/me'), [
    '/home/me/.cache/x',
    '/srv',
  ]);
});

test('neither the home folder nor what doesn’t exist is offered', posixOnly, () => {
  const offered = (path: string, exists = true) => allowablePlaces(path, '/home/me', (at) => at !== path || exists);
  assert.deepEqual(offered('/home/me/.cache/x/y'), ['/home/me/.cache/x/y', '/home/me/.cache/x']);
  assert.deepEqual(offered('/home/me/.cache/x/y', false), ['/home/me/.cache/x']);
  assert.deepEqual(offered('/home/me/.cache/x'), ['/home/me/.cache/x']);
  assert.deepEqual(offered('/home/me/notes.txt'), ['/home/me/notes.txt']);
  for (const path of ['/home/me/notes.txt', '/home/x', '/x']) assert.deepEqual(offered(path, false), []);
  for (const path of ['/home/me', '/home', '/', '/home/me/.zshrc', '/home/me/.config'])
    assert.deepEqual(offered(path), []);
});
