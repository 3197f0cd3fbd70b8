// @ts-check
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import * as esbuild from 'esbuild';
import { inProduct, inRoot, root } from '../root.mjs';
import { filesUnder } from './files.mjs';

/** A bundled program of tests. @typedef {{ path: string, files: readonly string[] }} Bundle its absolute path, and the test files in it */

/**
 * How tests are bundled.
 * @param {readonly string[]} [external] packages that aren't replaced: outside VS Code, the editor is played by a module of the tests
 * @returns {esbuild.BuildOptions}
 */
export function bundleOptions(external = []) {
  return {
    bundle: true,
    platform: 'node',
    target: 'node20',
    sourcemap: true,
    sourcesContent: false,
    logLevel: 'warning',
    // The played editor has only what tests need of it.
    logOverride: { 'import-is-undefined': 'silent' },
    absWorkingDir: root,
    // Tests of page code import style sheets and fonts along with it; Node has no use for them.
    loader: { '.css': 'empty', '.ttf': 'empty' },
    ...(external.length > 0
      ? { external: [...external] }
      : { alias: { vscode: inRoot('test', 'unit-support', 'vscode.ts') } }),
  };
}

/** Bundles the JSON files of packages. @type {esbuild.Plugin} */
const bundlesJson = {
  name: 'bundles-json',
  setup(build) {
    const { resolve } = createRequire(inRoot('package.json'));
    build.onResolve({ filter: /^[^.].*\.json$/ }, ({ path }) => ({ path: resolve(path) }));
  },
};

/** A global `require`, so that it doesn't collide with one that a test creates itself. */
const requireBanner =
  "import { createRequire as makeRequire } from 'node:module'; globalThis.require ??= makeRequire(import.meta.url);";

/**
 * Bundles programs one by one, each into a file of its own below `out/FOLDER`. Packages aren't bundled.
 * @param {readonly string[]} programs absolute paths
 * @param {{ folder: string, format: 'cjs' | 'esm', plugins?: esbuild.Plugin[] }} options
 * @returns {Promise<string[]>} the bundles, in the same order
 */
export async function bundleTests(programs, { folder, format, plugins = [] }) {
  const outdir = inRoot('out', folder);
  await rm(outdir, { recursive: true, force: true });
  if (programs.length === 0) return [];
  const extension = format === 'esm' ? '.mjs' : '.cjs';
  const result = await esbuild.build({
    ...bundleOptions(),
    entryPoints: [...programs],
    outdir,
    outbase: root,
    outExtension: { '.js': extension },
    format,
    packages: 'external',
    // Code of the extension host loads some of Node's modules with `require`, as in its own bundle. Packages that it loads when it needs them
    // would be loaded first in a single file, and some of them want the real editor.
    ...(format === 'esm' && { banner: { js: requireBanner }, splitting: true }),
    metafile: true,
    // Node imports JSON only with an attribute, which the bundler removes.
    plugins: format === 'esm' ? [bundlesJson, ...plugins] : plugins,
  });
  const outputs = Object.entries(result.metafile.outputs);
  return programs.map((program) => {
    const path = relative(root, program).replaceAll('\\', '/');
    const [output] = outputs.find(([, { entryPoint }]) => entryPoint === path) ?? [];
    if (output === undefined) throw new Error(`The bundler wrote nothing for ${path}.`);
    return join(root, output);
  });
}

/**
 * Bundles test files into a few bundles, each of several files that share a process and what they start in it.
 * @param {readonly string[]} files absolute paths
 * @param {{ folder: string, format: 'cjs' | 'esm', perBundle: number, first?: string | undefined }} options how many files a bundle has at most, and a module to evaluate before them
 * @returns {Promise<Bundle[]>}
 */
export async function bundleTogether(files, { perBundle, first, ...options }) {
  if (files.length === 0) return [];
  const count = Math.ceil(files.length / perBundle);
  const entries = inRoot('out', `${options.folder}-entries`);
  await mkdir(entries, { recursive: true });
  try {
    const programs = Array.from({ length: count }, async (_, at) => {
      const path = join(entries, `${at + 1} of ${count}.ts`);
      // Files of one kind have similar names. Those that take long belong in different bundles.
      const own = files.filter((_file, index) => index % count === at);
      const imported = first === undefined ? own : [first, ...own];
      await writeFile(path, imported.map((file) => `import ${JSON.stringify(file)};`).join('\n'));
      return { path, own };
    });
    const written = await Promise.all(programs);
    const bundles = await bundleTests(
      written.map(({ path }) => path),
      options,
    );
    return bundles.map((path, at) => ({ path, files: written[at]?.own ?? [] }));
  } finally {
    await rm(entries, { recursive: true, force: true });
  }
}

/** The suites that run in an extension host, by their folder below `test/`. @typedef {'integration' | 'conformance'} SuiteFolder */

/** The files of all suites in such a folder. @param {SuiteFolder} of @returns {Promise<string[]>} absolute paths */
export function suiteFiles(of) {
  const folder = inRoot('test', of);
  return of === 'integration'
    ? filesUnder(join(folder, 'suites'), '.test.ts')
    : filesUnder(join(folder, 'cases'), '.ts');
}

/** What suites leave to the extension host. */
export const suitePackages = ['vscode', 'node-pty'];

/**
 * Bundles every integration suite, or every conformance case, into one module for the extension host.
 * @param {string} [outFolder] below `out/`
 * @param {SuiteFolder} [of]
 * @returns {Promise<string>} absolute path of the module that exports `run`
 */
export async function bundleIntegration(outFolder = 'integration', of = 'integration') {
  const folder = inRoot('test', of);
  const imports = (await suiteFiles(of)).map((file) => `import ${JSON.stringify('./' + relative(folder, file))};`);
  await esbuild.build({
    ...bundleOptions(suitePackages),
    stdin: { contents: [...imports, `export { run } from './index';`].join('\n'), resolveDir: folder, loader: 'ts' },
    // Inside the extension's folder: VS Code gives each extension an interface of its own, and tests replace members of Parley's.
    outfile: inProduct('out', outFolder, 'index.cjs'),
    format: 'cjs',
  });
  return inProduct('out', outFolder, 'index.cjs');
}
