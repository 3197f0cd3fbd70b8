// @ts-check
// Builds the extension and packs it into `dist/parley-acp-VERSION.vsix`, which runs everywhere. `--no-build` packs what `dist/` has.
// `--target linux-x64` packs the smaller VSIX of a platform instead, and `--all` packs the universal one and those of all platforms.
// With `--tagged`, links and pictures of the listing lead to the version's tag.
import { readdir, readFile, rename, stat } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { createVSIX } from '@vscode/vsce';
import { platforms, shippedFiles, shippedList } from './platforms.mjs';
import { channelOf } from './release/facts.mjs';
import { listing, writeListing } from './release/listing.mjs';
import { inProduct, root } from './root.mjs';
import { vsixPath } from './workbench/installed.mjs';
import { run } from './workbench/run.mjs';

const { values } = parseArgs({
  options: {
    'no-build': { type: 'boolean', default: false },
    target: { type: 'string', multiple: true, default: [] },
    all: { type: 'boolean', default: false },
    tagged: { type: 'boolean', default: false },
  },
});
const unknown = values.target.filter((target) => !platforms.some((platform) => platform === target));
if (unknown.length > 0) throw new Error(`No VSIX is made for ${unknown.join(', ')}, only for ${platforms.join(', ')}.`);
const chosen = values.all ? platforms : platforms.filter((platform) => values.target.includes(platform));

/** How many bytes a package may have. Who installs Parley waits for them. */
const largest = 4_500_000;

const product = inProduct();
const { version } = JSON.parse(await readFile(inProduct('package.json'), 'utf8'));
if (!values['no-build']) await run(process.execPath, ['esbuild.mjs'], { cwd: root });
// A module that is loaded on first use and was left out would be missed only then.
const modules = (await readdir(inProduct('dist'))).filter((name) => /\.c?js$/.test(name));
// Whoever ships code of others ships their licenses, too.
const beside = ['node-pty/lib/index.js', 'tree-sitter/tree-sitter.js', 'tree-sitter/tree-sitter-bash.wasm'];
await writeListing(product);
const needed = [
  'dist/ThirdPartyNotices.txt',
  ...Object.values(listing),
  ...[...modules, ...beside].map((name) => `dist/${name}`),
];
for (const platform of [...(values.all || chosen.length === 0 ? [undefined] : []), ...chosen]) {
  const ignoreFile = await shippedList(product, platform);
  const packed = new Set(await shippedFiles(product, ignoreFile));
  const missing = needed.filter((file) => !packed.has(file));
  if (!modules.includes('extension.js') || missing.length > 0) {
    throw new Error(`The package lacks what the extension loads: ${missing.join(', ') || 'nothing was found'}.`);
  }
  const packagePath = await vsixPath(platform);
  // Everything that runs is inside the bundles, or beside them in dist.
  // A run that ends meanwhile leaves no part of a package that the next one takes for whole.
  const part = `${packagePath}.${process.pid}`;
  await createVSIX({
    cwd: product,
    packagePath: part,
    dependencies: false,
    readmePath: listing.readme,
    changelogPath: listing.changelog,
    ...(values.tagged && { githubBranch: `v${version}` }),
    ignoreFile,
    preRelease: channelOf(version) === 'pre-release',
    ...(platform && { target: platform }),
  });
  const { size } = await stat(part);
  if (size > largest) throw new Error(`${packagePath} would have ${size} bytes, and may have ${largest}.`);
  await rename(part, packagePath);
  console.log(packagePath);
}
