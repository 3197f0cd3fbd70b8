import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { removeFolder } from '../unit-support/tempFolder';
import { playHistories } from './play';

// A fixed seed: a run that fails fails again. `npm run histories` takes another one each time.
const count = Number(process.env['PARLEY_HISTORIES'] ?? 200);
const root = mkdtempSync(join(tmpdir(), 'parley-histories-'));
after(() => removeFolder(root));

test('no random history of agents and a user loses a line', async () => {
  await playHistories({ count, seed: 34, root });
});
