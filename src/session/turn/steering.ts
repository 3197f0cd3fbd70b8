import * as l10n from '@vscode/l10n';
import { isAuthRequired } from '../../acp/errors';
import { Echo } from './echo';
import { singleEntryId } from '../update/entryIds';
import type { PromptQueue } from './promptQueue';
import { contentOf } from '../transcript/promptParts';
import type { RunningTurn, TurnEvents } from './runningTurn';
import type { Speakers } from '../transcript/speakers';
import type { TranscriptStore } from '../transcript/transcriptStore';

/** The turn that a message goes into, and what else of its session has a part in it. */
export interface SteeredTurn {
  readonly store: TranscriptStore;
  readonly queue: PromptQueue;
  readonly running: RunningTurn;
  readonly events: Pick<TurnEvents, 'onLoginRequired'>;
}

/**
 * Puts a waiting message into the turn that runs. Until the agent has taken it, it waits; never rejects. `betweenTurns` answers where
 * turns are counted, unless one runs.
 */
export async function steer(
  { store, queue, running, events }: SteeredTurn,
  id: string,
  betweenTurns: () => Speakers | undefined,
): Promise<void> {
  const prompt = queue.all.find((one) => one.id === id);
  const { turn } = running;
  const offer = running.channel.steer;
  if (!offer || !prompt) return;
  const content = contentOf(prompt);
  const outcome = await queue.during(id, () =>
    offer(content).catch((error: unknown) => (isAuthRequired(error) ? 'loginRequired' : 'failed')),
  );
  // It may have gone out meanwhile, or have been taken back.
  if (!queue.has(id) || outcome === 'promptRequired') return;
  if (outcome === 'loginRequired') {
    events.onLoginRequired();
    return;
  }
  if (outcome === 'failed') {
    const title = l10n.t('{0} couldn’t add the message to this turn; it stays queued', store.view.agentName);
    store.appendNotice('warning', title, turn);
    return;
  }
  queue.remove(id);
  for (const update of running.echo.release()) store.reduce(update, turn);
  running.echo = new Echo(prompt.text);
  const entryId = singleEntryId('steered', store.transcript.rev);
  const speakers = outcome === 'startedNewTurn' ? betweenTurns() : undefined;
  // A turn of the agent's own, whose end nobody tells.
  speakers?.beginTurn();
  speakers?.endTurn();
  store.append({ kind: 'user_message', id: entryId, turn: speakers?.turns.current ?? turn, content, state: 'sent' });
}
