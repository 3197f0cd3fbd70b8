import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { markedPids, psArguments } from './psListing';

/** A misbehaving agent of test/fixtures/agents; tests run in the project's root folder. */
export function fixtureAgent(name: string): string {
  return join(process.cwd(), 'test', 'fixtures', 'agents', `${name}.mjs`);
}

/** How long a process may look as if it had no environment before that is believed, in milliseconds. */
const bareAfterMs = 500;
/** Processes that really have none, so that they are waited for only once. */
const bare = new Set<string>();

/**
 * A mark in the environment of a process that all its descendants inherit, also those that leave its process group, so that
 * a test can count every process that an agent has left behind.
 */
export class ProcessMark {
  private readonly name = 'PARLEY_TEST_MARK';
  private readonly value = randomUUID();
  /** Processes found before, with their start, where the environment does not tell of all. */
  private readonly seen = new Map<number, string>();

  /** The environment that carries the mark, and that of the whole run, which also finds what a test that was ended left behind. */
  get env(): Record<string, string> {
    const run = process.env['PARLEY_TEST_RUN'];
    return {
      PATH: process.env['PATH'] ?? '',
      [this.name]: this.value,
      ...(run === undefined ? {} : { PARLEY_TEST_RUN: run }),
    };
  }

  /** The pids that carry the mark and have not ended. */
  async pids(): Promise<number[]> {
    // The tests that count are skipped there.
    if (process.platform === 'win32') return [];
    if (process.platform !== 'linux') {
      const { stdout } = await promisify(execFile)('ps', psArguments, { maxBuffer: 2 ** 26 });
      return markedPids(stdout, `${this.name}=${this.value}`, process.pid, this.seen);
    }
    const all = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
    const marked = await Promise.all(all.map((pid) => this.isOn(pid)));
    return all.filter((_, index) => marked[index]).map(Number);
  }

  /** Resolves when as many processes carry the mark; foreign processes send no event, so this looks until the time is over. */
  async waitForCount(count: number, timeoutMs = 10_000): Promise<void> {
    const deadline = performance.now() + timeoutMs;
    for (;;) {
      const pids = await this.pids();
      if (pids.length === count) return;
      if (performance.now() > deadline)
        throw new Error(`Expected ${count} processes, found ${pids.join(', ') || 'none'}.`);
      await delay(20);
    }
  }

  /** Ends what a test left behind, and what that starts meanwhile; rejects when something does not end. */
  async clean(): Promise<void> {
    const deadline = performance.now() + 5000;
    for (let pids = await this.pids(); pids.length > 0; pids = await this.pids()) {
      if (performance.now() > deadline) throw new Error(`Not even SIGKILL ended ${pids.join(', ')}.`);
      for (const pid of pids) {
        try {
          process.kill(pid, 'SIGKILL');
        } catch {
          // It has ended in the meantime.
        }
      }
      await delay(5);
    }
  }

  /**
   * While a process changes to another program, Linux shows its environment as empty: whoever looks once in that moment misses
   * the process. What has ended, collected or not, cannot be read at all.
   */
  private async isOn(pid: string): Promise<boolean> {
    const deadline = performance.now() + bareAfterMs;
    for (;;) {
      const environment = environmentOf(pid);
      if (environment === undefined) return false;
      if (environment !== '') return environment.split('\0').includes(`${this.name}=${this.value}`);
      if (performance.now() > deadline) bare.add(pid);
      if (bare.has(pid)) return false;
      await delay(2);
    }
  }
}

/** Out of the kernel's memory: to ask for it through another thread takes several times as long. */
function environmentOf(pid: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8');
  } catch {
    return undefined;
  }
}
