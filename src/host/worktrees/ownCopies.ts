import * as vscode from 'vscode';
import type { PlacedSession } from '../../agent/pool/poolParts';
import type { AgentSpec } from '../../agent/spec/agentSpec';
import type { Session } from '../../session/session';
import type { SessionKey } from '../../shared/values/ids';
import { worktreeOf } from '../../worktree/made/worktreeOf';
import type { OwnCopiesNeeds } from './makeCopy';

/** Makes the copies in which sandboxed sessions work. */
export class OwnCopies {
  private readonly needs: OwnCopiesNeeds;
  /** One for each session, also if its start is cancelled in the meantime. */
  private readonly making = new Map<SessionKey, Promise<PlacedSession>>();
  /** The sessions whose agents get the same ignored files as the last one. */
  private readonly unasked = new Set<SessionKey>();

  constructor(needs: OwnCopiesNeeds) {
    this.needs = needs;
  }

  /** Gives a session that has just been created the same ignored files as the last one, without a question. */
  asBefore(session: SessionKey): void {
    this.unasked.add(session);
  }

  /** See `AgentPoolOptions.placeSession`. */
  readonly place = (session: Session, { sandbox }: AgentSpec, cwd: string): Promise<PlacedSession> | undefined => {
    // Without trust, nothing starts, and that says why.
    if (sandbox !== 'ownCopy' || !vscode.workspace.isTrusted || worktreeOf(cwd)?.isCopy === true) return undefined;
    const { key } = session;
    let made = this.making.get(key);
    if (!made) {
      made = this.make(session, cwd);
      this.making.set(key, made);
      made.catch(() => this.making.delete(key));
    }
    return made;
  };

  private async make(session: Session, cwd: string): Promise<PlacedSession> {
    const { makeCopy } = await import('./makeCopy');
    const placed = await makeCopy(this.needs, session, cwd, this.unasked.delete(session.key));
    return {
      ...placed,
      opened: () => {
        this.making.delete(session.key);
        placed.opened();
      },
    };
  }
}
