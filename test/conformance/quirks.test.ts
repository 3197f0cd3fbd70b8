import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { quirkRows, rowsOfQuirks } from './rows/quirks';

test('docs/agents.md has each row of the quirks once', () => {
  const documented = [...readFileSync('docs/agents.md', 'utf8').matchAll(/^\| (Q\d+) /gm)].map(([, id]) => id);
  assert.deepEqual(documented.sort(), quirkRows.map(({ id }) => id).sort());
});

test('each quirk of an agent has a row and is used', () => {
  const ids = new Set(quirkRows.map(({ id }) => id));
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !/\.test\.ts$|quirks\.ts$|dialect[\\/]dialect\.ts$/.test(name),
  );
  const code = files.map((name) => readFileSync(join('src', name), 'utf8')).join('\n');
  for (const [quirk, row] of Object.entries(rowsOfQuirks)) {
    assert.ok(ids.has(row), `${quirk} is in row ${row}, which doesn’t exist.`);
    assert.match(code, new RegExp(`\\b${quirk}\\b`), `Nothing uses ${quirk}.`);
  }
});
