import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bundledPackages, noticesOf } from '../notices.mjs';

test('every package in a bundle is named once, the innermost where one is inside another', () => {
  const inputs = {
    'src/extension.ts': {},
    'node_modules/zod/v4/index.js': {},
    'node_modules/zod/v4/core.js': {},
    'node_modules/@xterm/xterm/lib/xterm.js': {},
    'node_modules/a/node_modules/b/index.js': {},
  };
  assert.deepEqual(bundledPackages([{ inputs }]), ['@vscode/codicons', '@xterm/xterm', 'b', 'node-pty', 'zod']);
});

test('the notices hold the license of every package, with its version', async () => {
  const text = await noticesOf(['zod', 'lit-html', 'node-pty']);
  for (const name of ['zod', 'lit-html', 'node-pty'])
    assert.match(text, new RegExp(`^${name} \\d+\\.\\d+\\.\\d+`, 'm'));
  assert.match(text, /Permission is hereby granted/);
  assert.match(text, /BSD 3-Clause License/);
});

test('a package that is not there fails, instead of being left out', async () => {
  await assert.rejects(noticesOf(['no-such-package']));
});
