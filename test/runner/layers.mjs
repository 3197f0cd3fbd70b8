// @ts-check
// The layers of tests, and which of them a run has.
import { inRoot } from '../root.mjs';

/**
 * @typedef {object} LayerPlan
 * @property {string} name
 * @property {readonly string[]} folders where its test files are
 * @property {string} [ending] how the names of its test files end; `.test.ts` if not said
 * @property {'none' | 'build' | 'vsix'} needs
 * @property {'cjs' | 'esm'} format
 * @property {number} timeoutMs for a whole bundle
 * @property {number} [together] how many files share a process, and with it a browser or a window
 * @property {boolean} [opensWindow] whether nothing may run beside it on two processors
 * @property {boolean} [inWindows] whether it runs in Windows, by Wine
 * @property {string} [first] a module that each process evaluates before its test files
 * @property {RegExp} [selected] the files that `--selected` runs, by path
 */

const minute = 60_000;

/** Layers in processes of Node. Those that take long come first, so that none is left at the end. @type {readonly LayerPlan[]} */
export const nodeLayers = [
  {
    name: 'e2e',
    folders: ['test/e2e'],
    needs: 'vsix',
    format: 'esm',
    // On a busy machine, it takes several times as long as on a quiet one.
    timeoutMs: 20 * minute,
    // For two windows side by side: starting another one takes longer than most scenes.
    together: 20,
    opensWindow: true,
  },
  { name: 'agents', folders: ['test/agents'], needs: 'build', format: 'esm', timeoutMs: 8 * minute, together: 3 },
  {
    name: 'page',
    folders: ['test/page', 'test/desk'],
    needs: 'build',
    format: 'esm',
    timeoutMs: 10 * minute,
    // Four bundles: two for each of two processors, and few browsers to start.
    together: 18,
  },
  {
    name: 'conformance',
    folders: ['test/conformance/cases'],
    ending: '.ts',
    needs: 'build',
    format: 'esm',
    timeoutMs: 12 * minute,
    together: 8,
    first: inRoot('test', 'conformance', 'onDesk.ts'),
  },
  // It builds its own program, and runs it in real sandboxes.
  { name: 'sandbox', folders: ['test/sandbox'], needs: 'none', format: 'cjs', timeoutMs: 3 * minute },
  { name: 'histories', folders: ['test/histories'], needs: 'none', format: 'cjs', timeoutMs: 8 * minute },
  { name: 'chaos', folders: ['test/chaos'], needs: 'none', format: 'cjs', timeoutMs: 4 * minute },
  { name: 'wiring', folders: ['test/wiring'], needs: 'none', format: 'cjs', timeoutMs: 8 * minute },
  { name: 'fuzz', folders: ['test/fuzz'], needs: 'none', format: 'cjs', timeoutMs: 5 * minute },
  {
    name: 'unit',
    folders: ['src', 'webview', 'test/conformance', 'test/contract', 'test/unit-support', 'test/gates', 'test/mutants'],
    needs: 'none',
    format: 'cjs',
    timeoutMs: 4 * minute,
    together: 16,
  },
  {
    name: 'windows-e2e',
    folders: ['test/windows/e2e'],
    needs: 'vsix',
    format: 'esm',
    timeoutMs: 8 * minute,
    together: 16,
    opensWindow: true,
    inWindows: true,
    first: inRoot('test', 'windows', 'inWindows.ts'),
  },
  {
    name: 'windows-unit',
    folders: ['src'],
    needs: 'none',
    format: 'cjs',
    timeoutMs: 4 * minute,
    together: 8,
    opensWindow: true,
    inWindows: true,
    selected: /^src\/(disk|process|terminal|baseline|host\/(files|workspaceFiles|terminals))\//,
  },
];

/** Layers in one extension host. @type {readonly ['integration', 'floor', 'conformance-window', 'windows-integration']} */
export const suites = ['integration', 'floor', 'conformance-window', 'windows-integration'];
/** @typedef {typeof suites[number]} SuiteName */

export const windowsLayers = ['windows-unit', 'windows-integration', 'windows-e2e'];
/** What `npm test` runs. */
export const linuxLayers = [
  'checks',
  'unit',
  'chaos',
  'wiring',
  'fuzz',
  'histories',
  'sandbox',
  'page',
  'integration',
  'floor',
  'conformance',
  'conformance-window',
  'e2e',
  'agents',
];

/** What the oldest VS Code is asked, by parts of names: every part of its interface that Parley uses, not Parley's own logic again. */
export const floorTests = [
  'the extension in a real VS Code',
  'an agent reads a file',
  'an agent cannot read',
  'opens no editor and keeps the focus',
  'can be undone after opening the file',
  'succeeds while the agent writes the file to disk',
  'creates a new file with its byte order mark',
  'preserves typing, cursor, and selection elsewhere',
  'preserves text typed during the write',
  'outside the workspace',
  'save participants and reads',
  'a byte order mark, byte for byte',
  'Latin-1, byte for byte',
  'text that the encoding cannot represent',
  'terminals ›',
  'undoes another written through the editor',
  'covers files the agent writes to disk',
  'can undo a keep',
  'open files also get their first bytes',
  'restores a deleted file that is open',
  'one cell is kept',
  'a cell that the agent added',
  'hovering a changed line',
  'opens all files in one reused diff editor',
  'undoes one turn or all turns',
  'a conflict in the merge editor',
];

/** The integration tests that `--selected` runs in Windows, by parts of names: what differs there. */
export const selectedInWindows = [
  'the extension in a real VS Code',
  'terminals of Windows',
  'files of Windows',
  'an agent reads a file',
  'outside the workspace',
  'undoes one turn or all turns',
];
