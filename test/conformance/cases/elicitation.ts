import assert from 'node:assert/strict';
import { row } from '../row';

row('E06', 'an unknown mode is answered "invalid params"', async (t) => {
  const agent = await t.open();
  const params = {
    mode: 'telepathy',
    message: 'Think of a number',
    requestedSchema: { type: 'object', properties: {} },
  };
  assert.equal(await agent.errorCode('elicitation/create', params), -32602);
});
