import * as l10n from '@vscode/l10n';
import type { Session } from '../../session/session';
import type { Aside } from '../../shared/pages/aside';
import { messageOf } from '../../shared/values/messageOf';
import type { SessionKey } from '../../shared/values/ids';
import { askInFork, canForkAside, type ForkAsideNeeds } from './forkAside';

/** An agent that is slower doesn't answer, in milliseconds. */
const patience = 70_000;

/** Questions aside, at most one of each session. They are shown until dismissed, and never stored. */
export class Asides {
  private readonly needs: ForkAsideNeeds;
  private readonly changed: (session: SessionKey, aside: Aside | undefined) => void;
  private readonly shown = new Map<SessionKey, Aside>();

  constructor(needs: ForkAsideNeeds, changed: (session: SessionKey, aside: Aside | undefined) => void) {
    this.needs = needs;
    this.changed = changed;
  }

  of(session: SessionKey): Aside | undefined {
    return this.shown.get(session);
  }

  dismiss(session: SessionKey): void {
    if (this.shown.delete(session)) this.changed(session, undefined);
  }

  /** Asks the agent, which answers from what it remembers of the session. Its conversation stays as it is. Never rejects. */
  async ask(session: Session, question: string): Promise<void> {
    const asked: Aside = { question, state: 'asked', text: '' };
    this.show(session.key, asked);
    const end = await this.answer(session, question);
    // The user may have dismissed it, or asked something else.
    if (this.shown.get(session.key) !== asked) return;
    if (end === 'unsupported') this.dismiss(session.key);
    else this.show(session.key, { question, ...end });
  }

  private async answer(session: Session, question: string): Promise<Omit<Aside, 'question'> | 'unsupported'> {
    const { agentName, sessionId } = session.transcript.view;
    const vendor = this.needs.pool.runningAgentOf(session)?.vendor;
    try {
      const params = { sessionId, question };
      const text = await vendor?.ask('sideQuestion', params, AbortSignal.timeout(patience));
      if (text === undefined && canForkAside(this.needs, session))
        return await askInFork(this.needs, session, question);
      if (text === undefined) {
        session.agentSide.forgetAsides();
        return 'unsupported';
      }
      if (text !== '') return { state: 'answered', text };
      return { state: 'failed', text: l10n.t('{0} has no answer. Send a message first.', agentName) };
    } catch (error) {
      return { state: 'failed', text: messageOf(error) };
    }
  }

  private show(session: SessionKey, aside: Aside): void {
    this.shown.set(session, aside);
    this.changed(session, aside);
  }
}
