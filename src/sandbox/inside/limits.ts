/** How much a sandboxed command may use. docs/security.md names the numbers. */
export const limits = {
  /** Processes and threads at once. */
  processes: 4096,
  /** The size of one file, in gigabytes. */
  fileGigabytes: 20,
} as const;

/** The unit of a shell's own command for it, in bytes. */
const block = 512;

/** Returns whether the system counts the processes of a sandbox, and not all of the user's. */
export function countsProcesses(platform: NodeJS.Platform, release: string): boolean {
  const [major = 0, minor = 0] = release.split('.').map(Number);
  return platform === 'linux' && (major > 5 || (major === 5 && minor >= 14));
}

/**
 * Returns words with which a shell inside limits itself and all that it starts. Nothing inside can take them back. Memory has no such limit:
 * programs reserve much more of it than they use.
 */
export function limitWords(platform: NodeJS.Platform, release: string): string {
  // Shells have two names for it.
  const count = `{ ulimit -u ${limits.processes} || ulimit -p ${limits.processes}; } 2>/dev/null; `;
  const size = `ulimit -f ${(limits.fileGigabytes * 1024 ** 3) / block} 2>/dev/null; `;
  return (countsProcesses(platform, release) ? count : '') + size;
}

/** Words for the shell outside: if memory runs out, the system ends what it starts before the editor. */
export const endsFirst = '{ echo 500 > /proc/self/oom_score_adj; } 2>/dev/null; ';
