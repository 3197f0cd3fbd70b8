import assert from 'node:assert/strict';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { platforms, shippedFiles, shippedList } from '../platforms.mjs';
import { tempFolder } from './tempFolder';

const everywhere = [
  'LICENSE',
  'dist/ThirdPartyNotices.txt',
  'dist/extension.js',
  'dist/listing/CHANGELOG.md',
  'dist/listing/README.md',
  'dist/node-pty/LICENSE',
  'dist/node-pty/lib/index.js',
  'dist/node-pty/package.json',
  'dist/re2.cjs',
  'dist/tree-sitter/tree-sitter.wasm',
  'dist/vendor/LICENSE',
  'dist/vendor/java-proxy-agent/srt-proxy-agent.jar',
  'dist/webview/main.js',
  'media/icon.png',
  'package.json',
  'package.nls.json',
];
const nowhere = [
  'CHANGELOG.md',
  'README.md',
  'dist/extension.js.map',
  'dist/other.vsix',
  'dist/webview/main.js.map',
  'dist/vendor/srt-win/arm64/srt-win.exe',
  'dist/vendor/srt-win/x64/srt-win.exe',
  'l10n/bundle.l10n.json',
  'src/extension.ts',
  'test/a.mjs',
];
const programsOf = (platform: string) => [
  `dist/node-pty/prebuilds/${platform}/pty.node`,
  ...(platform.startsWith('linux-') ? [`dist/vendor/seccomp/${platform.slice(6)}/apply-seccomp`] : []),
];

test("a platform's VSIX has only its programs, the universal none of Windows", async (t) => {
  const folder = tempFolder(t);
  for (const file of [...everywhere, ...nowhere, ...platforms.flatMap(programsOf)]) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), file === 'package.json' ? manifest : '');
  }
  for (const platform of [undefined, ...platforms]) {
    const files = await shippedFiles(folder, await shippedList(process.cwd(), platform));
    const others = platforms.filter((one) => !one.startsWith('win32-'));
    const programs = (platform === undefined ? others : [platform]).flatMap(programsOf);
    assert.deepEqual(files.sort(), [...everywhere, ...programs].sort(), platform);
  }
});

test('every platform with programs has a VSIX', async () => {
  const names = await readdir(join(process.cwd(), 'node_modules', 'node-pty', 'prebuilds'));
  assert.deepEqual(names.sort(), [...platforms].sort());
});

const manifest = JSON.stringify({ name: 'a', publisher: 'b', version: '1.0.0', engines: { vscode: '^1.106.0' } });
