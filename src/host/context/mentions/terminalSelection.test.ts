import assert from 'node:assert/strict';
import { test } from 'node:test';
import { selectedInTerminal, type SelectionSource } from './terminalSelection';

/** A clipboard and a terminal with a selection. */
function machine(held: string, selection: string, fails = false) {
  const state = { held, asked: 0, agrees: false };
  const source: SelectionSource = {
    clipboard: {
      readText: () => Promise.resolve(state.held),
      writeText: (text) => Promise.resolve(void (state.held = text)),
    },
    copy: () => {
      if (selection !== '') state.held = selection;
      return fails ? Promise.reject(new Error('no terminal')) : Promise.resolve();
    },
    mayReplace: () => {
      state.asked += 1;
      return Promise.resolve(state.agrees);
    },
    pause: () => Promise.resolve(),
  };
  return { state, source };
}

test('reads the selection and restores the clipboard', async () => {
  const { state, source } = machine('mine', 'npm ERR! missing\n');
  assert.equal(await selectedInTerminal(source), 'npm ERR! missing\n');
  assert.deepEqual(state, { held: 'mine', asked: 0, agrees: false });
});

test("never mistakes the clipboard's content for the selection", async () => {
  const { state, source } = machine('my password', '');
  assert.equal(await selectedInTerminal(source), '');
  assert.equal(state.held, 'my password');
  const same = machine('the same', 'the same');
  assert.equal(await selectedInTerminal(same.source), 'the same');
});

test('restores the clipboard if copying fails', async () => {
  const { state, source } = machine('mine', 'text', true);
  await assert.rejects(selectedInTerminal(source), /no terminal/);
  assert.equal(state.held, 'mine');
});

test("asks before replacing clipboard content that isn't text", async () => {
  const { state, source } = machine('', 'text');
  let copied = false;
  const watched: SelectionSource = {
    ...source,
    copy: () => {
      copied = true;
      return source.copy();
    },
  };
  assert.equal(await selectedInTerminal(watched), undefined);
  assert.deepEqual([state.asked, copied], [1, false]);
  state.agrees = true;
  assert.equal(await selectedInTerminal(watched), 'text');
});

test('waits if the copy command returns before it has copied', async () => {
  const { state, source } = machine('mine', '');
  let pauses = 0;
  const pause = () => {
    pauses += 1;
    if (pauses === 3) state.held = 'late';
    return Promise.resolve();
  };
  assert.equal(await selectedInTerminal({ ...source, pause }), 'late');
  assert.deepEqual([state.held, pauses], ['mine', 3]);
});
