import { statSync } from 'node:fs';
import * as path from 'node:path';
import type { Sandbox } from '../shared/limits/sandbox';
import { breaksBatchLine } from '../process/batchArguments';
import { isProgram } from '../process/isProgram';
import { checkFolder, findProgram } from './findProgram';
import type { ProcessStarter } from './ptyProcess';
import { chooseShell, planLaunch, throughCmd, type Launch } from './shellLine';
import { SpawnError } from './spawnError';
import { terminalEnvironment, type Environment } from './terminalEnvironment';
import type { ProcessListener, TerminalProcess } from './terminalProcess';

/** A command that an agent requests. `cwd` is absolute. */
export interface CommandRequest {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Environment;
  readonly cwd: string;
  readonly columns: number;
  readonly rows: number;
  /** What the command runs in. */
  readonly sandbox?: Sandbox;
}

/**
 * Starts an agent's command with the base environment `base`. Resolves when the command runs. With any driver, rejects with a `SpawnError`
 * that names the missing program or folder.
 */
export async function startCommand(
  starter: ProcessStarter,
  request: CommandRequest,
  base: Readonly<Record<string, string | undefined>>,
  listener: ProcessListener,
): Promise<TerminalProcess> {
  const { cwd, columns, rows } = request;
  const platform = process.platform;
  await checkFolder(cwd);
  const driver = await starter.driver();
  const env = terminalEnvironment(base, request.env, { cwd, driver, platform });
  const shell = chooseShell(platform, env, isProgram);
  const isFile = (file: string) => isExistingFile(path.resolve(cwd, file));
  const plan = planLaunch(request.command, request.args, { platform, shell, isFile });
  const launch = resolveLaunch(plan, await findProgram(plan.file, cwd, env, platform), shell);
  const { sandbox } = request;
  if (!sandbox) return starter.start({ launch, cwd, env, columns, rows }, listener);
  const { file, args, env: inner } = await sandbox.wrap({ file: launch.file, args: launch.args, env });
  const onExit: ProcessListener['onExit'] = (exit) => {
    sandbox.ended();
    listener.onExit(exit);
  };
  const own = { launch: { file, args, viaShell: false }, cwd, env: { ...inner }, columns, rows };
  return starter.start(own, { onData: (text) => listener.onData(text), onExit });
}

function resolveLaunch(plan: Launch, file: string, shell: string): Launch {
  const isBatchFile = process.platform === 'win32' && /\.(?:cmd|bat)$/iu.test(file);
  if (isBatchFile && typeof plan.args !== 'string') {
    if ([file, ...plan.args].some(breaksBatchLine)) {
      throw new SpawnError('EFAILED', `"${file}" is a batch file, which can't take arguments with line breaks.`);
    }
    return throughCmd(shell, file, plan.args);
  }
  return { ...plan, file };
}

function isExistingFile(file: string): boolean {
  try {
    return statSync(file).isFile();
  } catch {
    // A shell line is rarely a path, and often too long to be one.
    return false;
  }
}
