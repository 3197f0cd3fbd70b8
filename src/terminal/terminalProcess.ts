import { constants } from 'node:os';
import type { Launch } from './shellLine';

/** How a process ended: an exit code, or the name of the signal that ended it (`SIGTERM`). */
export interface ExitStatus {
  readonly exitCode?: number;
  readonly signal?: string;
}

/** The options to start a process. `launch.file` is an absolute path, `cwd` an existing folder. */
export interface ProcessOptions {
  readonly launch: Launch;
  readonly cwd: string;
  readonly env: Record<string, string>;
  readonly columns: number;
  readonly rows: number;
}

/** Receives the events of a process. `onExit` is called once, after the last `onData`. */
export interface ProcessListener {
  /** Receives decoded text, never half a character. */
  onData(text: string): void;
  onExit(exit: ExitStatus): void;
}

/** A running command behind a pseudoterminal or pipes. Calls after its exit do nothing. */
export interface TerminalProcess {
  readonly driver: 'pty' | 'pipe';
  /** The process id. Except on Windows, the process leads its own group and session. */
  readonly pid: number;
  /** Sends keys or lines to the command. */
  write(data: string): void;
  /** Ends the command's input. Does nothing for a pseudoterminal, where a key ends the input. */
  endInput(): void;
  resize(columns: number, rows: number): void;
  /** Stops reading, so that the command's output blocks until `resume`. */
  pause(): void;
  resume(): void;
}

/** Returns whether a terminal can have this size. */
export function isTerminalSize(columns: number, rows: number): boolean {
  return [columns, rows].every((value) => Number.isInteger(value) && value > 0 && value < 10_000);
}

/** Converts the system's exit report. Its `signal` is a number, or 0 for none. */
export function exitStatus(exitCode: number, signal: number | undefined): ExitStatus {
  if (signal === undefined || signal === 0) return { exitCode };
  const name = Object.entries(constants.signals).find(([, value]) => value === signal)?.[0];
  return { signal: name ?? `SIG${signal}` };
}
