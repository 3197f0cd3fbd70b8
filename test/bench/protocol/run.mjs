// Measures the protocol core with many `session/update` messages from an agent's stdout: first Parley's connection, then
// the protocol's own SDK, each in a separate process.
//   node test/bench/protocol/run.mjs [--updates N] [--rounds N] [--lines-per-write N]
// Prints a table and one line of JSON; fails if Parley isn't 2.5 times as fast or needs more than 150 MB.
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import * as esbuild from 'esbuild';

const required = { ratio: 2.5, peakMegabytes: 150 };
const here = dirname(fileURLToPath(import.meta.url));
const run = promisify(execFile);
const { values } = parseArgs({
  options: {
    updates: { type: 'string', default: '200000' },
    rounds: { type: 'string', default: '3' },
    'lines-per-write': { type: 'string', default: '100' },
  },
});

/** Bundles a client and its measurement into one file, minified like an extension. */
async function bundle(client, outfile) {
  const contents = `import { connect } from './${client}'; import { measure } from './measure.mjs'; await measure(connect);`;
  const banner = `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);`;
  await esbuild.build({
    stdin: { contents, resolveDir: here, loader: 'js' },
    outfile,
    bundle: true,
    minify: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    banner: { js: banner },
    logLevel: 'warning',
  });
  return outfile;
}

async function measured(client) {
  const args = [client, join(here, 'floodAgent.mjs'), values.updates, values['lines-per-write']];
  const { stdout } = await run(process.execPath, args, { timeout: 300_000 });
  return JSON.parse(stdout);
}

function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

function summary(runs) {
  const rates = runs.map(({ milliseconds }) => (Number(values.updates) / milliseconds) * 1000);
  return {
    updatesPerSecond: Math.round(median(rates)),
    peakMegabytes: Math.round(Math.max(...runs.map(({ peakMegabytes }) => peakMegabytes))),
  };
}

function row(name, { updatesPerSecond, peakMegabytes }) {
  return `${name.padEnd(22)}${updatesPerSecond.toLocaleString('en').padStart(12)}${String(peakMegabytes).padStart(12)}`;
}

const folder = await mkdtemp(join(tmpdir(), 'parley-bench-'));
try {
  const clients = {
    parley: await bundle('parleyClient.ts', join(folder, 'parley.mjs')),
    sdk: await bundle('sdkClient.mjs', join(folder, 'sdk.mjs')),
  };
  const runs = { parley: [], sdk: [] };
  for (let round = 0; round < Number(values.rounds); round++) {
    for (const name of ['parley', 'sdk']) runs[name].push(await measured(clients[name]));
  }
  const parley = summary(runs.parley);
  const sdk = summary(runs.sdk);
  const ratio = Number((parley.updatesPerSecond / sdk.updatesPerSecond).toFixed(2));
  const ok = ratio >= required.ratio && parley.peakMegabytes <= required.peakMegabytes;
  console.log(`${values.updates} updates, ${values['lines-per-write']} lines per write, median of ${values.rounds}`);
  console.log(`${'client'.padEnd(22)}${'updates/s'.padStart(12)}${'peak MB'.padStart(12)}`);
  console.log(row('Parley', parley));
  console.log(row('SDK', sdk));
  console.log(
    `${ratio} times the SDK's rate (at least ${required.ratio}), at most ${required.peakMegabytes} MB: ${ok ? 'ok' : 'NOT MET'}`,
  );
  console.log(JSON.stringify({ bench: 'protocol', updates: Number(values.updates), parley, sdk, ratio, required, ok }));
  process.exitCode = ok ? 0 : 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}
