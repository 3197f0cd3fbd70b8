import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

/** A misbehaving agent of test/fixtures/agents; tests run in the project's root folder. */
export function fixtureAgent(name: string): string {
  return join(process.cwd(), 'test', 'fixtures', 'agents', `${name}.mjs`);
}

/**
 * A mark in the environment of a process that all its descendants inherit, also those that leave its process group, so that
 * a test can count every process that an agent has left behind.
 */
export class ProcessMark {
  private readonly text = `PARLEY_TEST_MARK=${randomUUID()}`;

  /** The environment that carries the mark. */
  get env(): Record<string, string> {
    const [name, value] = this.text.split('=') as [string, string];
    return { PATH: process.env['PATH'] ?? '', [name]: value };
  }

  /** The pids that carry the mark and have not ended. */
  async pids(): Promise<number[]> {
    if (process.platform !== 'linux') {
      const { stdout } = await promisify(execFile)('ps', ['-A', '-E', '-ww', '-o', 'pid=,command=']);
      const marked = stdout.split('\n').filter((line) => line.includes(this.text));
      return marked.map((line) => Number.parseInt(line, 10));
    }
    const all = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
    // What has ended but was not collected yet has no environment any more.
    const marked = await Promise.all(
      all.map((pid) =>
        readFile(`/proc/${pid}/environ`, 'utf8').then(
          (env) => env.includes(this.text),
          () => false,
        ),
      ),
    );
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

  /** Ends what a failed test left behind. */
  async clean(): Promise<void> {
    for (const pid of await this.pids()) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It has ended in the meantime.
      }
    }
  }
}
