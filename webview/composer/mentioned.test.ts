import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Attachment } from '../../src/shared/content';
import { Mentioned } from './mentioned';

const link = (name: string): Attachment => ({ type: 'resource_link', uri: `file:///w/${name}`, name });

void describe('mentioned files', () => {
  void it('lose their chips with their names, and get them back when the deletion is undone', () => {
    const mentioned = new Mentioned();
    const [a, other] = [link('a.ts'), link('other.ts')];
    mentioned.add(a, '@a.ts');
    assert.deepEqual(mentioned.follow('Look at @a.ts', [a, other]), { lost: [], back: [] });
    // Only the word itself counts, and only what was mentioned.
    assert.deepEqual(mentioned.follow('Look at @a.tsx', [a, other]), { lost: [a], back: [] });
    assert.deepEqual(mentioned.follow('Look at @a.ts.map', [other]), { lost: [], back: [] });
    assert.deepEqual(mentioned.follow('Look at', [other]), { lost: [], back: [] });
    assert.deepEqual(mentioned.follow('Look at @a.ts, please', [other]), { lost: [], back: [a] });
  });

  void it('stay away when the user removes the chip and leaves the name', () => {
    const mentioned = new Mentioned();
    const a = link('a.ts');
    mentioned.add(a, '@a.ts');
    assert.deepEqual(mentioned.follow('See @a.ts now', []), { lost: [], back: [] });
  });

  void it('are forgotten with the message', () => {
    const mentioned = new Mentioned();
    const a = link('a.ts');
    mentioned.add(a, '@a.ts');
    mentioned.clear();
    assert.deepEqual(mentioned.follow('', [a]), { lost: [], back: [] });
  });
});
