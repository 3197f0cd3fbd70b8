import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startToShorten } from './endingName';

const shortened = (name: string, all?: readonly string[]) => name.slice(0, startToShorten(name, all));

test("shortens the path of a model's name first", () => {
  assert.equal(shortened('openrouter/anthropic/claude-opus'), 'openrouter/anthropic/');
  assert.equal(shortened('claude-opus'), '');
  assert.equal(shortened('models/'), '');
});

test('shortens the whole words that all names share first', () => {
  const all = ['vendor/claude-sonnet-5', 'vendor/claude-opus-5', 'vendor/claude-opus-5-fast'];
  assert.deepEqual(
    all.map((name) => shortened(name, all)),
    ['vendor/claude-', 'vendor/claude-', 'vendor/claude-'],
  );
  assert.equal(shortened('Claude Opus', ['Claude Opus', 'Claude Opal']), 'Claude ');
  assert.equal(shortened('Claude Opus', ['Claude Opus', 'Default']), '');
  assert.equal(shortened('Claude Opus', ['Claude Opus']), '');
});
