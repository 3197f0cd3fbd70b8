import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ContentConsent, printOf, type Answer } from './contentConsent';

const never = new AbortController().signal;

function remembered(values = new Map<string, unknown>()) {
  const memory = {
    get: (key: string) => values.get(key),
    update: async (key: string, value: unknown) => void values.set(key, value),
  };
  return { values, consent: new ContentConsent(memory, 'key'), again: () => new ContentConsent(memory, 'key') };
}

/** Questions that the test answers. */
function asker() {
  const open: { readonly signal: AbortSignal; readonly answer: (answer: Answer | undefined) => void }[] = [];
  const put = (signal: AbortSignal) =>
    new Promise<Answer | undefined>((resolve) => {
      signal.addEventListener('abort', () => resolve(undefined));
      open.push({ signal, answer: resolve });
    });
  return { open, put };
}

test('an answer applies to exactly one content, also in later windows', async () => {
  const { consent, again } = remembered();
  const { open, put } = asker();
  const [one, other] = [printOf({ command: 'a' }), printOf({ command: 'b' })];
  const asking = consent.ask([one], put, never);
  open[0]!.answer('yes');
  await asking;
  assert.deepEqual([again().known(one), again().known(other)], ['yes', undefined]);
  await again().ask([one], put, never);
  assert.equal(open.length, 1, 'What is known is not asked about.');
  const refusing = consent.ask([other], put, never);
  open[1]!.answer('no');
  await refusing;
  assert.deepEqual([again().known(one), again().known(other)], ['yes', 'no']);
});

test('an answer settles the same question elsewhere', async () => {
  const { consent } = remembered();
  const { open, put } = asker();
  const both = [consent.ask(['print'], put, never), consent.ask(['print'], put, never)];
  open[1]!.answer('yes');
  await Promise.all(both);
  assert.ok(open[0]!.signal.aborted);
  assert.equal(consent.known('print'), 'yes');
});

test('stores nothing for an unanswered question and asks again', async () => {
  const { consent, values } = remembered();
  const { open, put } = asker();
  const asking = consent.ask(['print'], put, never);
  open[0]!.answer(undefined);
  await asking;
  assert.equal(consent.known('print'), undefined);
  assert.equal(values.size, 0);
  const withdrawn = new AbortController();
  const second = consent.ask(['print'], put, withdrawn.signal);
  withdrawn.abort();
  await second;
  assert.equal(consent.known('print'), undefined);
  assert.equal(open.length, 2);
});

test('replaces an old answer, and asks again once it is forgotten', async () => {
  const { consent } = remembered();
  await consent.note(['print'], 'no');
  await consent.note(['print'], 'yes');
  assert.equal(consent.known('print'), 'yes');
  await consent.note(['print'], 'no');
  assert.equal(consent.known('print'), 'no');
  await consent.forget();
  assert.equal(consent.known('print'), undefined);
});

test('treats damaged storage as no answer', () => {
  for (const kept of [undefined, null, 7, 'yes', [], { yes: 'print' }, { yes: [{}] }]) {
    assert.equal(remembered(new Map([['key', kept]])).consent.known('print'), undefined);
  }
});
