import { processesWith, serverMark } from '../workbench/processes.mjs';
import type { TestContext } from './api';
import { needsLinux } from './platform';

/**
 * Pauses the editor's file watcher process. Returns a function that resumes it, which then reports what happened in the
 * meantime. The end of the test resumes it, too. Skips the test if the process can't be found.
 */
export async function holdWatcher(context: TestContext): Promise<() => void> {
  needsLinux(context);
  const ofServer = await processesWith(serverMark, process.env[serverMark] ?? '');
  const watcher = ofServer.find(({ command }) => command.includes('--type=fileWatcher'));
  if (!watcher) return context.skip('here the editor watches files in a process of its own that is not known');
  const letGo = () => void process.kill(watcher.pid, 'SIGCONT');
  context.after(letGo);
  process.kill(watcher.pid, 'SIGSTOP');
  return letGo;
}
