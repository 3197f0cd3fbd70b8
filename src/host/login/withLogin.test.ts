import assert from 'node:assert/strict';
import { test } from 'node:test';
import { authRequired } from '../../acp/base/errors';
import { isAllowed } from './withLogin';

test('a request is allowed unless the agent requires a login', async () => {
  assert.equal(await isAllowed(Promise.resolve()), true);
  assert.equal(await isAllowed(Promise.reject(authRequired())), false);
  await assert.rejects(isAllowed(Promise.reject(new Error('gone'))), { message: 'gone' });
});
