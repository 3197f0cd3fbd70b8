import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

test('package.nls.json has exactly the texts of the manifest', () => {
  const manifest = readFileSync('package.json', 'utf8');
  const used = new Set([...manifest.matchAll(/"%([\w.-]+)%"/g)].map(([, key]) => key));
  const texts = Object.keys(JSON.parse(readFileSync('package.nls.json', 'utf8')) as object);
  assert.deepEqual([...used].sort(), texts.sort());
});

test('ESLint and the architecture list the same rooms', () => {
  const config = readFileSync('eslint.config.mjs', 'utf8');
  const [, list = ''] = /^const hostFolders = \{([^}]*)\}/m.exec(config) ?? [];
  const allowed = [...list.matchAll(/(\w+): \[([^\]]*)\]/g)].map(([, room, names = '']) => [
    room,
    [...names.matchAll(/'(\w+)'/g)].map(([, name]) => name),
  ]);
  const page = readFileSync('docs/architecture.md', 'utf8');
  const [, section = ''] = /^### Inside src\/host\n([^]*?)^## /m.exec(page) ?? [];
  const described = [...section.matchAll(/^\| `(\w+)` +\|[^|]*\|([^|]*)\|/gm)].map(([, room, names = '']) => [
    room,
    [...names.matchAll(/`(\w+)`/g)].map(([, name]) => name),
  ]);
  const rooms = readdirSync('src/host', { withFileTypes: true }).flatMap((one) => (one.isDirectory() ? one.name : []));
  assert.deepEqual(described, allowed);
  assert.deepEqual(allowed.map(([room]) => room).sort(), rooms.sort());
});
