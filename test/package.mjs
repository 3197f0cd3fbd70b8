// @ts-check
// Builds the extension and packs it into `dist/parley-acp-VERSION.vsix`, which runs everywhere. `--no-build` packs what `dist/` has.
// `--target linux-x64` packs the smaller VSIX of a platform instead, and `--all` packs the universal one and those of all platforms.
// With `--tagged`, links and pictures of the listing lead to the version's tag.
import { readdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { createVSIX } from '@vscode/vsce';
import { rowsOf, withTables } from './docTables.mjs';
import { platforms, shippedFiles, shippedList } from './platforms.mjs';
import { channelOf } from './release/facts.mjs';
import { listing, writeListing } from './release/listing.mjs';
import { inProduct, inRoot, root } from './root.mjs';
import { limits } from './shape.mjs';
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

/** How far a package's size may be from that in docs/benchmarks.md. */
const tolerance = 0.03;
const figures = inRoot('docs', 'benchmarks.md');

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
/** Of each package, in KB of 1,000 bytes. @type {[name: string, kilobytes: number][]} */
const sizes = [];
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
  const kilobytes = size / 1000;
  if (kilobytes > limits.packageKilobytes) {
    throw new Error(`${packagePath} would have ${kilobytes} KB, and may have ${limits.packageKilobytes}.`);
  }
  await rename(part, packagePath);
  console.log(packagePath);
  sizes.push([platform ?? 'universal', Math.round(kilobytes)]);
}
await compareSizes();

/** What the docs say of the packages is true: packing all of them writes it, and packing some holds it. */
async function compareSizes() {
  const text = await readFile(figures, 'utf8');
  if (values.all) {
    const rows = sizes.map(([name, kilobytes]) => [name, kilobytes.toLocaleString('en')]);
    await writeFile(figures, await withTables(figures, text, { packages: [['Package', 'KB'], ...rows] }));
    return;
  }
  for (const [name = '', cell = ''] of rowsOf(text, 'packages')) {
    const [, kilobytes] = sizes.find(([packed]) => packed === name) ?? [];
    const told = Number(cell.replaceAll(',', ''));
    if (kilobytes === undefined || Math.abs(kilobytes / told - 1) <= tolerance) continue;
    throw new Error(
      `The package ${name} has ${kilobytes} KB, and docs/benchmarks.md says ${told}: run "npm run package -- --all".`,
    );
  }
}
