import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bundledPackages, noticesOf } from '../notices.mjs';

test('lists each bundled package once, the innermost of nested ones', () => {
  const inputs = {
    'src/extension.ts': {},
    'node_modules/zod/v4/index.js': {},
    'node_modules/zod/v4/core.js': {},
    'node_modules/@xterm/xterm/lib/xterm.js': {},
    'node_modules/a/node_modules/b/index.js': {},
  };
  assert.deepEqual(bundledPackages([{ inputs }]), [
    '@vscode/codicons',
    '@vscode/tree-sitter-wasm',
    '@xterm/xterm',
    'b',
    'node-pty',
    'zod',
  ]);
});

test('includes the license and version of every package', async () => {
  const text = await noticesOf(['zod', 'lit-html', 'node-pty']);
  for (const name of ['zod', 'lit-html', 'node-pty'])
    assert.match(text, new RegExp(`^${name} \\d+\\.\\d+\\.\\d+`, 'm'));
  assert.match(text, /Permission is hereby granted/);
  assert.match(text, /BSD 3-Clause License/);
});

test('includes the license of the agent list', async () => {
  assert.match(await noticesOf([]), /^ACP registry \(Apache-2\.0\)[^]*Apache License\s+Version 2\.0/m);
});

test('fails for a missing package instead of omitting it', async () => {
  await assert.rejects(noticesOf(['no-such-package']));
});
