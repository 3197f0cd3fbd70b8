import type * as vscode from 'vscode';
import { AgentPool } from '../../../agent/pool/agentPool';
import { heldContext, heldFiles } from '../../../agent/pool/heldContext';
import type { OpenSessions } from '../../../agent/pool/openSessions';
import { KnownVersions } from '../../../agent/pool/knownVersions';
import type { AgentPoolOptions } from '../../../agent/pool/poolParts';
import type { ClientServices, TerminalService } from '../../../session/services';
import { DisposableStore } from '../../../shared/values/disposable';
import type { SessionKey } from '../../../shared/values/ids';
import type { AgentWork } from '../../base/agentWork';
import { ClosedSessions } from '../../base/closedSessions';
import { rootsBeside, workspaceRoots } from '../../base/folders';
import type { FileBridge } from '../../files/fileBridge';
import type { IdeServers } from '../../ide/ideServers';
import type { Log } from '../../log/log';
import type { SessionServers } from '../../mcp/feature';
import type { SettingsReview } from '../../settings/reviewSettings';
import type { Settings } from '../../settings/settings';
import { folderChoiceKey } from './folderChoice';
import { prepareSession } from './prepareSession';
import type { ReadOnlySessions } from './readOnlySessions';
import { RememberedChoices } from './rememberedChoices';
import { sandboxFolders } from './sandboxFolders';

/** What agents are served with, and what their sessions are opened with. */
export interface PoolNeeds extends Required<
  Pick<
    AgentPoolOptions,
    | 'version'
    | 'schedule'
    | 'resolveLaunch'
    | 'configureAgent'
    | 'guard'
    | 'enclose'
    | 'placeSession'
    | 'sandboxOf'
    | 'decideHost'
    | 'sandboxBlocked'
  >
> {
  readonly work: AgentWork;
  /** What has all sessions once they are created. */
  readonly open: OpenSessions;
  readonly files: FileBridge;
  readonly terminals: TerminalService & { endSession(session: SessionKey): Promise<void> };
  readonly permissions: ReadOnlySessions;
  readonly readContext: NonNullable<ClientServices['readContext']>;
  readonly ide: IdeServers;
  readonly mcp: SessionServers;
  readonly settings: Settings;
  readonly settingsReview: SettingsReview;
  /** Called with each folder that a session can change, before its agent gets it. */
  readonly beforeSession: (folder: string) => Promise<void>;
  /** Stores the folders for new sessions. */
  readonly memory: vscode.Memento;
  /** Stores what is known about agents. */
  readonly globalMemory: vscode.Memento;
  readonly log: Log;
}

/** All agents and sessions of this window. */
export function createPool(needs: PoolNeeds) {
  const { work, open, files, terminals, permissions, ide, mcp, settings, settingsReview, memory, globalMemory, log } =
    needs;
  const { readContext, version, schedule, resolveLaunch, configureAgent, guard } = needs;
  const { enclose, placeSession, beforeSession, sandboxOf, decideHost, sandboxBlocked } = needs;
  const parts = new DisposableStore();
  const prepare = prepareSession(mcp, memory, files, settingsReview, ide);
  const begin = async (cwd: string) => {
    for (const folder of new Set([cwd, ...workspaceRoots()]))
      await beforeSession(folder).catch((error: unknown) => log.warn(`Programs of ${folder}: ${String(error)}`));
  };
  const pool: AgentPool = parts.add(
    new AgentPool({
      services: {
        files: permissions.files(heldFiles(open, files)),
        terminals: permissions.terminals({
          create: async (context, params, events) => {
            await work.beforeWork(context.session);
            return terminals.create(heldContext(open, context), params, events);
          },
        }),
        permissions,
        mcp: ide,
        beforeTurn: (session) => work.beforeTurn(session),
        beforeWork: (session) => work.beforeWork(session),
        readContext,
      },
      version,
      now: () => Date.now(),
      schedule,
      resolveLaunch: async (spec, cwd) => {
        await begin(cwd);
        return resolveLaunch(spec, cwd);
      },
      enclose,
      placeSession,
      sandboxOf,
      sandboxFolders: (place) =>
        sandboxFolders(place, rootsBeside(place.cwd, workspaceRoots()), memory.get(folderChoiceKey)),
      decideHost,
      sandboxBlocked,
      prepareSession: async (session, ...more) => {
        // Its agent may be running already, for a session in another folder.
        await begin(session.transcript.view.cwd);
        return prepare(session, ...more);
      },
      wantedOptions: (session, offered) => choices.wanted(session, offered),
      configureAgent,
      versions: new KnownVersions({
        read: () => globalMemory.get<Readonly<Record<string, unknown>>>('parley.protocolVersions', {}),
        write: (versions) => void globalMemory.update('parley.protocolVersions', versions),
      }),
      wantsNextEdits: () => settings.get('nextEditSuggestions.enabled'),
      guard,
      log: (line) => log.info(line),
    }),
  );
  parts.add(
    pool.onDidChangeSessions(() => {
      for (const { key, transcript } of pool.sessions) {
        if (transcript.view.connection.state === 'closed') ide.revoke(key);
      }
    }),
  );
  open.join(pool);
  const closed = parts.add(new ClosedSessions(pool));
  parts.add(
    closed.onDidClose(({ key }) => {
      files.forget(key);
      ide.revoke(key);
      void terminals.endSession(key);
    }),
  );
  const choices = parts.add(new RememberedChoices(pool, globalMemory));
  work.join({ beforeTurn: (session) => choices.applied(session) });
  return { pool, closed, choices, dispose: () => parts.dispose() };
}
