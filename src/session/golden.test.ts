import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, it } from 'node:test';
import { readTraffic, TrafficPlayer } from '../../test/unit-support/playTraffic';

const traffic = resolve('test/fixtures/traffic');
const golden = resolve('test/golden');

/*
 * Recorded and shortened traffic of real agents, and the resulting transcripts. `UPDATE_GOLDEN=1` rewrites the
 * transcripts; review the differences before committing.
 */
void describe('traffic of real agents', () => {
  for (const file of readdirSync(traffic).filter((name) => name.endsWith('.ndjson'))) {
    const name = file.replace(/\.ndjson$/, '');
    void it(`produces the expected transcript: ${name}`, async () => {
      const player = await new TrafficPlayer(name).play(readTraffic(readFileSync(join(traffic, file), 'utf8')));
      const path = join(golden, `${name}.txt`);
      if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(path, player.test.text);
      assert.equal(player.test.text, readFileSync(path, 'utf8'));
      const open = player.test
        .all('tool_call')
        .filter(({ status }) => status === 'pending' || status === 'in_progress');
      assert.deepEqual(open, []);
      assert.deepEqual(player.test.view.activity, { state: 'idle' });
    });
  }
});
