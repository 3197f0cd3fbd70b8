import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { patiently, patientlyNow } from './patiently';

/** An operation that fails with these codes in turn, and then succeeds. */
function failing(codes: readonly string[]) {
  const left = [...codes];
  const state = { attempts: 0 };
  const act = () => {
    state.attempts += 1;
    const code = left.shift();
    if (code !== undefined) throw Object.assign(new Error(code), { code });
    return 'done';
  };
  return { act, state };
}

function patience(platform: NodeJS.Platform = 'win32') {
  const pauses: number[] = [];
  return { pauses, options: { platform, pause: (ms: number) => void pauses.push(ms) } };
}

suite('a file that another program holds', () => {
  test('is retried on Windows with growing pauses', async () => {
    const { act, state } = failing(['EPERM', 'EACCES', 'EBUSY']);
    const { pauses, options } = patience();
    assert.equal(await patiently(act, options), 'done');
    assert.equal(state.attempts, 4);
    assert.deepEqual(pauses, [10, 20, 40]);
    assert.equal(patientlyNow(failing(['EPERM']).act, options), 'done');
  });

  test('fails after two seconds, or sooner if the editor waits', async () => {
    const always = Array.from({ length: 1000 }, () => 'EPERM');
    const inTime = patience();
    await assert.rejects(patiently(failing(always).act, inTime.options), { code: 'EPERM' });
    const total = inTime.pauses.reduce((sum, ms) => sum + ms, 0);
    assert.ok(total > 1500 && total < 3000, `${total} ms`);
    const atOnce = patience();
    assert.throws(() => patientlyNow(failing(always).act, atOnce.options), { code: 'EPERM' });
    assert.ok(atOnce.pauses.reduce((sum, ms) => sum + ms, 0) < 500);
  });

  test('fails immediately on other systems and for other reasons', async () => {
    for (const [platform, code] of [
      ['linux', 'EPERM'],
      ['darwin', 'EBUSY'],
      ['win32', 'ENOENT'],
      ['win32', 'ENOSPC'],
    ] as const) {
      const { act, state } = failing([code]);
      await assert.rejects(patiently(act, patience(platform).options), { code });
      assert.throws(() => patientlyNow(failing([code]).act, patience(platform).options), { code });
      assert.equal(state.attempts, 1);
    }
  });

  test('can be waited for synchronously', () => {
    const started = performance.now();
    assert.equal(patientlyNow(failing(['EPERM', 'EPERM']).act, { platform: 'win32' }), 'done');
    assert.ok(performance.now() - started >= 25);
  });
});
