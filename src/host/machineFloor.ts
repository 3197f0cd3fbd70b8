import { join } from 'node:path';
import * as vscode from 'vscode';
import type { AgentSpec } from '../agent/spec/agentSpec';
import { createWatchdog } from '../agent/process/watchdog';
import { keepCopiesIn } from '../git/copyPlaces';
import { decidePrograms } from '../git/git';
import { keepGitRoomIn } from '../git/gitRoom';
import { KnownPrograms } from '../git/knownPrograms';
import { keepProgramsOutOf } from '../process/ownProgram';
import { toDisposable, type DisposableStore, type IDisposable } from '../shared/values/disposable';
import { rememberFoldersIn } from '../worktree/made/ownFolders';
import { findWorktreesWith, KnownWorktrees } from '../worktree/made/worktreeOf';
import { ActionDesk } from './base/actions';
import { programMemory } from './git/programMemory';
import { ProgramQuestions } from './git/programQuestions';
import { RememberedLog } from './log/rememberedLog';
import { createLaunches } from './login/agentLaunches';
import { storedProviders } from './providers/storedProviders';
import { clearKilledSandboxes } from './sandbox/enclose';
import { writtenFolders } from './sandbox/writtenFolders';
import { ScratchFolder } from './sessions/start/scratchFolder';
import { settingsFeature } from './settings/feature';
import { Settings } from './settings/settings';
import type { ReadSettings } from './settings/settingTable';
import { folderMemory, rememberedFolders } from './worktrees/folderMemory';

export type Machine = ReturnType<typeof machineFloor>;

/** What the machine and the window give: places, memories, settings, trusted programs, and what agents start with. */
export function machineFloor(context: vscode.ExtensionContext, parts: DisposableStore) {
  const { secrets, extensionUri, extensionPath, globalState: globalMemory, workspaceState: memory } = context;
  const { version } = context.extension.packageJSON as { readonly version: string };
  const globalStorage = context.globalStorageUri.fsPath;
  const output = parts.add(vscode.window.createOutputChannel('Parley', { log: true }));
  const log = new RememberedLog(output, () => Date.now());
  const settings = parts.add(new Settings(memory));
  const workspaceSettings = settingsFeature({ settings });
  const sandboxRecords = join(globalStorage, 'sandboxes');
  void clearKilledSandboxes(sandboxRecords);
  const scratch = new ScratchFolder(join(globalStorage, 'scratch'));
  const git = gitPrograms(globalStorage, globalMemory, settings, parts);
  const launches = parts.add(createLaunches({ extensionPath, secrets, memory: globalMemory, settings, scratch, log }));
  const current = (spec: AgentSpec) => launches.added.current(spec);
  const desk = new ActionDesk();
  return {
    ...git,
    secrets,
    extensionUri,
    extensionPath,
    /** What is stored for all workspaces, and for this one. */
    globalMemory,
    memory,
    version,
    globalStorageUri: context.globalStorageUri,
    globalStorage,
    storageUri: context.storageUri,
    log,
    report: (what: string) => (error: unknown) => log.warn(`${what}: ${String(error)}`),
    settings,
    workspaceSettings,
    sandboxRecords,
    scratch,
    launches,
    catalog: launches.catalog,
    loginSecrets: launches.loginSecrets,
    resolveLaunch: launches.resolveLaunch,
    environment: () => launches.resolver.environment(),
    providers: storedProviders({ secrets, current, schedule }),
    guard: parts.add(createWatchdog(join(extensionPath, 'dist', 'watchdog.js'))),
    desk,
    act: desk.act,
    now: () => Date.now(),
    schedule,
    parts,
  };
}

/** Which programs of repositories git may start, and which folders no program of the user's is in. */
function gitPrograms(
  globalStorage: string,
  globalMemory: vscode.Memento,
  settings: ReadSettings<'sandboxFolders'>,
  parts: DisposableStore,
) {
  rememberFoldersIn(folderMemory(globalMemory));
  const ownFiles = join(globalStorage, 'copies');
  keepCopiesIn(ownFiles);
  parts.add(keepGitRoomIn(join(globalStorage, 'git')));
  parts.add(findWorktreesWith(parts.add(new KnownWorktrees())));
  const knownPrograms = new KnownPrograms(programMemory(join(globalStorage, 'programs')));
  const programs = new ProgramQuestions(knownPrograms);
  parts.add(decidePrograms(programs.decide));
  keepProgramsOutOf(() =>
    writtenFolders([ownFiles, ...rememberedFolders(globalMemory), ...settings.get('sandboxFolders')]),
  );
  return { knownPrograms, programs };
}

function schedule(ms: number, action: () => void): IDisposable {
  const timer = setTimeout(action, ms);
  return toDisposable(() => clearTimeout(timer));
}
