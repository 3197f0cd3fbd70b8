import type { Log } from './log';

/** Number of lines kept in memory. */
const lastLines = 400;
/** Maximum length of a kept line, in characters. */
const longestLine = 2000;

/** A log that also keeps its last lines, so that they can be shown where the user needs them. */
export class RememberedLog implements Log {
  private readonly log: Log;
  private readonly now: () => number;
  private readonly kept: string[] = [];

  constructor(log: Log, now: () => number) {
    this.log = log;
    this.now = now;
  }

  /** The last lines, oldest first. */
  get lines(): readonly string[] {
    return this.kept;
  }

  info(message: string): void {
    this.keep('info', message);
    this.log.info(message);
  }

  warn(message: string): void {
    this.keep('warning', message);
    this.log.warn(message);
  }

  error(message: string): void {
    this.keep('error', message);
    this.log.error(message);
  }

  private keep(level: string, message: string): void {
    const time = new Date(this.now()).toISOString();
    this.kept.push(`${time} [${level}] ${message.slice(0, longestLine)}`);
    if (this.kept.length > lastLines) this.kept.shift();
  }
}
