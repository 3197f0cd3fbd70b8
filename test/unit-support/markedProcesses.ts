import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { markedPids, psArguments } from './psListing';

/** Returns the path of a misbehaving agent in test/fixtures/agents. Tests run in the project's root folder. */
export function fixtureAgent(name: string): string {
  return join(process.cwd(), 'test', 'fixtures', 'agents', `${name}.mjs`);
}

/** How long a process must appear to have no environment before that is accepted, in milliseconds. */
const bareAfterMs = 500;
/** Processes that have no environment, so that the wait happens only once. */
const bare = new Set<string>();

/**
 * A mark in a process's environment. All descendants inherit it, even those that leave the process group, so a test can count every process
 * that an agent has left behind.
 */
export class ProcessMark {
  private readonly name = 'PARLEY_TEST_MARK';
  private readonly value = randomUUID();
  /** Processes found before, by pid, with their start time. Needed where environments don't identify all processes. */
  private readonly seen = new Map<number, string>();

  /** Returns an environment with this mark and the mark of the whole run, which also finds processes left behind by an aborted test. */
  get env(): Record<string, string> {
    const run = process.env['PARLEY_TEST_RUN'];
    return {
      PATH: process.env['PATH'] ?? '',
      [this.name]: this.value,
      ...(run === undefined ? {} : { PARLEY_TEST_RUN: run }),
    };
  }

  /** Resolves to the pids of running processes with the mark. */
  async pids(): Promise<number[]> {
    // Tests that count processes are skipped on Windows.
    if (process.platform === 'win32') return [];
    if (process.platform !== 'linux') {
      const { stdout } = await promisify(execFile)('ps', psArguments, { maxBuffer: 2 ** 26 });
      return markedPids(stdout, `${this.name}=${this.value}`, process.pid, this.seen);
    }
    const all = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
    const marked = await Promise.all(all.map((pid) => this.isOn(pid)));
    return all.filter((_, index) => marked[index]).map(Number);
  }

  /** Resolves when this many processes have the mark. Other programs' processes emit no events, so this polls until the timeout. */
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

  /** Ends the processes that a test left behind, including those started in the meantime. Rejects if a process survives. */
  async clean(): Promise<void> {
    const deadline = performance.now() + 5000;
    for (let pids = await this.pids(); pids.length > 0; pids = await this.pids()) {
      if (performance.now() > deadline) throw new Error(`Not even SIGKILL ended ${pids.join(', ')}.`);
      for (const pid of pids) {
        try {
          process.kill(pid, 'SIGKILL');
        } catch {
          // The process already exited.
        }
      }
      await delay(5);
    }
  }

  /**
   * Resolves to whether a process has the mark. While a process executes another program, Linux shows its environment as empty, so a single
   * look could miss it. The environment of an exited process can't be read at all.
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

/** Reads synchronously: the kernel answers from memory, and an asynchronous read takes several times as long. */
function environmentOf(pid: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8');
  } catch {
    return undefined;
  }
}
