import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Message } from 'vscode-jsonrpc/node';
import { seededRandom } from '../../../test/unit-support/scriptedAgent';
import { Inbox } from './inbox';

interface Numbered extends Message {
  readonly number: number;
  readonly now: boolean;
}

function setup() {
  const order: number[] = [];
  const state = { handedOver: 0 };
  const inbox = new Inbox({
    dispatchNow: (message) => {
      const { number, now } = message as Numbered;
      if (now) order.push(number);
      return now;
    },
    handOver: (message) => {
      state.handedOver++;
      order.push((message as Numbered).number);
    },
  });
  return { inbox, order, state };
}

test('dispatches messages in order of arrival, immediately or handed over', () => {
  for (let seed = 1; seed <= 200; seed++) {
    const { inbox, order, state } = setup();
    const random = seededRandom(seed);
    let marked = 0;
    for (let number = 0; number < 300; number++) {
      const message: Numbered = { jsonrpc: '2.0', number, now: random() < 0.8 };
      inbox.push(message);
      if (random() < 0.4 && marked < state.handedOver) {
        marked++;
        inbox.markDispatched();
      }
      assert.ok(state.handedOver - marked <= 1, 'never two handed over at once');
    }
    while (marked < state.handedOver) {
      marked++;
      inbox.markDispatched();
    }
    assert.deepEqual(
      order,
      Array.from({ length: 300 }, (_, number) => number),
      `seed ${seed}`,
    );
    assert.equal(inbox.size, 0);
  }
});

test('the size counts waiting messages and the one handed over', () => {
  const { inbox, order } = setup();
  for (let number = 0; number < 3; number++) inbox.push({ jsonrpc: '2.0', number, now: number > 0 } as Numbered);
  assert.equal(inbox.size, 3);
  inbox.clear();
  assert.equal(inbox.size, 1);
  inbox.markDispatched();
  assert.equal(inbox.size, 0);
  assert.deepEqual(order, [0]);
});
