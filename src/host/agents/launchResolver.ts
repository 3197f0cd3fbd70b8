import { homedir } from 'node:os';
import * as vscode from 'vscode';
import type { AgentLaunch } from '../../agent/process/agentProcess';
import type { AgentSpec } from '../../agent/spec/agentSpec';
import { resolveLaunch } from '../../agent/launch/launch';
import { programKey } from '../../agent/spec/programKey';
import { CookieJar } from '../../agent/remote/cookieJar';
import { resolveRemote } from '../../agent/launch/resolveRemote';
import { createShellEnvironment } from '../../agent/launch/shellEnvironment';
import { requireTrust } from '../../session/notTrusted';
import type { Log } from '../log/log';
import type { AgentInputs } from './agentInputs';

/**
 * Resolves the command to run for an agent in this window. Every process start passes this check, so that none starts
 * without workspace trust. Reads the user's shell environment once, when the first agent starts.
 */
export class LaunchResolver {
  private readonly shellEnvironment = createShellEnvironment();
  private readonly log: Log;
  private read: { readonly env: Readonly<Record<string, string>> } | undefined;

  private readonly inputs: AgentInputs;
  private readonly cookies = new Map<string, CookieJar>();

  constructor(log: Log, inputs: AgentInputs) {
    this.log = log;
    this.inputs = inputs;
  }

  /**
   * Returns the environment of the user's terminal programs, without the editor's own variables. Rejects as `resolve`
   * does.
   */
  async environment(): Promise<{ readonly env: Readonly<Record<string, string>> }> {
    requireTrust(vscode.workspace.isTrusted);
    const answer = await this.shellEnvironment();
    if (!this.read) {
      this.read = answer;
      const path = answer.env['PATH'] ?? answer.env['Path'] ?? '';
      this.log.info(`Environment from the ${answer.source}${answer.shell ? ` ${answer.shell}` : ''}; PATH=${path}`);
      if (answer.problem !== undefined) this.log.warn(answer.problem);
    }
    return answer;
  }

  /** The environment that this window's programs get; undefined if none has needed it yet. */
  get environmentInUse(): { readonly env: Readonly<Record<string, string>> } | undefined {
    return this.read;
  }

  /**
   * Rejects with a `SpawnFailure` if the agent is known to be unable to start, and with a `FailureError` without trust.
   */
  async resolve(spec: AgentSpec, cwd: string): Promise<AgentLaunch> {
    requireTrust(vscode.workspace.isTrusted);
    const folders = vscode.workspace.workspaceFolders ?? [];
    const place = {
      workspaceFolder: cwd,
      workspaceFolders: folders.map((folder) => ({ name: folder.name, path: folder.uri.fsPath })),
      userHome: homedir(),
    };
    if (spec.url !== undefined) {
      return resolveRemote(spec, {
        ...place,
        environment: () => this.environment(),
        cookies: this.cookiesOf(spec),
        askInput: (name) => this.inputs.get(spec, name),
      });
    }
    return resolveLaunch(spec, {
      ...place,
      askInput: (name) => this.inputs.get(spec, name),
      // The built-in agent doesn't use the shell environment, so the first start doesn't wait for it.
      environment:
        spec.source === 'builtin' ? () => Promise.resolve({ env: definedOnly(process.env) }) : () => this.environment(),
    });
  }

  /** Cookies are kept until the window closes, and only for exactly this definition of the agent. */
  private cookiesOf(spec: AgentSpec): CookieJar {
    const key = programKey(spec, '');
    const jar = this.cookies.get(key) ?? new CookieJar();
    this.cookies.set(key, jar);
    return jar;
  }
}

function definedOnly(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined));
}
