import type { ModelRequest, ModelStep } from './modelServer.mjs';

/** Starts at once, and goes on until a file is there. Then it writes another one. */
const command = 'touch started; until [ -e go ]; do sleep 0.1; done; echo late > late.txt; echo done';

/** A model that starts a command without waiting for it, and ends the turn. The command writes `late.txt` once there is a file `go`. */
export function startsInBackground(request: ModelRequest): ModelStep {
  // Claude goes on by itself when its command has exited, with the same conversation.
  if (request.rounds > 0) return { text: 'It runs in the background.' };
  return request.tools.includes('exec_command')
    ? { calls: [{ name: 'exec_command', input: { cmd: command, yield_time_ms: 250 } }] }
    : { calls: [{ name: 'Bash', input: { command, description: 'Write later', run_in_background: true } }] };
}
