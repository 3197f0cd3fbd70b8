import { join } from 'node:path';
import * as vscode from 'vscode';
import { heldFiles, heldTerminals, hidesFile } from '../agent/pool/heldContext';
import { OpenSessions } from '../agent/pool/openSessions';
import { agentsFeature } from './agents/feature';
import { AgentWork } from './base/agentWork';
import { readContext } from './context/attachments/readContext';
import { lazyLanguages } from './editor/lazyLanguages';
import { ShownFiles } from './editor/shownFile';
import { FileBridge } from './files/fileBridge';
import { IdeServers } from './ide/ideServers';
import { createLogins } from './login/hostLogins';
import { mcpFeature } from './mcp/feature';
import { createPermissions } from './permissions/permissions';
import { LazyRegistry } from './registry/lazyRegistry';
import { decideHost } from './sandbox/decideHost';
import { createEnclose } from './sandbox/enclose';
import { sandboxOf } from './sandbox/sandboxOf';
import { FailedCalls } from './sandbox/failedCalls';
import { showBlocked } from './sandbox/showBlocked';
import { AskedSessions } from './sessions/start/askedSessions';
import { createPool } from './sessions/start/createPool';
import { createSession } from './sessions/start/createSession';
import { isReviewer, ReadOnlySessions } from './sessions/start/readOnlySessions';
import { createTerminalService } from './terminals/terminalService';
import { isAside } from './vendor/forkAside';
import { OwnCopies } from './worktrees/ownCopies';
import { WorktreeSetup } from './worktrees/worktreeSetup';
import type { Machine } from './machineFloor';

type Served = ReturnType<typeof served>;
export type Agents = ReturnType<typeof agentsFloor>;

/** The agents: what serves them, their sessions, the ways to get more of them, and the logins. */
export function agentsFloor(machine: Machine) {
  const { settings, memory, globalStorage, environment, launches, scratch, catalog, log, parts } = machine;
  const serving = served(machine);
  const { setup, ide, reviewers, permissions, mcp } = serving;
  const copies = new OwnCopies({ settings, memory, setUp: (...command) => setup.run(...command) });
  const { policy, rules } = permissions;
  const hostDecisions = { rules, isTrusted: () => vscode.workspace.isTrusted };
  const { pool, closed, choices } = parts.add(
    createPool({
      ...machine,
      ...serving,
      permissions: reviewers,
      readContext,
      mcp: mcp.servers,
      settingsReview: machine.workspaceSettings.review,
      configureAgent: machine.providers.configure,
      enclose: enclosing(machine, serving),
      placeSession: (...session) => copies.place(...session),
      beforeSession: (folder) => machine.knownPrograms.begin(folder),
      sandboxOf: (spec, chosen) => sandboxOf(settings, policy.sandbox, spec, chosen),
      sandboxBlocked: showBlocked,
      decideHost: (sessions, target, signal, { updateHosts }) =>
        decideHost({ ...hostDecisions, updateHosts }, sessions, target, signal),
    }),
  );
  parts.add(new FailedCalls({ pool }));
  const asked = parts.add(
    new AskedSessions({
      ...machine,
      pool,
      createSession: ({ id }, like) =>
        createSession({ pool, catalog, scratch, choices }, { agent: id, cwd: like.transcript.view.cwd, like }),
    }),
  );
  ide.letAsk(asked);
  const { added, importAgents } = launches;
  const registry = parts.add(
    new LazyRegistry({ ...machine, added, storage: globalStorage, environment, pool, importAgents }),
  );
  const agents = agentsFeature({ catalog, added, registry, memory, log });
  const logins = parts.add(createLogins(pool, machine.loginSecrets, machine.resolveLaunch, launches.inputs));
  return { ...serving, pool, closed, choices, copies, asked, agents, logins };
}

/** What agents are served with: files, terminals, MCP servers, answers, and the editor's tools. */
function served(machine: Machine) {
  const { settings, memory, secrets, globalStorageUri, environment, guard, log, parts } = machine;
  const work = new AgentWork();
  const open = new OpenSessions();
  const files = parts.add(
    new FileBridge({ outsideWorkspace: () => settings.get('files.outsideWorkspace'), observer: work }),
  );
  const terminals = parts.add(
    createTerminalService({
      baseEnvironment: async () => (await environment()).env,
      guard,
      onNoPty: (reason) => log.warn(`No pseudoterminal, commands run behind pipes: ${String(reason)}`),
    }),
  );
  const ownTerminals = heldTerminals(open, terminals);
  const setup = new WorktreeSetup(ownTerminals);
  const mcp = mcpFeature({ settings, memory, secrets, globalStorage: globalStorageUri, environment });
  const permissions = parts.add(createPermissions(machine));
  const reviewers = new ReadOnlySessions((key) => isAside(key) || isReviewer(open, key), permissions.rules);
  const shown = parts.add(new ShownFiles());
  const languages = parts.add(lazyLanguages());
  const ide = parts.add(
    new IdeServers({
      settings,
      rules: reviewers,
      version: machine.version,
      language: languages.get,
      shown: () => shown.current,
      read: (client, params, signal) => heldFiles(open, files).readTextFile(client, params, signal),
      hides: (client, path) => hidesFile(open, client, path),
      change: (client, paths, write) => work.writingAll(client, paths, write),
      beforeWork: (session) => work.beforeWork(session),
      now: machine.now,
      report: machine.report('Editor tools'),
    }),
  );
  return { work, open, files, terminals, ownTerminals, setup, mcp, permissions, reviewers, shown, languages, ide };
}

/** How an agent's process is put into its sandbox. */
function enclosing(machine: Machine, { ide, mcp }: Served) {
  const { extensionPath, guard, sandboxRecords, globalStorage, settings, environment, knownPrograms, log } = machine;
  return createEnclose({
    extensionPath,
    guard,
    records: sandboxRecords,
    caches: join(globalStorage, 'caches'),
    packages: () => settings.get('sandboxPackages'),
    allowed: () => settings.get('sandboxFolders'),
    passed: () => settings.get('sandboxEnvironment'),
    toolsPort: (spec) => ide.portFor(spec),
    serverPorts: (spec, cwd) => mcp.servers.portsFor(spec, [cwd]),
    environment,
    knownGit: (folders) => knownPrograms.placesOf(folders),
    log,
  });
}
