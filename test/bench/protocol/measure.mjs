// One measurement in a separate process: starts the agent, sends one prompt through `connect`, and prints the results as JSON.
import { spawn } from 'node:child_process';
import { UpdateCheck } from './updates.mjs';

/** `connect` opens a client for the agent's process and calls back with the text of each update, in order. */
export async function measure(connect) {
  const [agentPath, updates, linesPerWrite] = process.argv.slice(2);
  const check = new UpdateCheck();
  const agent = spawn(process.execPath, [agentPath, updates, linesPerWrite], { stdio: ['pipe', 'pipe', 'inherit'] });
  const peer = connect(agent, (text) => check.receive(text));
  await peer.initialize();
  const { sessionId } = await peer.newSession(process.cwd());
  const start = performance.now();
  const { stopReason } = await peer.prompt(sessionId);
  const milliseconds = performance.now() - start;
  check.assertComplete(Number(updates));
  if (stopReason !== 'end_turn') throw new Error(`the prompt ended with ${stopReason}`);
  peer.close();
  agent.kill();
  // In kilobytes.
  const peakMegabytes = process.resourceUsage().maxRSS / 1024;
  console.log(JSON.stringify({ milliseconds, peakMegabytes }));
}
