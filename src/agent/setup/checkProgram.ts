import { execFile } from 'node:child_process';
import * as l10n from '@vscode/l10n';
import { messageOf } from '../../shared/values/messageOf';
import { SpawnFailure, type AgentLaunch } from '../process/agentProcess';
import { locateProgram } from '../launch/launch';
import type { Finding, Fix } from './check';

/** A program that agents need, and where to get it. */
export interface NeededProgram {
  readonly name: string;
  readonly command: string;
  /** A sentence: what needs it. */
  readonly neededFor: string;
  readonly url: string;
  /** The oldest major version that works for most agents. */
  readonly oldestMajor?: number;
}

/** How long a program may take to print its version, in milliseconds. */
const versionTimeout = 10_000;

/** Returns the programs that agents and Parley use, with words in the user's language. */
export function neededPrograms(): readonly NeededProgram[] {
  return [
    {
      name: 'Node',
      command: 'node',
      neededFor: l10n.t('Many agents run on Node.'),
      url: 'https://nodejs.org/en/download',
      oldestMajor: 20,
    },
    {
      name: 'npm',
      command: 'npm',
      neededFor: l10n.t('Agents from npm are installed with it. It comes with Node.'),
      url: 'https://nodejs.org/en/download',
    },
    {
      name: 'uv',
      command: 'uv',
      neededFor: l10n.t('Agents written in Python are installed with it.'),
      url: 'https://docs.astral.sh/uv/getting-started/installation/',
    },
    {
      name: 'git',
      command: 'git',
      neededFor: l10n.t('Most agents use git, and Parley compares files faster with it.'),
      url: 'https://git-scm.com/downloads',
    },
  ];
}

/**
 * Finds a program on the PATH of `env` and asks for its version. With `run: false`, it's only looked for. Never rejects.
 */
export async function checkProgram(
  program: NeededProgram,
  where: { readonly env: Readonly<Record<string, string>>; readonly cwd: string; readonly run: boolean },
  signal: AbortSignal,
): Promise<Finding> {
  const { name, command, neededFor, url, oldestMajor = 0 } = program;
  const get: Fix = { kind: 'link', label: l10n.t('Get {0}', name), url };
  let launch: AgentLaunch;
  try {
    launch = await locateProgram({ command, args: ['--version'], env: where.env, cwd: where.cwd });
  } catch (error) {
    if (error instanceof SpawnFailure && error.kind === 'notFound') {
      return { name, state: 'note', summary: l10n.t('not found on PATH'), detail: neededFor, fix: get };
    }
    return { name, state: 'problem', summary: l10n.t('can’t be run'), detail: messageOf(error), fix: get };
  }
  const place = launch.command;
  if (!where.run) {
    const detail = l10n.t('{0}. Not started, because this folder isn’t trusted.', place);
    return { name, state: 'skipped', summary: l10n.t('found'), detail };
  }
  const answer = await versionOf(launch, signal);
  if ('problem' in answer) {
    const again: Fix = {
      kind: 'copy',
      label: l10n.t('Copy “{0}”', `${command} --version`),
      line: `${command} --version`,
    };
    return {
      name,
      state: 'problem',
      summary: l10n.t('doesn’t run'),
      detail: `${place}: ${answer.problem}`,
      fix: again,
    };
  }
  const { version } = answer;
  const major = Number(/^\D*(\d+)/.exec(version)?.[1] ?? Number.NaN);
  if (major < oldestMajor) {
    const detail = l10n.t('{0} is too old for many agents. They need version {1} or later.', place, oldestMajor);
    return { name, state: 'problem', summary: version, detail, fix: get };
  }
  return { name, state: 'ok', summary: version, detail: place };
}

function versionOf(
  { command, args, env, cwd, windowsVerbatimArguments = false }: AgentLaunch,
  signal: AbortSignal,
): Promise<{ readonly version: string } | { readonly problem: string }> {
  return new Promise((resolve) => {
    const options = {
      env: { ...env },
      cwd,
      timeout: versionTimeout,
      maxBuffer: 64 * 1024,
      signal,
      windowsHide: true,
      windowsVerbatimArguments,
    };
    execFile(command, [...args], options, (error, stdout, stderr) => {
      const version = /\d+(\.\d+)+\S*/.exec(stdout)?.[0];
      if (!error && version !== undefined) resolve({ version });
      else if (!error) resolve({ problem: l10n.t('It printed no version.') });
      else if (signal.aborted) resolve({ problem: l10n.t('Cancelled.') });
      else if (error.killed === true)
        resolve({ problem: l10n.t('It didn’t respond within {0} s.', versionTimeout / 1000) });
      else resolve({ problem: stderr.trim().split('\n').at(-1) || error.message });
    });
  });
}
