// @ts-check
import { cp, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Runs before the extension's own code and records every file that it opens and every process that it starts, synchronously or
 * not. Failed calls don't count.
 * @param {string} report
 * @param {readonly string[]} own files that the probe writes
 */
function watchUse(report, own) {
  const { appendFileSync } = require('node:fs');
  const { syncBuiltinESMExports } = require('node:module');
  // The probe itself also sees files that VS Code opens.
  const isOurs = () => /parley\.parley-acp[^/]*\/dist\/(?!probe\.js)/.test(String(new Error().stack));
  const note = (/** @type {string} */ what) => appendFileSync(report, `${what}\n`);
  const watch = (/** @type {any} */ module, /** @type {string[]} */ names, /** @type {boolean} */ isFile) => {
    for (const name of names) {
      const original = module[name];
      // Stop once the report was read, so that the probe doesn't slow down later measurements.
      setTimeout(() => {
        module[name] = original;
        syncBuiltinESMExports();
      }, 8000).unref();
      module[name] = function (/** @type {unknown[]} */ ...args) {
        const told = isOurs() && !own.includes(String(args[0])) ? `${name} ${String(args[0])}` : undefined;
        const result = Reflect.apply(original, this, args);
        if (told === undefined) return result;
        if (isFile && typeof result?.then === 'function')
          result.then(
            () => note(told),
            () => undefined,
          );
        else note(told);
        return result;
      };
    }
  };
  watch(require('node:fs/promises'), ['readFile', 'open', 'writeFile', 'appendFile'], true);
  watch(
    require('node:fs'),
    ['readFileSync', 'openSync', 'writeFileSync', 'createReadStream', 'createWriteStream'],
    true,
  );
  watch(
    require('node:child_process'),
    ['spawn', 'spawnSync', 'exec', 'execFile', 'execFileSync', 'execSync', 'fork'],
    false,
  );
  syncBuiltinESMExports();
}

/**
 * Copies an installed extension so that it records the time of its `activate`, the time to load its code, and the files and processes
 * that it has opened and started so far.
 * @param {string} extensionsFolder
 * @returns {Promise<{ folder: string, times: () => Promise<{ load: number, activate: number }>, used: () => Promise<string[]>, report: string }>} milliseconds
 */
export async function withActivationProbe(extensionsFolder) {
  const folder = await mkdtemp(join(tmpdir(), 'parley-bench-'));
  await cp(extensionsFolder, folder, { recursive: true });
  const name = (await readdir(folder)).find((entry) => entry.startsWith('parley.'));
  if (!name) throw new Error(`Parley is not installed in ${extensionsFolder}.`);
  const manifestPath = join(folder, name, 'package.json');
  const manifest = JSON.parse(await readFile(manifestPath, 'utf8'));
  const report = join(folder, 'activation.json');
  const use = join(folder, 'used.txt');
  const probe = `
import { createRequire } from 'node:module';
const require = createRequire(import.meta.url);
(${watchUse.toString()})(${JSON.stringify(use)}, ${JSON.stringify([use, report])});
const begun = performance.now();
const probed = await import('./extension.js');
const loaded = performance.now();
export const deactivate = probed.deactivate;
export function activate(context) {
  const started = performance.now();
  const result = probed.activate(context);
  const times = { load: loaded - begun, activate: performance.now() - started };
  require('node:fs').writeFileSync(${JSON.stringify(report)}, JSON.stringify(times));
  return result;
}
`;
  // The code keeps its file name, because what is loaded later imports from it.
  await writeFile(join(folder, name, 'dist', 'probe.js'), probe);
  await writeFile(manifestPath, JSON.stringify({ ...manifest, main: './dist/probe.js' }));
  return {
    folder,
    report,
    times: async () => JSON.parse(await readFile(report, 'utf8')),
    used: async () => (await readFile(use, 'utf8').catch(() => '')).split('\n').filter(Boolean),
  };
}
