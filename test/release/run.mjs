// @ts-check
// Makes a release. `npm run release -- --dry-run` does everything but the upload: it builds twice and compares, checks and installs the
// packages, and prints what would be published where. Without `--dry-run`, it also fails if the tag or the change log isn't ready. What it
// leaves in `dist/release/` is published by `publish.mjs`.
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { platforms } from '../platforms.mjs';
import { inRoot, productVariable, root } from '../root.mjs';
import { copyBeside } from '../runner/product.mjs';
import { installPackages } from '../runner/steps.mjs';
import { run } from '../workbench/run.mjs';
import { installVsix } from '../workbench/server.mjs';
import { unsupportedPlatform } from '../workbench/vscodeServer.mjs';
import { channelOf, isPlace, notesOf, places, problemsOf, publishArgs } from './facts.mjs';
import { folder, hashOf, packages, sums, sumsOf } from './prepared.mjs';

const { values } = parseArgs({ options: { 'dry-run': { type: 'boolean', default: false } } });
const { name, publisher, version } = JSON.parse(await readFile(inRoot('package.json'), 'utf8'));
const channel = channelOf(version);
try {
  await prepare(values['dry-run']);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

/** @param {boolean} isDryRun */
async function prepare(isDryRun) {
  const changelog = await readFile(inRoot('CHANGELOG.md'), 'utf8');
  const { made } = JSON.parse(await readFile(inRoot('src', 'host', 'registry', 'snapshot.json'), 'utf8'));
  const tag = isDryRun ? undefined : process.env['GITHUB_REF_NAME'];
  const problems = problemsOf({ version, tag, changelog, agentsOf: made, today: new Date() });
  if (problems.length > 0 && !isDryRun) throw new Error(problems.join('\n'));
  await installPackages();
  // Packages contain the times of their files. Those of the commit are the same for whoever builds it.
  process.env['SOURCE_DATE_EPOCH'] = (await run('git', ['log', '-1', '--format=%ct'], { cwd: root })).trim();
  const one = await build('one');
  const two = await build('two');
  await compare(one, two);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  for (const file of one.files) await cp(join(one.dist, file), join(folder, file));
  await cp(join(one.dist, 'sbom.cdx.json'), join(folder, 'sbom.cdx.json'));
  await rm(inRoot('out', 'release'), { recursive: true, force: true });
  await install();
  await writeFile(join(folder, 'notes.md'), `${notesOf(changelog, version) ?? 'See CHANGELOG.md.'}\n`);
  await writeFile(sums, await sumsOf());
  console.log(`\n${publisher}.${name} ${version} (${channel}), in ${relative(root, folder)}:`);
  console.log(await readFile(sums, 'utf8'));
  for (const [place, { name: title, token, program }] of Object.entries(places)) {
    if (!isPlace(place)) continue;
    const args = publishArgs(place, { packages: await packages(), channel, hasToken: false });
    console.log(`${title}, with trusted publishing, or with ${token}:`);
    console.log(`  ${basename(program)} ${args.map((arg) => relativeTo(arg)).join(' ')}\n`);
  }
  for (const problem of problems) console.log(`Before a release: ${problem}`);
}

/**
 * Builds and packs everything in a folder of its own.
 * @param {string} as
 */
async function build(as) {
  const product = inRoot('out', 'release', as);
  console.log(`Building in ${relative(root, product)} …`);
  await rm(product, { recursive: true, force: true });
  await mkdir(product, { recursive: true });
  await copyBeside(product);
  const env = { ...process.env, [productVariable]: product };
  await run(process.execPath, ['esbuild.mjs', '--into', relative(root, product)], { cwd: root, env });
  await run(process.execPath, ['test/package.mjs', '--no-build', '--all', '--tagged'], { cwd: root, env });
  const dist = join(product, 'dist');
  return { dist, files: (await readdir(dist)).filter((file) => file.endsWith('.vsix')).sort() };
}

/** @typedef {{ dist: string, files: readonly string[] }} Built */

/**
 * Rejects unless both builds have the same packages, to the byte, and there is one for each platform and one for all others.
 * @param {Built} one
 * @param {Built} two
 */
async function compare(one, two) {
  const expected = [undefined, ...platforms].map((platform) =>
    [name, platform, `${version}.vsix`].filter(Boolean).join('-'),
  );
  const missing = expected.filter((file) => !one.files.includes(file));
  if (missing.length > 0) throw new Error(`These packages are missing: ${missing.join(', ')}`);
  for (const file of [...one.files, 'sbom.cdx.json']) {
    const [a, b] = await Promise.all([one, two].map(({ dist }) => hashOf(join(dist, file))));
    if (a !== b) throw new Error(`${file} isn't the same in two builds of the same sources.`);
  }
  console.log(`Two builds made the same bytes of ${one.files.length} packages.`);
}

/** Installs the packages that run here, each into a VS Code where nothing else is. */
async function install() {
  const unsupported = unsupportedPlatform();
  if (unsupported) throw new Error(unsupported);
  for (const platform of [undefined, `${process.platform}-${process.arch}`]) {
    const file = [name, platform, `${version}.vsix`].filter(Boolean).join('-');
    const extensions = await mkdtemp(join(tmpdir(), 'parley-release-'));
    try {
      await installVsix(join(folder, file), extensions);
      const installed = (await readdir(extensions)).find((entry) =>
        entry.startsWith(`${publisher}.${name}-${version}`),
      );
      if (installed === undefined) throw new Error(`VS Code didn't install ${file}.`);
      const main = await readFile(join(extensions, installed, 'dist', 'extension.js'));
      if (main.length === 0) throw new Error(`${file} has no extension in it.`);
      console.log(`VS Code has installed ${file}.`);
    } finally {
      await rm(extensions, { recursive: true, force: true });
    }
  }
}

/** @param {string} arg */
function relativeTo(arg) {
  return arg.startsWith(root) ? relative(root, arg) : arg;
}
