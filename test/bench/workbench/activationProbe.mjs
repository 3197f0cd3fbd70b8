// @ts-check
import { cp, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * A copy of an installed extension that writes down how long its `activate` took, and how long its code took to load.
 * @param {string} extensionsFolder
 * @returns {Promise<{ folder: string, times: () => Promise<{ load: number, activate: number }> }>} milliseconds
 */
export async function withActivationProbe(extensionsFolder) {
  const folder = await mkdtemp(join(tmpdir(), 'parley-bench-'));
  await cp(extensionsFolder, folder, { recursive: true });
  const name = (await readdir(folder)).find((entry) => entry.startsWith('parley.'));
  if (!name) throw new Error(`Parley is not installed in ${extensionsFolder}.`);
  const bundle = join(folder, name, 'dist', 'extension.js');
  const report = join(folder, 'activation.json');
  const code = await readFile(bundle, 'utf8');
  const probe = `
;{
  const loaded = performance.now();
  const { activate, deactivate } = module.exports;
  module.exports = {
    deactivate,
    activate(context) {
      const started = performance.now();
      const result = activate(context);
      const times = { load: loaded - begun, activate: performance.now() - started };
      require('node:fs').writeFileSync(${JSON.stringify(report)}, JSON.stringify(times));
      return result;
    },
  };
}
`;
  await writeFile(bundle, `const begun = performance.now();\n${code}${probe}`);
  return { folder, times: async () => JSON.parse(await readFile(report, 'utf8')) };
}
