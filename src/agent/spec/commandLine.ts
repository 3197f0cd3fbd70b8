/** A program and its arguments. */
export interface CommandLine {
  readonly command: string;
  readonly args: readonly string[];
}

/** Returns a command line for display, with words that contain spaces in quotes. */
export function commandText({ command, args }: CommandLine): string {
  return [command, ...args].map((word) => (/^[^\s"']+$/.test(word) ? word : JSON.stringify(word))).join(' ');
}
