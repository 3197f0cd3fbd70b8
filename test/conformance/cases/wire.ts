import assert from 'node:assert/strict';
import { silent } from '../agent';
import { wholeWire } from '../case';
import { row } from '../row';

// These come last: they look at all that was on the wire, of every case before them, too.

const everything = () => wholeWire.flatMap(({ messages }) => messages);

row('B14', "never sends the library's cancel method", async (t) => {
  const agent = await t.start({ 'session/new': () => silent });
  await agent.call('session/new');
  await t.page.click({ role: 'button', name: 'Cancel', exact: true });
  await agent.call('$/cancel_request');
  assert.ok(!JSON.stringify(everything()).includes('$/cancelRequest'));
});

row('B16', 'sends no trace context and no other key in _meta', async (t) => {
  const agent = await t.open();
  await t.turn(agent);
  const sent = everything().map(({ params }) => (params as { _meta?: object } | undefined)?._meta ?? {});
  const keys = new Set(sent.flatMap((meta) => Object.keys(meta)));
  // What logins by key and gateway take with them (O05), and a message for a running turn (O03).
  const known = ['traceparent', 'tracestate', 'baggage', 'api-key', 'gateway', 'steering'];
  for (const key of keys) assert.ok(known.includes(key), key);
});

row('T11', 'writes nothing but messages to an agent', async (t) => {
  const agent = await t.open();
  await t.turn(agent);
  assert.deepEqual(
    wholeWire.flatMap(({ faults }) => faults),
    [],
  );
});

row('T12', 'never sends a batch', async (t) => {
  const agent = await t.open();
  await t.turn(agent);
  assert.ok(everything().length > 0);
  assert.ok(!everything().some((message) => Array.isArray(message)));
  assert.deepEqual(
    wholeWire.flatMap(({ faults }) => faults.filter((fault) => fault.startsWith('not a message'))),
    [],
  );
});
