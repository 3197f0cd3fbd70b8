import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { decodeToolMessage, isAboutTools } from './toolMessage';

suite('messages about the editor’s tools', () => {
  test('are read if every value has its type', () => {
    const messages = [
      { type: 'setTools', isOn: true },
      { type: 'setTool', name: 'getDiagnostics', isOn: false },
      { type: 'allowTools' },
      { type: 'openToolSettings' },
    ];
    for (const message of messages) assert.deepEqual(decodeToolMessage({ ...message, more: 1 }), message);
  });

  test('change nothing with a wrong type', () => {
    const wrong = [undefined, null, 0, 1, 'true', 'false', [], {}, [true]];
    for (const isOn of wrong) {
      assert.equal(decodeToolMessage({ type: 'setTools', isOn }), undefined);
      assert.equal(decodeToolMessage({ type: 'setTool', name: 'getDiagnostics', isOn }), undefined);
      assert.equal(isAboutTools({ type: 'setTools', isOn }), true);
    }
    for (const name of [undefined, null, 7, ['getDiagnostics'], { toString: 'getDiagnostics' }, true])
      assert.equal(decodeToolMessage({ type: 'setTool', name, isOn: true }), undefined);
    for (const message of [
      undefined,
      null,
      'setTools',
      ['setTools'],
      { type: ['setTools'], isOn: true },
      { isOn: true },
    ])
      assert.deepEqual([decodeToolMessage(message), isAboutTools(message)], [undefined, false]);
  });
});
