import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';

/** Packages that ask for a newer Node than 20, and where they run. */
const newer: Readonly<Record<string, string>> = {
  '@anthropic-ai/sandbox-runtime':
    'Parts of it are bundled, and the editor runs them with Node 22; the tests do so with Node 20.',
  '@vscode/test-electron': 'Only `npm run test:electron` uses it, which needs Node 22.',
  'eventsource-parser': 'It is bundled, and the editor runs it with Node 22; the tests do so with Node 20.',
};

/** Returns whether a range of versions includes some Node 20. Knows the forms that packages use. */
function allows20(range: string): boolean {
  return range.split('||').some((part) => {
    const [, sign = '', major = ''] = /^\s*([\^~>=<]*)\s*v?(\d+|\*)/.exec(part) ?? [];
    return major === '*' || (sign.startsWith('>') ? Number(major) <= 20 : Number(major) === 20);
  });
}

test('every package runs on Node 20, or is listed with a reason', async () => {
  const lock = JSON.parse(await readFile('package-lock.json', 'utf8')) as {
    packages: Readonly<Record<string, { engines?: { node?: string } }>>;
  };
  const wanting = Object.entries(lock.packages).flatMap(([path, { engines }]) =>
    engines?.node === undefined || allows20(engines.node) ? [] : [path.replace(/^.*node_modules\//, '')],
  );
  assert.deepEqual(wanting.sort(), Object.keys(newer));
  assert.ok(!allows20('^22.13.0 || >=24') && allows20('^20.19.0 || >=22.12.0'));
});
