import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Layer } from '../runner/report.mjs';
import { roomFor, runJobs } from '../runner/schedule.mjs';

type Share = 'processor' | 'window' | 'machine';

/** Jobs that end when they are told to, and which of them run. */
class Jobs {
  readonly running = new Set<string>();
  private readonly ends = new Map<string, () => void>();
  private readonly layer = new Layer('unit', { verbose: false });

  job(name: string, share: Share) {
    const run = async () => {
      this.running.add(name);
      await new Promise<void>((resolve) => this.ends.set(name, resolve));
      this.running.delete(name);
    };
    return { name, layer: this.layer, share, run };
  }

  /** Ends a job, and resolves once the next ones run. */
  async end(name: string): Promise<void> {
    this.ends.get(name)?.();
    await new Promise(setImmediate);
  }

  get now(): string {
    return [...this.running].sort().join(' ');
  }
}

test('a window runs beside other work, and measurements alone at the end', async () => {
  const jobs = new Jobs();
  const all = [
    jobs.job('speed', 'machine'),
    jobs.job('unit 1', 'processor'),
    jobs.job('window 1', 'window'),
    jobs.job('window 2', 'window'),
    jobs.job('unit 2', 'processor'),
  ];
  const ended = runJobs(all, { processors: 2, mostWindows: 4 });
  await new Promise(setImmediate);
  assert.equal(jobs.now, 'unit 1 window 1');
  await jobs.end('unit 1');
  assert.equal(jobs.now, 'unit 2 window 1');
  await jobs.end('window 1');
  assert.equal(jobs.now, 'unit 2 window 2');
  await jobs.end('window 2');
  assert.equal(jobs.now, 'unit 2', 'what measures waits for everything');
  await jobs.end('unit 2');
  assert.equal(jobs.now, 'speed');
  await jobs.end('speed');
  await ended;
});

test('two windows run side by side when nothing else is left', async () => {
  const jobs = new Jobs();
  const names = ['window 1', 'window 2', 'window 3'];
  const all = [jobs.job('unit', 'processor'), ...names.map((name) => jobs.job(name, 'window'))];
  const ended = runJobs(all, { processors: 2, mostWindows: 4 });
  await new Promise(setImmediate);
  assert.equal(jobs.now, 'unit window 1');
  await jobs.end('unit');
  assert.equal(jobs.now, 'window 1 window 2');
  for (const name of names) await jobs.end(name);
  await ended;
});

test('both processors do other work when no window is left', () => {
  const idle = { processors: 2, windows: 0, others: 1, othersWait: true, mostWindows: 4 };
  assert.deepEqual(roomFor(idle), { windows: 1, others: 2 });
  assert.deepEqual(roomFor({ ...idle, windows: 1 }), { windows: 1, others: 1 });
  assert.deepEqual(roomFor({ ...idle, processors: 8, windows: 4 }), { windows: 4, others: 4 });
  const onlyWindows = { ...idle, processors: 8, others: 0, othersWait: false };
  assert.deepEqual(roomFor(onlyWindows), { windows: 4, others: 8 }, 'memory limits windows');
  assert.deepEqual(roomFor({ ...idle, processors: 1, windows: 1 }), { windows: 1, others: 1 });
});
