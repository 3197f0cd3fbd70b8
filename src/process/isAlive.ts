/** Returns whether a process with this id is running on this machine. */
export function isAlive(pid: number): boolean {
  // Zero and negative numbers mean process groups.
  if (!(pid > 0)) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // A process of another user can't be signaled, but it is alive.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
