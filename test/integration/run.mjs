// @ts-check
import { rm } from 'node:fs/promises';
import { inProduct, root } from '../root.mjs';
import { bundleIntegration } from '../runner/bundle.mjs';
import { startBrowser } from '../workbench/browser.mjs';
import { startServer } from '../workbench/server.mjs';
import { typeScriptSettings } from '../workbench/typeScript.mjs';

/** @typedef {{ name: string, durationMs: number, error?: string, skipped?: boolean, note?: string }} Outcome */

const reportPrefix = 'PARLEY_TEST ';
/** The error of `untilFolder`. The window is then opened once more. */
const noFolder = 'opened without its folder';
/** Used if there is no exit code. */
const silent = -1;
/**
 * How long the extension host's child processes may take to exit, in milliseconds. On a busy machine, the host itself
 * takes seconds.
 */
const graceMs = 30_000;

/**
 * Runs the integration suites in the extension host of a real VS Code server, whose window a browser opens.
 * @param {{ release?: import('../workbench/vscodeServer.mjs').Release, wine?: import('../windows/wine.mjs').Wine, folder?: import('../runner/bundle.mjs').SuiteFolder, env?: Record<string, string>, filter?: string, silenceMs?: number, severalFolders?: boolean, onPage?: (page: import('playwright-core').Page) => void, onResult?: (outcome: Outcome) => void }} [options]
 * @returns {Promise<{ outcomes: Outcome[], output: string }>}
 */
export async function runIntegration(options = {}) {
  // A separate folder, so that parallel runs don't remove each other's bundle.
  const { folder = 'integration' } = options;
  const outFolder = `${folder}-${options.wine ? 'windows' : (options.release ?? 'any')}-${process.pid}`;
  const entry = await bundleIntegration(outFolder, folder);
  const server = await startServer({
    testDriver: true,
    settings: typeScriptSettings,
    ...(options.release ? { release: options.release } : {}),
    ...(options.wine ? { wine: options.wine } : {}),
    env: {
      PARLEY_TEST_FILTER: options.filter ?? '',
      PARLEY_PROJECT: options.wine?.path(root) ?? root,
      ...options.env,
    },
  });
  /** @type {Outcome[]} */
  const outcomes = [];
  const report = (/** @type {Outcome} */ outcome) => {
    outcomes.push(outcome);
    options.onResult?.(outcome);
  };
  let output = '';
  try {
    output = await inBrowser(server, entry, report, options);
  } finally {
    const start = Date.now();
    const left = await server.stop({ graceMs });
    await rm(inProduct('out', outFolder), { recursive: true, force: true });
    const error = left.map(({ pid, command }) => `${pid} ${command}`).join('\n');
    report({
      name: 'no process outlives the extension host',
      durationMs: Date.now() - start,
      ...(left.length > 0 ? { error: `These were still running ${graceMs} ms after it:\n${error}` } : {}),
    });
  }
  return { outcomes, output };
}

/**
 * Opens a window that runs the suites, and resolves once they have ended.
 * @param {import('../workbench/server.mjs').Server} server
 * @param {string} entry
 * @param {(outcome: Outcome) => void} report
 * @param {{ silenceMs?: number, severalFolders?: boolean, onPage?: (page: import('playwright-core').Page) => void }} options the maximum
 * silence of the host, whether the window has a folder of a multi-root workspace, and what to do with the window
 * @returns {Promise<string>} the other output of the extension host
 */
async function inBrowser(server, entry, report, { silenceMs = 240_000, severalFolders = false, onPage }) {
  const remote = `vscode-remote://127.0.0.1:${server.port}`;
  const payload = [
    ['extensionDevelopmentPath', remote + server.uriPath(inProduct())],
    ['extensionTestsPath', remote + server.uriPath(entry)],
  ];
  const browser = await startBrowser();
  let output = '';
  let running = 'the start';
  let ended = false;
  let stillAlive = () => {};
  /** @param {string} text */
  const read = (text) => {
    stillAlive();
    if (!text.startsWith(reportPrefix)) {
      output += `${text}\n`;
      return;
    }
    const line = JSON.parse(text.slice(reportPrefix.length));
    if (line.type === 'start') running = line.name;
    else if (line.type === 'end') ended = true;
    else if (line.type === 'skip') report({ name: line.name, durationMs: 0, skipped: true, note: line.reason });
    else report({ name: line.name, durationMs: line.durationMs, ...(line.error ? { error: line.error } : {}) });
  };
  try {
    // Animations would be drawn sixty times a second for no viewer.
    const page = await browser.newPage({ reducedMotion: 'reduce' });
    onPage?.(page);
    await page.exposeFunction('codeAutomationLog', (/** @type {string} */ _type, /** @type {unknown[]} */ args) => {
      for (const text of args.map(String).join(' ').split('\n')) read(text);
    });
    /** @type {(code: number) => void} */
    let settle = () => {};
    /** @type {Promise<number>} */
    let exit = new Promise((resolve) => {
      settle = resolve;
    });
    await page.exposeFunction('codeAutomationExit', (/** @type {number} */ code) => settle(code));
    const guard = setTimeout(() => settle(silent), silenceMs);
    stillAlive = () => void guard.refresh();
    const [folder, query] = [await server.workspace(), `&payload=${encodeURIComponent(JSON.stringify(payload))}`];
    const url = severalFolders ? await server.workspaceUrl(folder, query) : server.url(folder, query);
    await page.goto(url);
    let code = await exit;
    if (code !== silent && output.includes(noFolder) && running === 'the start') {
      exit = new Promise((resolve) => {
        settle = resolve;
      });
      stillAlive();
      await page.goto('about:blank');
      await page.goto(url);
      code = await exit;
    }
    clearTimeout(guard);
    if (!ended) {
      const why = code === silent ? `Nothing came for ${silenceMs} ms.` : `The host ended with ${code}.`;
      report({
        name: running,
        durationMs: 0,
        error: `The suites did not run to their end. ${why}\n${output.slice(-3000)}`,
      });
    }
    await page.goto('about:blank').catch(() => undefined);
  } finally {
    await browser.close();
  }
  return output;
}
