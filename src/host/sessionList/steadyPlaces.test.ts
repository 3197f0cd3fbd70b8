import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { SteadyPlaces } from './steadyPlaces';

describe('a choice in a list that changes while open', () => {
  let at = 0;
  let places: SteadyPlaces;

  beforeEach(() => {
    at = 10_000;
    places = new SteadyPlaces(() => at);
    places.show(['a', 'c']);
  });

  test('is accepted immediately in a list that has just opened', () => {
    assert.deepEqual(
      [0, 1, 2].map((place) => places.isSteady(place)),
      [true, true, false],
    );
  });

  test('is ignored for half a second where a new entry appeared', () => {
    places.show(['a', 'b', 'c']);
    assert.deepEqual(
      [0, 1, 2].map((place) => places.isSteady(place)),
      [true, false, true],
    );
    at += 499;
    assert.equal(places.isSteady(1), false);
    at += 1;
    assert.equal(places.isSteady(1), true);
  });

  test('depends on the last change of its position, not of the list', () => {
    places.show(['b', 'c']);
    at += 400;
    places.show(['b', 'c', 'd']);
    at += 100;
    assert.equal(places.isSteady(0), true);
    places.show(['a', 'c', 'd']);
    assert.deepEqual(
      [0, 1].map((place) => places.isSteady(place)),
      [false, true],
    );
  });

  test('is ignored where an entry was replaced, even by the same one', () => {
    places.show(['a']);
    places.show(['a', 'b']);
    assert.deepEqual(
      [0, 1].map((place) => places.isSteady(place)),
      [true, false],
    );
    places.show(['b', 'a']);
    places.show(['a', 'b']);
    assert.equal(places.isSteady(0), false);
  });
});
