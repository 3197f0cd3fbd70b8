import { processesWith, serverMark } from '../workbench/processes.mjs';
import type { TestContext } from './api';
import { needsLinux } from './platform';

/**
 * Holds still the editor's process that watches files. Returns what lets it go on and tell what happened meanwhile; the end of the test
 * does so, too. The test is skipped where that process is not known.
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
