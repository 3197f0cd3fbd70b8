// @ts-check
// Builds the extension and packs it into `dist/parley-acp-VERSION.vsix`. `--no-build` packs what `dist/` holds.
import { createVSIX } from '@vscode/vsce';
import { root } from './root.mjs';
import { vsixPath } from './workbench/installed.mjs';
import { run } from './workbench/run.mjs';

if (!process.argv.includes('--no-build')) await run(process.execPath, ['esbuild.mjs'], { cwd: root });
const packagePath = await vsixPath();
// Everything that runs is inside the bundles, or beside them in dist.
await createVSIX({ cwd: root, packagePath, dependencies: false });
console.log(packagePath);
