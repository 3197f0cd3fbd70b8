// @ts-check
// Builds the extension and packs it into `dist/parley-acp-VERSION.vsix`. `--no-build` packs what `dist/` holds.
import { readdir } from 'node:fs/promises';
import { createVSIX, listFiles, PackageManager } from '@vscode/vsce';
import { inRoot, root } from './root.mjs';
import { vsixPath } from './workbench/installed.mjs';
import { run } from './workbench/run.mjs';

if (!process.argv.includes('--no-build')) await run(process.execPath, ['esbuild.mjs'], { cwd: root });
// A module that is loaded on first use and was left out would be missed only then.
const modules = (await readdir(inRoot('dist'))).filter((name) => name.endsWith('.js'));
// Whoever ships code of others ships their licenses, too.
const beside = ['node-pty/lib/index.js', 'tree-sitter/tree-sitter.js', 'tree-sitter/tree-sitter-bash.wasm'];
const needed = ['dist/ThirdPartyNotices.txt', ...[...modules, ...beside].map((name) => `dist/${name}`)];
const packed = new Set(await listFiles({ cwd: root, packageManager: PackageManager.None }));
const missing = needed.filter((file) => !packed.has(file));
if (!modules.includes('extension.js') || missing.length > 0) {
  throw new Error(`The package lacks what the extension loads: ${missing.join(', ') || 'nothing was found'}.`);
}
const packagePath = await vsixPath();
// Everything that runs is inside the bundles, or beside them in dist.
await createVSIX({ cwd: root, packagePath, dependencies: false });
console.log(packagePath);
