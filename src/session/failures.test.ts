import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { ResponseError } from '../acp/base/errors';
import { handshakeFailed, promptFailed, sessionNotOpened, sessionNotReopened } from './failures';

const body = { error: { type: 'invalid_request_error', message: 'unknown model' } };
const wordy = new ResponseError(-32603, `API Error: 400 ${JSON.stringify(body)}`);
const pretty = new ResponseError(-32603, `The request failed: ${JSON.stringify(body, undefined, 2)}`);

suite('an error card', () => {
  test('has the agent’s words and no JSON, whatever failed', () => {
    for (const error of [wordy, pretty]) {
      for (const { cause = '' } of [
        handshakeFailed('Claude', error, ''),
        sessionNotOpened('Claude', error),
        sessionNotReopened('Claude', error),
        promptFailed('Claude', error),
      ]) {
        assert.match(cause, /^(API Error: 400|The request failed)(\n|$)/);
        assert.doesNotMatch(cause, /[{}]/);
      }
    }
  });

  test('keeps words that only look like JSON', () => {
    const error = new ResponseError(-32603, 'Expected “}” after {name} in a[0]');
    assert.equal(promptFailed('Claude', error).cause, 'Expected “}” after {name} in a[0]');
  });
});
