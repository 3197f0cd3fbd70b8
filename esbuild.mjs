// Builds everything that ships into dist/. `--watch` rebuilds on change; `--dev` keeps names and skips minifying.
import { cp, mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createRequire } from 'node:module';
import * as esbuild from 'esbuild';
import { writeNotices } from './test/notices.mjs';

const watch = process.argv.includes('--watch');
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
 * The part of vscode-jsonrpc that runs here. Its entry for Node brings sockets, pipes and shared memory along, which nothing
 * here makes, and does not say that a bundle which uses none of it may leave it out.
 * @type {esbuild.Plugin}
 */
const slimJsonRpc = {
  name: 'slim-json-rpc',
  setup(build) {
    const asked = { slim: true };
    const names = [
      'messages',
      'disposable',
      'events',
      'cancellation',
      'messageReader',
      'messageWriter',
      'messageBuffer',
    ];
    const parts = [...names, 'connection'].map((name) => `require('./${name}')`).join(', ');
    build.onResolve({ filter: /^vscode-jsonrpc\/node$/ }, async ({ path, ...from }) => {
      if (from.pluginData === asked) return undefined;
      const entry = await build.resolve(path, { ...from, pluginData: asked });
      return { ...entry, sideEffects: false };
    });
    build.onLoad({ filter: /[\\/]vscode-jsonrpc[\\/]lib[\\/]node[\\/]main\.js$/ }, () => ({
      contents: "require('./ril').default.install(); module.exports = require('../common/api');",
    }));
    // It names each thing that it hands on three times.
    build.onLoad({ filter: /[\\/]vscode-jsonrpc[\\/]lib[\\/]common[\\/]api\.js$/ }, () => ({
      contents: `exports.RAL = require('./ral').default; Object.assign(exports, ${parts});`,
    }));
    build.onLoad(
      { filter: /[\\/]vscode-jsonrpc[\\/]lib[\\/]common[\\/](sharedArrayCancellation|semaphore)\.js$/ },
      () => ({
        contents: '',
      }),
    );
  },
};

/** @type {esbuild.BuildOptions} */
const host = {
  ...shared,
  outdir: 'dist',
  platform: 'node',
  target: 'node22',
  format: 'cjs',
  plugins: [nodePtyBesideBundle, slimJsonRpc],
  // The bundles that are loaded on first use lie beside the one that loads them.
  external: [
    ...['vscode', './mcpChunk.js', './permissionsChunk.js', './providersChunk.js', './registryChunk.js'],
    ...['./contextChunk.js', './onDemand.js'],
  ],
  // What is loaded on first use is CommonJS, too: only that finds the editor's own module.
  supported: { 'dynamic-import': false },
};

/** @type {esbuild.BuildOptions} */
const page = {
  ...shared,
  outdir: 'dist/webview',
  platform: 'browser',
  target: 'chrome134',
  format: 'esm',
  loader: { '.ttf': 'file' },
  assetNames: '[name]',
};

/** @type {esbuild.BuildOptions[]} */
const targets = [
  { ...host, entryPoints: { extension: 'src/extension.ts' } },
  { ...host, entryPoints: { contextChunk: 'src/host/context/contextChunk.ts' } },
  { ...host, entryPoints: { mcpChunk: 'src/host/mcp/mcpChunk.ts' } },
  { ...host, entryPoints: { permissionsChunk: 'src/host/permissions/permissionsChunk.ts' } },
  { ...host, entryPoints: { providersChunk: 'src/host/providers/providersChunk.ts' } },
  { ...host, entryPoints: { onDemand: 'src/host/onDemand/onDemand.ts' } },
  {
    ...host,
    entryPoints: { registryChunk: 'src/host/registry/registryChunk.ts' },
    external: ['vscode'],
  },
  {
    ...shared,
    entryPoints: { watchdog: 'src/agent/watchdog/main.ts', tourAgent: 'src/tour/main.ts' },
    outdir: 'dist',
    platform: 'node',
    target: 'node20',
    format: 'cjs',
  },
  {
    ...page,
    entryPoints: { main: 'webview/main.ts' },
    splitting: true,
    chunkNames: 'chunks/[name]-[hash]',
  },
  // A page of its own, and nothing of it in the chat's.
  { ...page, entryPoints: { providers: 'webview/providers/main.ts' } },
];

/** Copies the parts of node-pty that run: its JavaScript and the prebuilt binaries, without debug symbols. */
async function copyNodePty() {
  const from = dirname(require.resolve('node-pty/package.json'));
  const to = 'dist/node-pty';
  await rm(to, { recursive: true, force: true });
  await mkdir(to, { recursive: true });
  const unwanted = /\.(pdb|map|test\.js)$|\.d\.ts$/;
  for (const part of ['package.json', 'LICENSE', 'lib', 'prebuilds']) {
    await cp(join(from, part), join(to, part), { recursive: true, filter: (source) => !unwanted.test(source) });
  }
}

await rm('dist/webview', { recursive: true, force: true });
await copyNodePty();
if (watch) {
  for (const target of targets) await (await esbuild.context(target)).watch();
} else {
  const built = await Promise.all(targets.map((target) => esbuild.build(target)));
  await writeNotices(built.flatMap(({ metafile }) => metafile ?? []));
}
