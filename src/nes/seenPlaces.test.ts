import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AwaySuggestion } from './placement';
import { placesOf, SeenPlaces } from './seenPlaces';

const edit = (from: number, to = from) => ({
  range: { start: { line: from, character: 0 }, end: { line: to, character: 1 } },
  newText: 'x',
});
const view = (from: number, to: number) => (place: { readonly line: number }) => place.line >= from && place.line <= to;

void describe('the changes of a suggestion', () => {
  void it('are all seen only once each has been in view', () => {
    const suggestion: AwaySuggestion = {
      kind: 'edit',
      id: 'a',
      uri: 'file:///a',
      edits: [edit(1), edit(50), edit(200)],
    };
    const seen = new SeenPlaces();
    assert.equal(seen.next(suggestion)?.line, 1);
    seen.note(suggestion, view(0, 30));
    assert.equal(seen.next(suggestion)?.line, 50);
    seen.note(suggestion, view(190, 220));
    assert.equal(seen.next(suggestion)?.line, 50);
    seen.note(suggestion, view(40, 60));
    assert.equal(seen.next(suggestion), undefined);
    assert.equal(seen.next({ ...suggestion })?.line, 1, 'Another suggestion is seen by itself.');
  });

  void it('have places all along a long one', () => {
    const suggestion: AwaySuggestion = { kind: 'edit', id: 'a', uri: 'file:///a', edits: [edit(0, 45)] };
    assert.deepEqual(
      placesOf(suggestion).map(({ line }) => line),
      [0, 20, 40, 45],
    );
    const jump: AwaySuggestion = { kind: 'jump', id: 'b', uri: 'file:///a', position: { line: 3, character: 0 } };
    assert.deepEqual(placesOf(jump), [jump.position]);
  });
});
