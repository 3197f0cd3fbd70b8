// Builds everything that ships into dist/, below the project's folder or the one after `--into`. `--watch` rebuilds on change; `--dev`
// preserves names and skips minifying.
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { createRequire } from 'node:module';
import * as esbuild from 'esbuild';
import { writeNotices } from './test/notices.mjs';

const watch = process.argv.includes('--watch');
const into = process.argv.indexOf('--into');
const dist = join(into > 0 ? (process.argv[into + 1] ?? '') : '', 'dist');
const minify = !watch && !process.argv.includes('--dev');
const require = createRequire(import.meta.url);

/** @type {esbuild.BuildOptions} */
const shared = {
  bundle: true,
  minify,
  sourcemap: true,
  sourcesContent: false,
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning',
};

/** @type {esbuild.Plugin} */
const nodePtyBesideBundle = {
  name: 'node-pty-beside-bundle',
  setup(build) {
    build.onResolve({ filter: /^node-pty$/ }, () => ({ path: './node-pty/lib/index.js', external: true }));
  },
};

/**
 * Mermaid loads KaTeX for formulas in labels, which need HTML labels. Diagrams have none here. Its sanitizer needs a browser's document; what
 * Mermaid draws is shown as an image, which runs and loads nothing.
 * @type {esbuild.Plugin}
 */
const mermaidStandIns = {
  name: 'mermaid-stand-ins',
  setup(build) {
    build.onResolve({ filter: /^katex$/ }, () => ({ path: resolve('webview/diagram/worker/noKatex.ts') }));
    build.onResolve({ filter: /^dompurify$/ }, () => ({ path: resolve('webview/diagram/worker/noSanitizer.ts') }));
  },
};

/**
 * Bundles the worker that `file?worker` names, as text: a webview can start a worker only from what it has in memory.
 * @type {esbuild.Plugin}
 */
const workersAsText = {
  name: 'workers-as-text',
  setup(build) {
    build.onResolve({ filter: /\?worker$/ }, ({ path, resolveDir }) => ({
      path: resolve(resolveDir, path.replace(/\?worker$/, '.ts')),
      namespace: 'worker',
    }));
    build.onLoad({ filter: /.*/, namespace: 'worker' }, async ({ path }) => {
      const { outputFiles, metafile } = await esbuild.build({
        ...page,
        entryPoints: [path],
        format: 'iife',
        write: false,
        sourcemap: false,
        plugins: [mermaidStandIns],
      });
      workers.push(metafile);
      return {
        contents: outputFiles[0]?.text ?? '',
        loader: 'text',
        watchFiles: Object.keys(metafile.inputs).map((file) => resolve(file)),
      };
    });
  },
};

/** What the bundles of workers were made of. @type {esbuild.Metafile[]} */
const workers = [];

/**
 * Programs for Node. CommonJS packages load Node's modules with `require`, which ES modules don't have.
 * @type {esbuild.BuildOptions}
 */
const node = {
  ...shared,
  outdir: dist,
  platform: 'node',
  format: 'esm',
  banner: {
    js: "import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url);",
  },
};

/** @type {esbuild.BuildOptions} */
const page = {
  ...shared,
  outdir: join(dist, 'webview'),
  platform: 'browser',
  target: 'chrome134',
  format: 'esm',
  loader: { '.ttf': 'file' },
  assetNames: '[name]',
};

/**
 * Loads what colors code from beside the pages, where all of them share it.
 * @type {esbuild.Plugin}
 */
const coloringBesidePages = {
  name: 'coloring-beside-pages',
  setup(build) {
    build.onResolve({ filter: /^\.\/highlight(?:Common|More)$/ }, ({ path, kind }) =>
      kind === 'dynamic-import' ? { path: `./code/${path.slice(2)}.js`, external: true } : undefined,
    );
  },
};

/** @type {esbuild.BuildOptions[]} */
const targets = [
  {
    ...node,
    entryPoints: { extension: 'src/extension.ts' },
    target: 'node22',
    splitting: true,
    // Beside the extension, because node-pty is located from there.
    chunkNames: '[name]-[hash]',
    external: ['vscode'],
    plugins: [nodePtyBesideBundle],
    alias: { re2js: './src/host/base/lateRe2.ts' },
  },
  // Loaded by that file, synchronously.
  {
    ...shared,
    entryPoints: { re2: 're2js' },
    outdir: dist,
    platform: 'node',
    format: 'cjs',
    target: 'node22',
    outExtension: { '.js': '.cjs' },
  },
  {
    ...node,
    entryPoints: { watchdog: 'src/agent/process/watchdog/main.ts', tourAgent: 'src/tour/main.ts' },
    target: 'node20',
  },
  // One process for each sandboxed agent. Its library is large, and no other program loads it.
  { ...node, entryPoints: { sandboxKeeper: 'src/sandbox/keeper/main.ts' }, target: 'node22' },
  {
    ...page,
    entryPoints: { main: 'webview/main.ts' },
    splitting: true,
    chunkNames: 'chunks/[name]-[hash]',
    plugins: [workersAsText, coloringBesidePages],
  },
  {
    ...page,
    outdir: join(dist, 'webview', 'code'),
    entryPoints: { highlightCommon: 'webview/code/highlightCommon.ts', highlightMore: 'webview/code/highlightMore.ts' },
  },
  // Separate pages that share nothing else with the chat.
  { ...page, entryPoints: { providers: 'webview/providers/main.ts' } },
  { ...page, entryPoints: { parley: 'webview/parley/main.ts' } },
  {
    ...page,
    entryPoints: { review: 'webview/review/main.ts' },
    splitting: true,
    chunkNames: 'chunks/review-[name]-[hash]',
    plugins: [coloringBesidePages],
  },
  {
    ...page,
    entryPoints: { tries: 'webview/tries/main.ts' },
    splitting: true,
    chunkNames: 'chunks/tries-[name]-[hash]',
    plugins: [coloringBesidePages],
  },
];

/**
 * Copies node-pty's runtime files: its JavaScript and the prebuilt binaries, without debug symbols. The console in `conpty` is for who doesn't
 * want the one of Windows (`useConptyDll`).
 */
async function copyNodePty() {
  const from = dirname(require.resolve('node-pty/package.json'));
  const to = join(dist, 'node-pty');
  await rm(to, { recursive: true, force: true });
  await mkdir(to, { recursive: true });
  const unwanted = /\.(pdb|map|test\.js)$|\.d\.ts$|[\\/]conpty$/;
  for (const part of ['package.json', 'LICENSE', 'lib', 'prebuilds']) {
    await cp(join(from, part), join(to, part), { recursive: true, filter: (source) => !unwanted.test(source) });
  }
}

/** Copies the parser for command lines: the library and the grammar for Bash. */
async function copyTreeSitter() {
  const from = dirname(require.resolve('@vscode/tree-sitter-wasm/package.json'));
  const to = join(dist, 'tree-sitter');
  await rm(to, { recursive: true, force: true });
  await mkdir(to, { recursive: true });
  await cp(join(from, 'LICENSE'), join(to, 'LICENSE'));
  // Unlike the extension, the library isn't an ES module.
  await writeFile(join(to, 'package.json'), '{}\n');
  for (const file of ['tree-sitter.js', 'tree-sitter.wasm', 'tree-sitter-bash.wasm']) {
    await cp(join(from, 'wasm', file), join(to, file));
  }
}

/** Copies the programs of the sandbox that its library looks for beside the bundle. */
async function copySandboxPrograms() {
  const from = join('node_modules', '@anthropic-ai', 'sandbox-runtime');
  const to = join(dist, 'vendor');
  await rm(to, { recursive: true, force: true });
  await mkdir(to, { recursive: true });
  await cp(join(from, 'LICENSE'), join(to, 'LICENSE'));
  const programs = [
    join('seccomp', 'x64', 'apply-seccomp'),
    join('seccomp', 'arm64', 'apply-seccomp'),
    join('java-proxy-agent', 'srt-proxy-agent.jar'),
    join('srt-win', 'x64', 'srt-win.exe'),
    join('srt-win', 'arm64', 'srt-win.exe'),
  ];
  for (const file of programs) await cp(join(from, 'vendor', file), join(to, file));
}

/** Removes the output of earlier builds, because the names of lazily loaded chunks change with their content. */
async function removeOldModules() {
  const names = await readdir(dist).catch(() => []);
  const old = names.filter((name) => /\.c?js(\.map)?$/.test(name));
  await Promise.all(old.map((name) => rm(join(dist, name))));
}

/**
 * Puts everything that the extension loads at once into its one file, because VS Code asks another thread about each file (docs/adr/0048).
 * What is loaded late imports from the one file what it imported from those that were there before, so each module still exists once.
 * @param {esbuild.Metafile} metafile
 */
async function joinFirstLoad({ outputs }) {
  const entry = Object.keys(outputs).find((file) => outputs[file]?.entryPoint === 'src/extension.ts') ?? '';
  const first = new Set([entry]);
  // The set grows while it is gone through.
  for (const file of first) {
    for (const { path, kind } of outputs[file]?.imports ?? [])
      if (kind === 'import-statement' && outputs[path]) first.add(path);
  }
  const chunks = [...first].filter((file) => file !== entry);
  const exported = chunks.map((file, at) => (outputs[file]?.exports ?? []).map((name) => [name, `c${at}_${name}`]));
  const late = Object.keys(outputs).filter((file) => file.endsWith('.js') && !first.has(file));
  await esbuild.build({
    ...shared,
    entryPoints: late,
    outdir: dist,
    allowOverwrite: true,
    platform: 'node',
    format: 'esm',
    target: 'node22',
    external: ['vscode', './node-pty/*'],
    // What a file imports only to be evaluated before it is in the one file.
    logOverride: { 'ignored-bare-import': 'silent' },
    plugins: [
      {
        name: 'from-the-one-file',
        setup(build) {
          build.onResolve({ filter: /^\.\// }, ({ path, kind, importer }) => {
            const at = importer === '' ? -1 : chunks.findIndex((file) => basename(file) === basename(path));
            if (at >= 0 && kind !== 'dynamic-import')
              return { path: String(at), namespace: 'joined', sideEffects: false };
            return importer === '' ? undefined : { path, external: true };
          });
          build.onLoad({ filter: /.*/, namespace: 'joined' }, ({ path }) => {
            const names = (exported[Number(path)] ?? []).map(([name, joined]) => `${joined} as ${name}`);
            return { contents: `export { ${names.join(', ')} } from './${basename(entry)}';` };
          });
        },
      },
    ],
  });
  const wanted = await importedFrom(basename(entry), late);
  const lines = chunks.map((file, at) => {
    const names = (exported[at] ?? []).filter(([, joined = '']) => wanted.has(joined));
    return `export { ${names.map(([name, joined]) => `${name} as ${joined}`).join(', ')} } from './${basename(file)}';`;
  });
  await esbuild.build({
    ...shared,
    stdin: {
      contents: [`export * from './${basename(entry)}';`, ...lines].join('\n'),
      resolveDir: dist,
      sourcefile: 'firstLoad.js',
    },
    outfile: resolve(entry),
    allowOverwrite: true,
    platform: 'node',
    format: 'esm',
    target: 'node22',
    external: ['vscode', './node-pty/*'],
    plugins: [
      {
        name: 'late-parts-stay',
        setup(build) {
          build.onResolve({ filter: /^\.\// }, ({ path, kind }) =>
            kind === 'dynamic-import' ? { path, external: true } : undefined,
          );
        },
      },
    ],
  });
  for (const file of chunks) await Promise.all([rm(file), rm(`${file}.map`, { force: true })]);
}

/**
 * The names that some built files import from another one.
 * @param {string} from
 * @param {readonly string[]} files
 */
async function importedFrom(from, files) {
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')));
  const lists = texts.flatMap((text) => [...text.matchAll(/\bimport\s*\{([^}]*)\}\s*from\s*"\.\/([^"]+)"/g)]);
  const names = lists.flatMap(([, list = '', path]) => (path === from ? list.split(',') : []));
  return new Set(names.map((name) => name.trim().split(/\s/, 1)[0] ?? ''));
}

await rm(join(dist, 'webview'), { recursive: true, force: true });
await removeOldModules();
await copyNodePty();
await copyTreeSitter();
await copySandboxPrograms();
if (watch) {
  for (const target of targets) await (await esbuild.context(target)).watch();
} else {
  const built = await Promise.all(targets.map((target) => esbuild.build(target)));
  if (built[0]?.metafile) await joinFirstLoad(built[0].metafile);
  await writeNotices(dist, [...built.flatMap(({ metafile }) => metafile ?? []), ...workers]);
}
