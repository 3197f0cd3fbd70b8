// @ts-check
// Measures how long the packaged extension takes to load and to activate in a real VS Code, in ten windows, beside an extension that does
// nothing. Prints a table and one line of JSON.
//   node test/bench/activation/run.mjs [--windows N] [--no-build]
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { inRoot, root } from '../../root.mjs';
import { startBrowser } from '../../workbench/browser.mjs';
import { installedExtension } from '../../workbench/installed.mjs';
import { run } from '../../workbench/run.mjs';
import { startServer } from '../../workbench/server.mjs';
import { Workbench } from '../../workbench/workbench.mjs';
import { withActivationProbe } from '../workbench/activationProbe.mjs';
import { percentile } from '../workbench/chatBench.mjs';
import { addExtension } from '../workbench/floor.mjs';

const { values } = parseArgs({
  options: { windows: { type: 'string', default: '10' }, 'no-build': { type: 'boolean', default: false } },
});
/** In milliseconds, the median. */
const budget = 20;

/** @typedef {{ load: number, activate: number }} Times milliseconds */

/** Adds an extension that does nothing to an extensions folder, at the same activation event. @param {string} folder */
async function addBare(folder) {
  const manifest = {
    name: 'bench-bare',
    publisher: 'parley',
    version: '1.0.0',
    type: 'module',
    engines: { vscode: '^1.106.0' },
    main: './extension.js',
    activationEvents: ['onStartupFinished'],
  };
  const report = join(folder, 'bare.json');
  const code = `import { writeFileSync } from 'node:fs';
const begun = performance.now();
const { activate: bare } = await import('./bare.js');
const loaded = performance.now();
export function activate(context) {
  const started = performance.now();
  bare(context);
  const times = { load: loaded - begun, activate: performance.now() - started };
  writeFileSync(${JSON.stringify(report)}, JSON.stringify(times));
}
`;
  const own = await addExtension(folder, manifest, code);
  await writeFile(
    join(own, 'bare.js'),
    'import * as vscode from "vscode";\nexport function activate() { return vscode.version; }\n',
  );
  return report;
}

if (!values['no-build']) await run(process.execPath, [inRoot('test', 'package.mjs')], { cwd: root });
const probe = await withActivationProbe(await installedExtension());
const bareReport = await addBare(probe.folder);
const server = await startServer({ extensionsFolder: probe.folder, settings: {} });
const browser = await startBrowser();
/** @type {{ parley: Times, bare: Times }[]} */
const windows = [];
try {
  const folder = await server.workspace();
  for (let window = 0; window < Number(values.windows); window += 1) {
    await Promise.all([probe.report, bareReport].map((report) => rm(report, { force: true })));
    const workbench = await Workbench.open(browser, server, folder);
    windows.push({ parley: await timesIn(probe.report), bare: await timesIn(bareReport) });
    await workbench.close();
  }
} finally {
  await browser.close();
  await server.stop();
  await rm(probe.folder, { recursive: true, force: true });
}
/** @param {'parley' | 'bare'} who @param {'load' | 'activate'} what */
const median = (who, what) =>
  percentile(
    windows.map((times) => times[who][what]),
    0.5,
  );
/** @param {'parley' | 'bare'} who @param {'load' | 'activate'} what */
const fastest = (who, what) => Math.min(...windows.map((times) => times[who][what])).toFixed(1);
/** @type {Record<string, number>} */
const figures = {};
for (const what of /** @type {const} */ (['load', 'activate'])) {
  const [own, bare] = [median('parley', what), median('bare', what)];
  const range = (/** @type {'parley' | 'bare'} */ who, /** @type {number} */ ms) =>
    `${ms.toFixed(1)} ms (fastest ${fastest(who, what)})`;
  console.log(`${what.padEnd(10)}${range('parley', own)}, an extension that does nothing ${range('bare', bare)}`);
  figures[what] = Number(own.toFixed(1));
  figures[`${what}, bare`] = Number(bare.toFixed(1));
}
console.log(JSON.stringify(figures));
process.exit(median('parley', 'activate') <= budget ? 0 : 1);

/** Resolves to what an extension reported in this window. @param {string} report @returns {Promise<Times>} */
async function timesIn(report) {
  const until = Date.now() + 60_000;
  for (;;) {
    const text = await readFile(report, 'utf8').catch(() => '');
    if (text !== '') return JSON.parse(text);
    if (Date.now() > until) throw new Error('The extensions weren’t activated within 60 s.');
    await delay(50);
  }
}
