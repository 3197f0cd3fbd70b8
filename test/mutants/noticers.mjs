// @ts-check
// Runs the tests that can notice a mutant.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import * as esbuild from 'esbuild';
import { inRoot, root } from '../root.mjs';
import { bundleOptions } from '../runner/bundle.mjs';
import { filesUnder } from '../runner/files.mjs';
import { nodeLayers } from '../runner/layers.mjs';
import { sourceGraph } from '../runner/sourceGraph.mjs';
import { cacheFolder } from '../workbench/cache.mjs';
import { mutated, probed } from './places.mjs';

/** @typedef {import('./sample.mjs').Drawn} Drawn */
/** What happened to tests: how they failed, if they did, how long they ran, and which places they reached. @typedef {{ failed?: string, slow?: boolean, ms: number, reached?: readonly string[] }} Outcome */
/** Tests that run in one process. @typedef {{ files: readonly string[], limitMs: number }} Batch */

/** Layers that only search for what no example shows, or that run real programs. */
const left = ['fuzz', 'sandbox'];
/** How many test files share a process. */
const together = 12;
const resultFile = join(cacheFolder(), 'mutants', 'results.json');

/** Finds and runs tests in this copy of the project, and remembers by content what came of it. */
export class Noticers {
  /**
   * @param {readonly { file: string, layer: string, isShared: boolean }[]} tests
   * @param {(file: string) => import('../runner/sourceGraph.mjs').Reach} reachOf
   * @param {Record<string, Outcome>} results
   */
  constructor(tests, reachOf, results) {
    this.tests = tests;
    this.reachOf = reachOf;
    this.results = results;
    /** @type {(Batch & { usual: Outcome })[]} */
    this.looked = [];
  }

  static async read() {
    const layers = nodeLayers.filter(
      ({ name, needs, inWindows }) => needs === 'none' && inWindows !== true && !left.includes(name),
    );
    const tests = await Promise.all(
      layers.map(async ({ name, folders, together = 1 }) => {
        const files = (await Promise.all(folders.map((folder) => filesUnder(inRoot(folder), '.test.ts')))).flat();
        return files.map((file) => ({ file, layer: name, isShared: together > 1 }));
      }),
    );
    const all = tests.flat();
    const reachOf = await sourceGraph(all.map(({ file }) => file));
    const results = await readFile(resultFile, 'utf8').then(JSON.parse, () => ({}));
    return new Noticers(all, reachOf, results);
  }

  /**
   * Runs all tests that import one of the mutated files, once, without a mutant, and finds out which places they reach.
   * @param {readonly Drawn[]} mutants
   */
  async look(mutants) {
    const files = [...new Set(mutants.map(({ file }) => file))];
    const texts = await Promise.all(
      files.map(async (file) => /** @type {const} */ ([file, await readFile(inRoot(file), 'utf8')])),
    );
    try {
      for (const [file, text] of texts) {
        await writeFile(
          inRoot(file),
          probed(
            text,
            mutants.filter((mutant) => mutant.file === file),
          ),
        );
      }
      const batches = this.batches(files);
      console.log(`${batches.length} processes of tests run once without a mutant, to see what they reach.`);
      for (const batch of batches) {
        const usual = await this.run(batch);
        this.looked.push({ ...batch, usual });
        const broken = usual.failed ?? (usual.slow === true ? 'too slow' : undefined);
        if (broken !== undefined) console.log(`! without a mutant: ${broken} (${batch.files.map(nameOf).join(', ')})`);
      }
    } finally {
      for (const [file, text] of texts) await writeFile(inRoot(file), text);
    }
  }

  /** @param {readonly string[]} files the mutated ones @returns {Batch[]} */
  batches(files) {
    const able = this.tests.filter(({ file }) => {
      const reach = this.reachOf(file).files;
      return files.some((one) => reach.has(one));
    });
    const shared = able.filter(({ isShared }) => isShared).map(({ file }) => file);
    const alone = able.filter(({ isShared }) => !isShared).map(({ file }) => file);
    // A new test file changes only the batches of its own folder.
    const folders = [...new Set(shared.map(folderOf))];
    const batches = folders.flatMap((folder) => {
      const own = shared.filter((file) => folderOf(file) === folder);
      const count = Math.ceil(own.length / together);
      return Array.from({ length: count }, (_, at) => own.slice(at * together, (at + 1) * together));
    });
    return [...batches, ...alone.map((file) => [file])].map((own) => ({ files: own, limitMs: 240_000 }));
  }

  /**
   * The test that notices a mutant, by its name; undefined if none does. The nearest tests run first, and none that don't reach it.
   * @param {Drawn} mutant
   * @returns {Promise<string | undefined>}
   */
  async noticed(mutant) {
    const path = inRoot(mutant.file);
    const text = await readFile(path, 'utf8');
    const near = (/** @type {Batch} */ { files }) => Math.min(...files.map((file) => distance(mutant.file, file)));
    const reaching = this.looked
      .filter(({ usual }) => usual.failed === undefined && usual.slow !== true && usual.reached?.includes(mutant.id))
      .sort((one, other) => near(one) - near(other) || one.usual.ms - other.usual.ms);
    await writeFile(path, mutated(text, mutant, mutant.to));
    try {
      for (const { files, usual } of reaching) {
        const limitMs = Math.max(20_000, usual.ms * 10);
        const beside = files.filter((file) => distance(mutant.file, file) === 0);
        const parts = beside.length > 0 && files.length > 1 ? [beside, files] : [files];
        for (const part of parts) {
          const { failed, slow } = await this.run({ files: part, limitMs });
          if (failed !== undefined) return failed;
          if (slow === true) return `takes ten times as long: ${files.map(nameOf).join(', ')}`;
        }
      }
    } finally {
      await writeFile(path, text);
    }
    return undefined;
  }

  /** @param {Batch} batch @returns {Promise<Outcome>} */
  async run({ files, limitMs }) {
    const outfile = inRoot('out', 'mutants', 'tests.cjs');
    try {
      await esbuild.build({
        ...bundleOptions(),
        stdin: {
          contents: files.map((file) => `import ${JSON.stringify(`./${relative(root, file)}`)};`).join('\n'),
          resolveDir: root,
          loader: 'ts',
        },
        outfile,
        format: 'cjs',
        packages: 'external',
        sourcemap: false,
        logLevel: 'silent',
      });
    } catch {
      return { failed: 'the tests can be bundled', ms: 0 };
    }
    const key = createHash('sha256')
      .update(process.version)
      .update(await readFile(outfile))
      .digest('hex');
    const known = this.results[key];
    if (known) return known;
    const outcome = await runOnce(outfile, limitMs);
    this.results[key] = outcome;
    await mkdir(dirname(resultFile), { recursive: true });
    await writeFile(resultFile, JSON.stringify(this.results));
    return outcome;
  }
}

/** @param {string} bundle @param {number} limitMs @returns {Promise<Outcome>} */
async function runOnce(bundle, limitMs) {
  const startedAt = Date.now();
  const reporter = `--test-reporter=${inRoot('test', 'mutants', 'firstFailure.mjs')}`;
  const reachedFile = `${bundle}.json`;
  const flags = ['--require', inRoot('test', 'mutants', 'reached.cjs'), reporter];
  const child = spawn(process.execPath, [...flags, bundle], {
    cwd: root,
    env: { ...process.env, PARLEY_REACHED: reachedFile },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  let complaint = '';
  child.stdout.setEncoding('utf8').on('data', (/** @type {string} */ text) => (printed += text));
  child.stderr
    .setEncoding('utf8')
    .on('data', (/** @type {string} */ text) => (complaint = (complaint + text).slice(-500)));
  let slow = false;
  const timer = setTimeout(() => {
    slow = true;
    child.kill('SIGKILL');
  }, limitMs);
  const code = await new Promise((resolve) => child.once('exit', resolve));
  clearTimeout(timer);
  const ms = Date.now() - startedAt;
  if (slow) return { slow, ms };
  if (code === 0) return { ms, reached: JSON.parse(await readFile(reachedFile, 'utf8')) };
  return { failed: printed.trim().split('\n').at(-1) || complaint.trim().split('\n').at(-1) || `exit ${code}`, ms };
}

/** Files beside each other are near. @param {string} file @param {string} test absolute */
function distance(file, test) {
  const path = nameOf(test);
  if (dirname(path) !== dirname(file)) return path.startsWith(`${dirname(dirname(file))}/`) ? 2 : 3;
  return basename(path, '.test.ts') === basename(file, '.ts') ? 0 : 1;
}

/** The part of the product that a test is in. @param {string} file */
function folderOf(file) {
  const names = nameOf(file).split('/');
  return names.slice(0, names[1] === 'host' ? 3 : 2).join('/');
}

/** @param {string} file */
function nameOf(file) {
  return relative(root, file).replaceAll('\\', '/');
}
