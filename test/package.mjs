// @ts-check
// Builds the extension and packs it into `dist/parley-acp-VERSION.vsix`. `--no-build` packs what `dist/` holds.
import { readFile } from 'node:fs/promises';
import { createVSIX, listFiles, PackageManager } from '@vscode/vsce';
import { inRoot, root } from './root.mjs';
import { vsixPath } from './workbench/installed.mjs';
import { run } from './workbench/run.mjs';

if (!process.argv.includes('--no-build')) await run(process.execPath, ['esbuild.mjs'], { cwd: root });
// A bundle that is loaded on first use and was left out would be missed only then.
const code = await readFile(inRoot('dist', 'extension.js'), 'utf8');
// Whoever ships code of others ships their licenses, too.
const needed = [
  'dist/ThirdPartyNotices.txt',
  ...[...code.matchAll(/\brequire\("\.\/([^"]+)"\)/g)].map(([, file]) => `dist/${file}`),
];
const packed = new Set(await listFiles({ cwd: root, packageManager: PackageManager.None }));
const missing = needed.filter((file) => !packed.has(file));
if (needed.length === 1 || missing.length > 0) {
  throw new Error(`The package lacks what the extension loads: ${missing.join(', ') || 'nothing was found'}.`);
}
const packagePath = await vsixPath();
// Everything that runs is inside the bundles, or beside them in dist.
await createVSIX({ cwd: root, packagePath, dependencies: false });
console.log(packagePath);
