// @ts-check
// Measures the editor's tools in a workspace of 1,000 files after the language service has checked all of them.
//   node test/bench/tools/run.mjs [--no-build]
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { inRoot, root } from '../../root.mjs';
import { startBrowser } from '../../workbench/browser.mjs';
import { installedExtension } from '../../workbench/installed.mjs';
import { run } from '../../workbench/run.mjs';
import { startServer } from '../../workbench/server.mjs';
import { typeScriptSettings } from '../../workbench/typeScript.mjs';
import { Workbench } from '../../workbench/workbench.mjs';
import { percentile } from '../workbench/chatBench.mjs';

const files = 1000;
const budget = 50;
const { values } = parseArgs({
  options: { rounds: { type: 'string' }, 'no-build': { type: 'boolean', default: false } },
});

/** Writes a project whose files import each other, each with one problem. @param {string} folder */
async function fill(folder) {
  await mkdir(join(folder, 'src'));
  const compilerOptions = { strict: true, module: 'preserve', noEmit: true, types: [] };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['src'] }));
  for (let at = 1; at <= files; at += 1) {
    const other = `import { value${at - 1} } from './file${at - 1}';\n`;
    const use = `export const sum${at} = value${at} + value${at - 1};\n`;
    const text = `export const value${at}: number = 'a problem';\n`;
    await writeFile(join(folder, 'src', `file${at}.ts`), at === 1 ? text : `${other}${text}${use}`);
  }
}

if (!values['no-build']) await run(process.execPath, [inRoot('test', 'package.mjs')], { cwd: root });
const server = await startServer({
  extensionsFolder: await installedExtension(),
  settings: {
    ...typeScriptSettings,
    'typescript.tsserver.experimental.enableProjectDiagnostics': true,
    'parley.editorTools.more': ['openFile'],
    'parley.agents': {
      Bench: {
        command: process.execPath,
        args: [inRoot('test', 'bench', 'tools', 'toolsAgent.mjs')],
        env: { BENCH_PROBLEMS: String(files) },
      },
    },
  },
});
const browser = await startBrowser();
/** @type {{ name: string, value: number }[]} */
const rows = [];
try {
  const folder = await server.workspace();
  await fill(folder);
  const workbench = await Workbench.open(browser, server, folder);
  await workbench.runCommand('Parley: Open Chat');
  const chat = await workbench.chatFrame();
  const box = chat.getByRole('textbox', { name: 'Message' });
  await box.fill('Measure.');
  await box.press('Enter');
  const answer = chat.getByText(/^(measured|failed) .* end$/);
  await answer.waitFor({ timeout: 300_000 });
  const text = await answer.innerText();
  const [, json] = /^measured (.*) end$/s.exec(text) ?? [];
  if (json === undefined) throw new Error(text);
  /** @type {Record<'list' | 'file' | 'all', number[]>} */
  const { list, file, all } = JSON.parse(json);
  const medians = [list, file, all].map((times) => `${percentile(times, 0.5).toFixed(1)} ms`);
  console.log(`medians: tools/list ${medians[0]}, one file ${medians[1]}, all files ${medians[2]}`);
  rows.push(
    { name: 'tools/list, p95', value: percentile(list, 0.95) },
    { name: `getDiagnostics of a file among ${files}, p95`, value: percentile(file, 0.95) },
    { name: `getDiagnostics of all ${files} files, p95`, value: percentile(all, 0.95) },
  );
  await workbench.close();
} finally {
  await browser.close();
  await server.stop();
}
for (const { name, value } of rows) {
  console.log(`${name.padEnd(56)}${value.toFixed(1).padStart(9)} ms of ${String(budget).padStart(5)}`);
}
console.log(JSON.stringify(Object.fromEntries(rows.map(({ name, value }) => [name, Number(value.toFixed(1))]))));
process.exit(rows.some(({ value }) => !(value <= budget)) ? 1 : 0);
