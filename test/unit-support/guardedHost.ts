// Replaces the extension host in tests of the watchdog: runs one command per line from stdin and answers each with one line.
import { createInterface } from 'node:readline';
import { startAgentProcess, type AgentProcess } from '../../src/agent/process/agentProcess';
import { createWatchdog } from '../../src/agent/process/watchdog';
import { listProcesses } from '../../src/process/processTree';

interface Options {
  readonly watchdog: string;
  readonly agent: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly idleMs: number;
}

const options = JSON.parse(process.argv[2]!) as Options;
const guard = createWatchdog(options.watchdog, { idleMs: options.idleMs, log: (line) => console.log(line) });
let agent: AgentProcess | undefined;

async function obey(command: string): Promise<string> {
  switch (command) {
    case 'start': {
      agent = await startAgentProcess(
        { command: process.execPath, args: [options.agent, ...options.args], env: options.env, cwd: options.cwd },
        { guard },
      );
      if (options.agent.includes('ignoresSigterm') || options.agent.includes('wraps')) await firstOutput(agent);
      else agent.stdout.resume();
      const children = (await listProcesses())!.filter((candidate) => candidate.parent === process.pid);
      return String(children.find((child) => child.pid !== agent?.pid)?.pid);
    }
    case 'unguard':
      guard.remove(agent!.pid);
      return 'done';
    case 'dispose':
      guard.dispose();
      return 'done';
    case 'stop':
    case 'stopAndLeave':
      await agent?.stop(200);
      if (command === 'stopAndLeave') input.close();
      return 'done';
    default:
      return `unknown command ${command}`;
  }
}

function firstOutput(started: AgentProcess): Promise<void> {
  return new Promise((resolve) => started.stdout.once('data', () => resolve()));
}

const input = createInterface({ input: process.stdin });
input.on('line', (line) => {
  void obey(line).then((answer) => console.log(answer));
});
input.on('close', () => process.stdin.destroy());
