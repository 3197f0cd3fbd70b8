import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { AgentPool } from '../../agent/pool/agentPool';
import type { Session } from '../../session/session';
import { rewoundSession } from '../../session/transcript/rewoundSession';
import { Disposable } from '../../shared/values/disposable';
import type { SessionKey } from '../../shared/values/ids';
import type { AgentCatalog } from '../agents/agentCatalog';
import type { ChatPages } from '../pages/chatPages';
import { createSession } from '../sessions/start/createSession';
import { rewindSession } from '../sessions/branch/rewindSession';
import type { Review } from '../review/review';
import type { RememberedChoices } from '../sessions/start/rememberedChoices';
import type { SessionStore } from '../sessions/stored/sessionStore';
import { JsonFiles } from '../storage/jsonFiles';
import type { StoragePlace } from '../storage/storageTroubles';
import { CheckpointFiles } from './checkpointFiles';
import { CheckpointKeeper } from './checkpointKeeper';
import { CheckpointRecorder } from './checkpointRecorder';
import { changedFilesOf } from './turnFiles';
import { Restorer, type RestorerParts } from './restorer';
import { restoreCommands } from './restoreCommands';
import type { ScratchFolder } from '../sessions/start/scratchFolder';
import { RestoreContent } from './restoreContent';
import { restoreMessages, type RestoreServices } from './restoreMessages';
import { RestoreOffers } from './restoreOffers';

/** The services that checkpoints use. `place` is where `review` stores its contents. */
export interface CheckpointServices {
  readonly pool: AgentPool;
  readonly catalog: AgentCatalog;
  readonly pages: ChatPages;
  readonly review: Review;
  readonly sessions: SessionStore;
  readonly place: StoragePlace;
  readonly scratch: ScratchFolder;
  readonly choices: RememberedChoices;
  readonly mergeAgain: NonNullable<RestorerParts['mergeAgain']>;
  readonly report: (error: unknown) => void;
}

/** Connects all parts of checkpoints: files can be restored to any turn, and a restore can be undone. */
export class Checkpoints extends Disposable {
  private readonly keeper: CheckpointKeeper;
  private readonly recorder: CheckpointRecorder;
  private readonly restorer: Restorer;
  /** Handlers for chat page messages about checkpoints. */
  readonly handlers: ReturnType<typeof restoreMessages>;
  /** The same actions as commands. */
  readonly commands: ReturnType<typeof restoreCommands>;

  constructor(needs: CheckpointServices) {
    super();
    const { pool, catalog, pages, review, sessions, scratch, choices, place, mergeAgain, report } = needs;
    const { contents, turns, log, disk } = review;
    const { storage, windows, troubles } = place;
    const recorder = this.register(new CheckpointRecorder(review.onDidTouch, contents, report));
    this.recorder = recorder;
    const undos = new JsonFiles(join(storage, 'restores'), (path) => troubles.setAside('restores', path));
    const restorer = new Restorer({
      recorder,
      services: { contents, log, disk },
      undos,
      settled: (session) => turns.settled(session),
      sessions: () => pool.sessions,
      mergeAgain,
    });
    this.restorer = restorer;
    const content = this.register(new RestoreContent(contents));
    const others = () => ({
      isBusy: turns.current.length > 0,
      hashes: [...review.recorder.hashes, ...reviewHashes(review)],
    });
    const files = new CheckpointFiles(join(storage, 'checkpoints'), troubles);
    const isAlone = async () => (await windows.others()).size === 0;
    this.keeper = this.register(
      new CheckpointKeeper(pool, recorder, files, contents, others, restorer, report, isAlone),
    );
    this.register(
      sessions.onDidRemove(({ key, agentId, sessionId = '' }) => {
        void this.keeper.delete(key, agentId, sessionId).catch(report);
      }),
    );
    const services: RestoreServices = {
      recorder,
      restorer,
      content,
      report,
      rewind: (session, message) => rewindSession(pool, session, message),
      openSession: (like, before) => {
        const { agentId, cwd } = like.transcript.view;
        const spec = catalog.find(agentId);
        // Only use the agent that the user sees.
        if (!spec || !vscode.workspace.isTrusted) return undefined;
        const key = `rewound-${randomUUID()}` as SessionKey;
        const stored = rewoundSession(key, like.transcript, before.id);
        const session = stored
          ? pool.restoreSession(spec, stored)
          : createSession({ pool, catalog, scratch, choices }, { agent: agentId, cwd, like });
        if (!session) return undefined;
        choices.copy(like, session);
        // The files can be restored to the messages that the new session shows, too.
        const turns = recorder.of(like.key).filter(({ turn }) => turn < before.turn);
        if (stored && turns.length > 0) recorder.replace(session.key, turns);
        return session;
      },
    };
    this.handlers = restoreMessages(services);
    this.register(new RestoreOffers(pages, recorder));
    this.commands = restoreCommands(pages, services);
  }

  /** Stores files before Parley writes them for the user, who can undo that in the session. */
  backUp(...files: Parameters<Restorer['backUp']>): ReturnType<Restorer['backUp']> {
    return this.restorer.backUp(...files);
  }

  /** Returns whether files can be restored to before a turn of a session. */
  canRestore({ key }: Session, turn: number): boolean {
    return turn <= (this.recorder.of(key).at(-1)?.turn ?? 0);
  }

  /** Returns the absolute paths of the files that a session changed, or one of its turns. */
  changedFiles({ key }: Session, turn?: number): string[] {
    const checkpoints = this.recorder.of(key).filter((one) => turn === undefined || one.turn === turn);
    return [...new Set(checkpoints.flatMap(changedFilesOf))];
  }

  /** Writes all checkpoints to disk synchronously. */
  flushNow(): void {
    this.recorder.giveUpRunning();
    this.keeper.flushNow();
  }

  /** Resolves once all checkpoints are on disk. */
  flush(): Promise<void> {
    return this.keeper.flush();
  }
}

/** The hashes of contents that the review needs for undoing. */
function reviewHashes({ log, disk }: Review): string[] {
  const binary = log.pending.flatMap((uri) => {
    const base = log.file(uri)?.base;
    return base?.kind === 'binary' ? [base.hash] : [];
  });
  return [...binary, ...disk.bases.hashes((uri) => log.file(uri) !== undefined)];
}
