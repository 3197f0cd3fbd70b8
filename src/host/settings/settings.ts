import * as vscode from 'vscode';
import { Disposable } from '../../shared/disposable';
import { Emitter } from '../../shared/event';
import { ContentConsent, type Answer, type AnswerMemory } from '../consent/contentConsent';
import type { Detail } from '../../agent/describeEntry';
import {
  decidingSettings,
  describeParts,
  printOfParts,
  userValue,
  wholeValue,
  workspaceParts,
  type DecidingSetting,
  type ScopedValues,
} from './scopedSettings';

/** What happens when an agent touches a file outside its session's folders. */
export type OutsidePolicy = 'ask' | 'allow' | 'deny';

/** What the workspace writes into the settings that decide, and what the user said to it. */
export interface WorkspaceSettings {
  /** The same for the same content. */
  readonly print: string;
  readonly answer: Answer | undefined;
  readonly describe: (detail: Detail) => readonly string[];
}

/**
 * The only reader of Parley's settings. Those that decide what runs and what is allowed are taken from the workspace only while the user
 * agrees to exactly what it says; otherwise they are as if the workspace said nothing.
 */
export class Settings extends Disposable {
  private readonly consent: ContentConsent;
  private readonly changed = this.register(new Emitter<void>());
  /** A setting of Parley's has changed, or what of the workspace counts. */
  readonly onDidChange = this.changed.event;

  /** `memory`: the user's answers for this workspace. */
  constructor(memory: AnswerMemory) {
    super();
    this.consent = this.register(new ContentConsent(memory, 'parley.workspaceSettings.answers'));
    const fire = () => this.changed.fire();
    this.register(this.consent.onDidAnswer(fire));
    this.register(
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('parley')) fire();
      }),
    );
    this.register(vscode.workspace.onDidChangeWorkspaceFolders(fire));
    this.register(vscode.workspace.onDidGrantWorkspaceTrust(fire));
  }

  /** Value of `parley.agents`, the same for the whole window; `parseAgents` makes sense of it. */
  get agents(): unknown {
    return this.read('agents');
  }

  /** The agents of `parley.agents` that the workspace defines or changes. */
  get agentsOfWorkspace(): ReadonlySet<string> {
    const { workspaceValue, workspaceFolderValue } = inspect('agents');
    const names = [workspaceValue, workspaceFolderValue].flatMap((value) =>
      typeof value === 'object' && value !== null ? Object.keys(value) : [],
    );
    return new Set(this.countsWorkspace ? names : []);
  }

  /** Value of `parley.permissions`. */
  get permissions(): unknown {
    return this.read('permissions');
  }

  get outsideWorkspace(): OutsidePolicy {
    const value = this.read('files.outsideWorkspace');
    return value === 'allow' || value === 'deny' ? value : 'ask';
  }

  /** Whether agents are offered the servers of `mcp.json`. */
  get useMcpJson(): 'ask' | 'always' | 'never' {
    const value = this.read('mcp.useMcpJson');
    return value === 'always' || value === 'never' ? value : 'ask';
  }

  /** Address of the registry of agents. */
  get registryUrl(): string {
    const value = this.read('registry.url');
    return typeof value === 'string' ? value.trim() : '';
  }

  /** Name of the agent a new session uses when the user does not choose; empty when there is no such wish. It starts nothing by itself. */
  get defaultAgent(): string {
    return vscode.workspace.getConfiguration('parley').get('defaultAgent', '');
  }

  /** Value of `parley.mcpServers` for a folder; `parseServers` makes sense of it. */
  mcpServers(folder: vscode.Uri): unknown {
    return this.read('mcpServers', folder);
  }

  /** What the workspace writes into the settings that decide; undefined when it writes nothing, or isn't trusted. */
  get ofWorkspace(): WorkspaceSettings | undefined {
    if (!vscode.workspace.isTrusted) return undefined;
    const folders = vscode.workspace.workspaceFolders ?? [];
    const parts = decidingSettings.flatMap((setting) => [
      ...workspaceParts(setting, inspect(setting)),
      ...folders.flatMap(({ uri }) => workspaceParts(setting, inspect(setting, uri), uri.fsPath)),
    ]);
    const print = printOfParts(parts);
    if (print === '') return undefined;
    const describe = (detail: Detail) => describeParts(parts, detail);
    return { print, answer: this.consent.known(print), describe };
  }

  /** Notes what the user says to the settings that were shown to them. */
  answer({ print }: Pick<WorkspaceSettings, 'print'>, answer: Answer): Promise<void> {
    return this.consent.note([print], answer);
  }

  /** Asks about what was shown; see `ContentConsent.ask`. */
  ask(
    { print }: Pick<WorkspaceSettings, 'print'>,
    put: (signal: AbortSignal) => Promise<Answer | undefined>,
    signal: AbortSignal,
  ): Promise<void> {
    return this.consent.ask([print], put, signal);
  }

  private get countsWorkspace(): boolean {
    return this.ofWorkspace?.answer === 'yes';
  }

  private read(setting: DecidingSetting, scope?: vscode.Uri): unknown {
    const values = inspect(setting, scope);
    const { workspaceValue, workspaceFolderValue } = values;
    if (workspaceValue === undefined && workspaceFolderValue === undefined) return userValue(values);
    return this.countsWorkspace ? wholeValue(values) : userValue(values);
  }
}

function inspect(setting: DecidingSetting, scope?: vscode.Uri): ScopedValues {
  return vscode.workspace.getConfiguration('parley', scope ?? null).inspect(setting) ?? {};
}
