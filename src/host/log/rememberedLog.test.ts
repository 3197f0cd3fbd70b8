import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RememberedLog } from './rememberedLog';

test('passes lines on and keeps the last ones with time and level', () => {
  const passed: string[] = [];
  const pass = (level: string) => (message: string) => void passed.push(`${level} ${message}`);
  const log = new RememberedLog({ info: pass('info'), warn: pass('warn'), error: pass('error') }, () => 0);
  log.info('one');
  log.warn('two');
  log.error(`three ${'x'.repeat(5000)}`);
  assert.deepEqual(passed.slice(0, 2), ['info one', 'warn two']);
  assert.equal(passed[2]?.length, 5012);
  assert.deepEqual(log.lines.slice(0, 2), [
    '1970-01-01T00:00:00.000Z [info] one',
    '1970-01-01T00:00:00.000Z [warning] two',
  ]);
  assert.ok((log.lines[2]?.length ?? 0) < 2100, 'A long line is cut.');
  for (let count = 0; count < 1000; count++) log.info(`${count}`);
  assert.equal(log.lines.length, 400);
  assert.match(log.lines.at(-1) ?? '', / 999$/);
});
