import { constants } from 'node:os';
import type { Launch } from './shellLine';

/** How a process ended: an exit code, or the name of the signal that ended it (`SIGTERM`). */
export interface ExitStatus {
  readonly exitCode?: number;
  readonly signal?: string;
}

/** What a process is started with. `launch.file` is an absolute path, `cwd` an existing folder. */
export interface ProcessOptions {
  readonly launch: Launch;
  readonly cwd: string;
  readonly env: Record<string, string>;
  readonly columns: number;
  readonly rows: number;
}

/** Receives what a process does. `onExit` comes once, after the last `onData`. */
export interface ProcessListener {
  /** Decoded text, never half a character. */
  onData(text: string): void;
  onExit(exit: ExitStatus): void;
}

/** A running command behind a pseudoterminal or behind pipes. Calls after its end do nothing. */
export interface TerminalProcess {
  readonly driver: 'pty' | 'pipe';
  /** Leads its own process group and session, except on Windows. */
  readonly pid: number;
  /** Sends keys, or lines, to the command. */
  write(data: string): void;
  /** Ends the command's input; a pseudoterminal is told so by a key, so there it does nothing. */
  endInput(): void;
  resize(columns: number, rows: number): void;
  /** Stops reading, so that the command waits with its output until `resume`. */
  pause(): void;
  resume(): void;
}

/** Whether a terminal may have this size. */
export function isTerminalSize(columns: number, rows: number): boolean {
  return [columns, rows].every((value) => Number.isInteger(value) && value > 0 && value < 10_000);
}

/** What the system reports about an end; its `signal` is a number, 0 for none. */
export function exitStatus(exitCode: number, signal: number | undefined): ExitStatus {
  if (signal === undefined || signal === 0) return { exitCode };
  const name = Object.entries(constants.signals).find(([, value]) => value === signal)?.[0];
  return { signal: name ?? `SIG${signal}` };
}
