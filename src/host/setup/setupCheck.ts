import { homedir } from 'node:os';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { AgentPool } from '../../agent/pool/agentPool';
import { secretVariablesOf } from '../../acp/base/redactText';
import { checkAgent, skipped } from '../../agent/setup/checkAgent';
import { checkProgram, neededPrograms } from '../../agent/setup/checkProgram';
import { describePath, describeShell } from '../../agent/setup/checkShell';
import type { Finding } from '../../agent/setup/check';
import { readShellEnvironment, type ShellEnvironment } from '../../agent/launch/shellEnvironment';
import { scrubEnvironment } from '../../process/scrubEnvironment';
import { compact } from '../../shared/values/decodeValue';
import type { IDisposable } from '../../shared/values/disposable';
import type { AgentId } from '../../shared/values/ids';
import type { AgentCatalog } from '../agents/agentCatalog';
import { folderToAsk } from '../base/folders';

/** The services that a check of the setup needs. */
export interface SetupCheckOptions {
  readonly pool: Pick<AgentPool, 'lease'>;
  readonly catalog: Pick<AgentCatalog, 'all'>;
  /** The environment that this window's agents get, if it was read before. */
  readonly environmentInUse: () => { readonly env: Readonly<Record<string, string>> } | undefined;
  /** Finds out what can't be undone in this window. */
  readonly protection: () => Promise<Finding>;
  /** Finds out whether agents can run in a sandbox. Starts a program. */
  readonly sandbox: (env: Readonly<Record<string, string>>) => Promise<Finding>;
  readonly schedule: (ms: number, action: () => void) => IDisposable;
}

/** One line of the check: its name, and the finding once it's known. */
export interface CheckedPart {
  readonly name: string;
  readonly agent?: AgentId;
  readonly finding?: Finding;
  /** What is known so far of an agent that hasn't answered yet. */
  readonly soFar?: Finding;
}

/**
 * Checks the programs, the environment, and the agents, all at the same time. Without workspace trust, nothing is
 * started: programs are only looked for.
 */
export class SetupCheck {
  private readonly options: SetupCheckOptions;
  private latest: readonly CheckedPart[] = [];
  private variables: readonly string[] = [];

  constructor(options: SetupCheckOptions) {
    this.options = options;
  }

  /** The findings of the last check so far. */
  get findings(): readonly Finding[] {
    return this.latest.flatMap(({ finding }) => (finding ? [finding] : []));
  }

  /** Values of the environment that are secret, as far as a check has seen them. */
  get secrets(): readonly string[] {
    return this.variables;
  }

  /**
   * Runs all checks, and calls `changed` with all parts whenever there is something new. `enough` ends the wait for
   * agents that don't answer. Never rejects.
   */
  async run(
    signal: AbortSignal,
    changed: (parts: readonly CheckedPart[]) => void,
    enough?: AbortSignal,
  ): Promise<void> {
    const isTrusted = vscode.workspace.isTrusted;
    const programs = neededPrograms();
    const agents = this.options.catalog.all;
    const shellName = l10n.t('Shell environment');
    const parts: CheckedPart[] = [
      ...programs.map(({ name }) => ({ name })),
      { name: shellName },
      { name: 'PATH' },
      ...agents.map(({ name, id }) => ({ name, agent: id })),
      { name: l10n.t('Undo') },
      // Without trust, no program is started.
      ...(isTrusted ? [{ name: l10n.t('Sandbox') }] : []),
    ];
    const firstAgent = programs.length + 2;
    const set = (index: number, finding: Finding, isSoFar = false) => {
      if (signal.aborted) return;
      const part = parts[index];
      if (part) parts[index] = isSoFar ? { ...part, soFar: finding } : { ...part, finding };
      this.latest = [...parts];
      changed(this.latest);
    };
    changed([...parts]);
    this.latest = [...parts];
    const environment = this.environment(isTrusted, (shell, path) => {
      set(programs.length, shell);
      set(programs.length + 1, path);
    });
    await Promise.all([
      this.options.protection().then((finding) => set(firstAgent + agents.length, finding)),
      isTrusted &&
        environment.then(async (env) => set(firstAgent + agents.length + 1, await this.options.sandbox(env))),
      ...programs.map(async (program, index) => {
        const env = await environment;
        set(index, await checkProgram(program, { env, cwd: homedir(), run: isTrusted }, signal));
      }),
      ...agents.map(async (spec, index) => {
        if (!isTrusted) {
          const why = l10n.t('This folder isn’t trusted yet, so agents aren’t started here.');
          set(firstAgent + index, skipped(spec, why, { kind: 'manageTrust', label: l10n.t('Manage trust') }));
          return;
        }
        const { pool, schedule } = this.options;
        const lease = () => pool.lease(spec, folderToAsk());
        const waiting = (soFar: Finding) => set(firstAgent + index, soFar, true);
        const options = { lease, now: Date.now, schedule, waiting, ...compact({ enough }) };
        set(firstAgent + index, await checkAgent(spec, options, signal));
      }),
    ]);
  }

  /** Reads the environment anew, so that the check sees what has changed since the window opened. */
  private async environment(
    isTrusted: boolean,
    found: (shell: Finding, path: Finding) => void,
  ): Promise<Readonly<Record<string, string>>> {
    const began = Date.now();
    const inUse = this.options.environmentInUse();
    const read: ShellEnvironment = isTrusted
      ? await readShellEnvironment()
      : { env: scrubEnvironment(process.env), source: 'process' };
    this.variables = secretVariablesOf(read.env).map((name) => read.env[name] ?? '');
    const shell = describeShell(read, Date.now() - began);
    const notRead = l10n.t('This folder isn’t trusted yet, so your shell isn’t started here.');
    const used = isTrusted ? inUse?.env['PATH'] : undefined;
    found(
      isTrusted ? shell : { ...shell, state: 'skipped', summary: l10n.t('not checked'), detail: notRead },
      describePath(read.env['PATH'] ?? read.env['Path'] ?? '', used),
    );
    return read.env;
  }
}
