import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { methods, RequestError, type PermissionOption, type PlanEntry } from '@agentclientprotocol/sdk';
import { findReadableFile } from './readableFile';
import * as texts from './texts';
import type { Topic } from './topics';
import type { TurnOutput } from './turnOutput';

/** One turn of the tour: what to show, where, and what the client can do for it. */
export interface TourTurn {
  readonly topic: Topic;
  readonly turn: number;
  readonly cwd: string;
  readonly output: TurnOutput;
  readonly can: { readonly readFiles: boolean; readonly writeFiles: boolean; readonly runTerminals: boolean };
}

const scratchName = 'parley-tour.md';

const askOptions = (what: string): PermissionOption[] => [
  { optionId: 'allow', name: 'Allow', kind: 'allow_once' },
  { optionId: 'reject', name: `Don't ${what}`, kind: 'reject_once' },
];

/** Runs one turn to its end; throws an `AbortError` when the turn is cancelled. */
export async function runTour(turn: TourTurn): Promise<void> {
  const { output, topic } = turn;
  if (topic === 'help') return output.say(texts.help);
  if (topic === 'text') return output.say(texts.text);
  await output.update({ sessionUpdate: 'session_info_update', title: 'A tour of Parley' });
  const steps = topic === 'files' ? ['read', 'edit'] : topic === 'terminal' ? ['run'] : ['read', 'edit', 'run'];
  const plan = new TourPlan(output, steps);
  if (turn.turn === 1) await output.say(texts.welcome);
  await plan.start();
  if (topic === 'all') await output.say(texts.planned);
  await output.think(
    'The folder is open. I look for a file that is worth reading, and then I ask before I touch anything.',
  );
  for (const step of steps) {
    await plan.next();
    if (step === 'read') await readStep(turn);
    else if (step === 'edit') await editStep(turn);
    else await runStep(turn);
  }
  await plan.finish();
  await output.say(texts.farewell(scratchName));
}

/** The plan of a turn, one entry per step. */
class TourPlan {
  private static readonly names: Readonly<Record<string, string>> = {
    read: 'Read a file of this folder',
    edit: `Write ${scratchName}, after asking`,
    run: 'Run a command, after asking',
  };
  private readonly output: TurnOutput;
  private readonly steps: readonly string[];
  private current = -1;

  constructor(output: TurnOutput, steps: readonly string[]) {
    this.output = output;
    this.steps = steps;
  }

  start(): Promise<void> {
    return this.send();
  }

  next(): Promise<void> {
    this.current += 1;
    return this.send();
  }

  finish(): Promise<void> {
    this.current = this.steps.length;
    return this.send();
  }

  private send(): Promise<void> {
    return this.output.plan(
      this.steps.map((step, index): PlanEntry => ({
        content: TourPlan.names[step] ?? step,
        priority: 'medium',
        status: index < this.current ? 'completed' : index === this.current ? 'in_progress' : 'pending',
      })),
    );
  }
}

async function readStep({ output, cwd, can }: TourTurn): Promise<void> {
  await output.say(texts.beforeRead);
  const path = await findReadableFile(cwd, scratchName);
  if (path === undefined) {
    await output.say('This folder holds no text file yet, so there is nothing to read.\n\n');
    return;
  }
  const call = await output.startTool({
    title: `Read ${basename(path)}`,
    kind: 'read',
    locations: [{ path, line: 1 }],
  });
  await output.updateTool(call, { status: 'in_progress' });
  const content = can.readFiles
    ? (await output.client.request(methods.client.fs.readTextFile, { sessionId: output.sessionId, path, limit: 400 }))
        .content
    : await readFile(path, 'utf8');
  await output.updateTool(call, {
    status: 'completed',
    content: [
      { type: 'content', content: { type: 'resource', resource: { uri: pathToFileURL(path).href, text: content } } },
    ],
  });
  const lines = content.split('\n').length;
  const first =
    content
      .split('\n')
      .find((line) => line.trim() !== '')
      ?.trim() ?? '';
  await output.say(`\`${basename(path)}\` has ${lines} lines and begins with «${first.slice(0, 80)}».\n\n`);
}

async function editStep({ output, cwd, turn, can }: TourTurn): Promise<void> {
  await output.say(texts.beforeEdit);
  const path = join(cwd, scratchName);
  const oldText = await readCurrent(output, path, can.readFiles);
  const newText =
    oldText === undefined
      ? '# Parley tour\n\nAn agent wrote this file after you allowed it.\n\n- Visit 1\n'
      : `${oldText.replace(/\n?$/, '\n')}- Visit ${oldText.split('\n').filter((line) => line.startsWith('- Visit')).length + 1}, turn ${turn}\n`;
  const diff = { type: 'diff' as const, path, newText, oldText: oldText ?? null };
  const call = await output.startTool({
    title: `${oldText === undefined ? 'Create' : 'Edit'} ${scratchName}`,
    kind: 'edit',
    locations: [{ path }],
    content: [diff],
  });
  if (!(await output.ask(call, [diff], askOptions('change it')))) {
    await output.updateTool(call, { status: 'failed' });
    await output.say(texts.editRejected);
    return;
  }
  await output.updateTool(call, { status: 'in_progress' });
  if (can.writeFiles) {
    await output.client.request(methods.client.fs.writeTextFile, {
      sessionId: output.sessionId,
      path,
      content: newText,
    });
  } else {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, newText);
  }
  await output.updateTool(call, { status: 'completed', content: [diff] });
  await output.say(texts.afterEdit(scratchName));
}

/** Text of a file, or undefined when there is none. */
async function readCurrent(output: TurnOutput, path: string, throughClient: boolean): Promise<string | undefined> {
  try {
    if (!throughClient) return await readFile(path, 'utf8');
    return (await output.client.request(methods.client.fs.readTextFile, { sessionId: output.sessionId, path })).content;
  } catch (error) {
    output.signal.throwIfAborted();
    const missing =
      (error instanceof RequestError && error.code === -32002) ||
      (error instanceof Error && 'code' in error && error.code === 'ENOENT');
    if (missing) return undefined;
    throw error;
  }
}

async function runStep({ output, cwd, can }: TourTurn): Promise<void> {
  if (!can.runTerminals) {
    await output.say('This client runs no commands for agents, so the tour leaves that part out.\n\n');
    return;
  }
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
        ? `ended with exit code ${exit.exitCode}`
        : `was ended by ${exit.signal ?? 'a signal'}`;
    await output.say(texts.afterCommand(line, end));
  } finally {
    output.signal.removeEventListener('abort', stop);
    await terminal.release();
  }
}
