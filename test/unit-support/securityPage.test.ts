import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { guardedNames, type GuardedReason } from '../../src/shared/limits/guardedPlaces';

const titles: Readonly<Record<GuardedReason, string>> = {
  editorSettings: 'Editor settings',
  gitHooks: 'Git hooks and configuration',
  agentSettings: 'Agent settings',
  startupFiles: 'Startup files',
  automation: 'CI workflows',
  credentials: 'Keys and tokens',
};

test('the security page lists every guarded place', () => {
  const page = readFileSync('docs/security.md', 'utf8');
  const [begin, end] = ['<!-- guarded places: begin -->\n', '<!-- guarded places: end -->'];
  const lists = [...guardedNames()].map(
    ([reason, names]) => `- **${titles[reason]}**: ${names.map((name) => `\`${name}\``).join(', ')}`,
  );
  const before = page.slice(0, page.indexOf(begin) + begin.length);
  const expected = `${before}\n${lists.join('\n')}\n\n${page.slice(page.indexOf(end))}`;
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync('docs/security.md', expected);
  else assert.equal(page, expected);
});
