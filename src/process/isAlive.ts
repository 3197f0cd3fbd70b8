/** Whether a process of this number runs on this machine. */
export function isAlive(pid: number): boolean {
  // Other numbers mean groups of processes.
  if (!(pid > 0)) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // One of another user's isn't to be asked, and lives.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
