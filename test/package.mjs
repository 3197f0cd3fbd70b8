// @ts-check
// Builds the extension and packs it into `dist/parley-acp-VERSION.vsix`. `--no-build` packs what `dist/` holds.
import { readFile } from 'node:fs/promises';
import { createVSIX } from '@vscode/vsce';
import { inRoot, root } from './root.mjs';
import { run } from './workbench/run.mjs';

if (!process.argv.includes('--no-build')) await run(process.execPath, ['esbuild.mjs'], { cwd: root });
const { name, version } = JSON.parse(await readFile(inRoot('package.json'), 'utf8'));
const packagePath = inRoot('dist', `${name}-${version}.vsix`);
// Everything that runs is inside the bundles, or beside them in dist.
await createVSIX({ cwd: root, packagePath, dependencies: false });
console.log(packagePath);
