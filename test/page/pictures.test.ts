import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { rows } from '../conformance/rows';
import { pictures } from './pictures';
import { groupsInSight, nothingToSee } from './rowsInSight';

const golden = join(process.cwd(), 'test/golden/look');
const shown = Object.keys(pictures);

test('every picture shows a row of the checklist', () => {
  const ids = new Set(rows.map(({ id }) => id));
  assert.deepEqual(
    [...shown, ...Object.keys(nothingToSee)].filter((id) => !ids.has(id)),
    [],
  );
  const groups = new Set(rows.map(({ group }) => group));
  assert.deepEqual(
    groupsInSight.filter((group) => !groups.has(group)),
    [],
  );
});

test('every visible row has a picture or a reason against one', () => {
  const served = rows.filter(
    ({ state }) => typeof state === 'string' || !('notApplicable' in state || 'later' in state),
  );
  const visible = served.filter(({ group }) => groupsInSight.includes(group)).map(({ id }) => id);
  assert.deepEqual(
    visible.filter((id) => !(id in pictures) && !(id in nothingToSee)),
    [],
  );
  assert.deepEqual(
    shown.filter((id) => id in nothingToSee),
    [],
  );
});

test('every picture has one fingerprint per theme, below 2 KB', () => {
  const expected = shown.flatMap((id) => ['dark', 'highContrast', 'light'].map((theme) => `${id}-${theme}.txt`));
  assert.deepEqual(readdirSync(golden).sort(), expected.sort());
  const large = expected.filter((name) => readFileSync(join(golden, name)).length >= 2000);
  assert.deepEqual(large, []);
});
