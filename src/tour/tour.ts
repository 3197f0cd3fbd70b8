import { writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import { methods, type PermissionOption, type PlanEntry } from '@agentclientprotocol/sdk';
import { findReadableFile } from './readableFile';
import { findScratchFile, heading, isScratchName, readCurrent, readText, type ScratchFile } from './scratchFile';
import * as texts from './texts';
import type { Topic } from './topics';
import type { TurnOutput } from './turnOutput';

/** One turn of the tour: its topic, its folder, and the client's capabilities. */
export interface TourTurn {
  readonly topic: Topic;
  readonly turn: number;
  readonly cwd: string;
  readonly output: TurnOutput;
  readonly can: { readonly readFiles: boolean; readonly writeFiles: boolean; readonly runTerminals: boolean };
}

/** Number of lines that are enough to demonstrate reading. */
const firstLines = 400;

const askOptions = (what: string): PermissionOption[] => [
  { optionId: 'allow', name: 'Allow', kind: 'allow_once' },
  { optionId: 'reject', name: `Don’t ${what}`, kind: 'reject_once' },
];

type Step = 'read' | 'edit' | 'run';

/** Runs one turn to its end; throws an `AbortError` when the turn is cancelled. */
export async function runTour(turn: TourTurn): Promise<void> {
  const { output, topic, can } = turn;
  if (topic === 'help') return output.say(texts.help);
  if (topic === 'text') return output.say(texts.text);
  await output.update({ sessionUpdate: 'session_info_update', title: 'A tour of Parley' });
  const wished: Step[] =
    topic === 'files' ? ['read', 'edit'] : topic === 'terminal' ? ['run'] : ['read', 'edit', 'run'];
  const steps = wished.filter((step) => step !== 'run' || can.runTerminals);
  const file = await findScratchFile(output, turn.cwd, can.readFiles);
  const plan = new TourPlan(output, steps, file.name);
  if (turn.turn === 1) await output.say(texts.welcome);
  if (steps.length > 0) await plan.start();
  if (topic === 'all') await output.say(texts.planned);
  await output.think('The folder is open. I’ll look for a file worth reading, then ask before I change anything.');
  let written = false;
  for (const step of steps) {
    await plan.next();
    if (step === 'read') await readStep(turn);
    else if (step === 'edit') written = await editStep(turn, file);
    else await runStep(turn);
  }
  if (steps.length > 0) await plan.finish();
  if (steps.length < wished.length) await output.say(texts.noTerminals);
  await output.say(texts.farewell(written ? file.name : undefined));
}

/** The plan of a turn, one entry per step. */
class TourPlan {
  private readonly output: TurnOutput;
  private readonly names: readonly string[];
  private current = -1;

  constructor(output: TurnOutput, steps: readonly Step[], fileName: string) {
    const names = {
      read: 'Read a file in this folder',
      edit: `Write ${fileName} (asks first)`,
      run: 'Run a command (asks first)',
    };
    this.output = output;
    this.names = steps.map((step) => names[step]);
  }

  start(): Promise<void> {
    return this.send();
  }

  next(): Promise<void> {
    this.current += 1;
    return this.send();
  }

  finish(): Promise<void> {
    this.current = this.names.length;
    return this.send();
  }

  private send(): Promise<void> {
    return this.output.plan(
      this.names.map((content, index): PlanEntry => ({
        content,
        priority: 'medium',
        status: index < this.current ? 'completed' : index === this.current ? 'in_progress' : 'pending',
      })),
    );
  }
}

async function readStep({ output, cwd, can }: TourTurn): Promise<void> {
  await output.say(texts.beforeRead);
  const path = await findReadableFile(cwd, isScratchName);
  if (path === undefined) {
    await output.say(texts.noFile);
    return;
  }
  const call = await output.startTool({
    title: `Read ${basename(path)}`,
    kind: 'read',
    locations: [{ path, line: 1 }],
  });
  await output.updateTool(call, { status: 'in_progress' });
  let content: string;
  try {
    content = await readText(output, path, can.readFiles, firstLines);
  } catch (error) {
    output.signal.throwIfAborted();
    await output.updateTool(call, { status: 'failed' });
    await output.say(texts.notRead(basename(path), error instanceof Error ? error.message : String(error)));
    return;
  }
  await output.updateTool(call, {
    status: 'completed',
    content: [
      { type: 'content', content: { type: 'resource', resource: { uri: pathToFileURL(path).href, text: content } } },
    ],
  });
  const lines = content.replace(/\n$/, '').split('\n');
  const first = lines.find((line) => line.trim() !== '')?.trim() ?? '';
  const count = lines.length < firstLines ? `${lines.length}` : `${firstLines} or more`;
  await output.say(
    `\`${basename(path)}\` has ${count} line${count === '1' ? '' : 's'} and starts with “${first.slice(0, 80)}”.\n\n`,
  );
}

/** Requests permission to write the tour's own file and writes it if allowed; resolves to true if it was written. */
async function editStep({ output, turn, can }: TourTurn, { path, name, text }: ScratchFile): Promise<boolean> {
  await output.say(texts.beforeEdit);
  const newText =
    text === undefined
      ? `${heading}\n\nAn agent wrote this file after you allowed it.\n\n- Visit 1\n`
      : `${text.replace(/\n?$/, '\n')}- Visit ${text.split('\n').filter((line) => line.startsWith('- Visit')).length + 1}, turn ${turn}\n`;
  const diff = { type: 'diff' as const, path, newText, oldText: text ?? null };
  const isNew = text === undefined;
  const call = await output.startTool({
    title: `${isNew ? 'Create' : 'Edit'} ${name}`,
    kind: 'edit',
    locations: [{ path }],
    content: [diff],
  });
  if (!(await output.ask(call, [diff], askOptions(isNew ? 'create it' : 'change it')))) {
    await output.updateTool(call, { status: 'failed' });
    await output.say(texts.editRejected(isNew));
    return false;
  }
  // A request may stay open for hours.
  if ((await readCurrent(output, path, can.readFiles)) !== text) {
    await output.updateTool(call, { status: 'failed' });
    await output.say(texts.changedMeanwhile(name));
    return false;
  }
  await output.updateTool(call, { status: 'in_progress' });
  if (can.writeFiles) {
    const { sessionId } = output;
    await output.client.request(methods.client.fs.writeTextFile, { sessionId, path, content: newText });
  } else await writeFile(path, newText, { flag: isNew ? 'wx' : 'w' });
  await output.updateTool(call, { status: 'completed', content: [diff] });
  await output.say(texts.afterEdit(name));
  return true;
}

async function runStep({ output, cwd }: TourTurn): Promise<void> {
  await output.say(texts.beforeCommand);
  const windows = process.platform === 'win32';
  const command = windows ? 'cmd.exe' : 'ls';
  const args = windows ? ['/d', '/c', 'dir'] : process.platform === 'darwin' ? ['-laG'] : ['-la', '--color=auto'];
  const line = [command, ...args].join(' ');
  const call = await output.startTool({ title: line, kind: 'execute', rawInput: { command, args, cwd } });
  if (!(await output.ask(call, undefined, askOptions('run it')))) {
    await output.updateTool(call, { status: 'failed' });
    await output.say(texts.commandRejected);
    return;
  }
  const terminal = await output.client.createTerminal({ sessionId: output.sessionId, command, args, cwd });
  const stop = () => void terminal.kill();
  output.signal.addEventListener('abort', stop, { once: true });
  try {
    await output.updateTool(call, { status: 'in_progress', content: [{ type: 'terminal', terminalId: terminal.id }] });
    const exit = await terminal.waitForExit();
    await output.updateTool(call, { status: exit.exitCode === 0 ? 'completed' : 'failed' });
    const end =
      typeof exit.exitCode === 'number'
        ? `exited with code ${exit.exitCode}`
        : `was terminated by ${exit.signal ?? 'a signal'}`;
    await output.say(texts.afterCommand(line, end));
  } finally {
    output.signal.removeEventListener('abort', stop);
    await terminal.release();
  }
}
