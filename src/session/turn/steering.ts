import * as l10n from '@vscode/l10n';
import { isAuthRequired } from '../../acp/base/errors';
import { Echo } from './echo';
import { singleEntryId } from '../update/entryIds';
import type { Prompt } from '../../shared/transcript/transcript';
import type { PromptQueue } from './promptQueue';
import { contentOf } from '../transcript/promptParts';
import type { RunningTurn, TurnEvents } from './runningTurn';
import type { Speakers } from '../transcript/speakers';
import type { TranscriptStore } from '../transcript/transcriptStore';

/** The turn that a message is steered into, and the related parts of its session. */
export interface SteeredTurn {
  readonly store: TranscriptStore;
  readonly queue: PromptQueue;
  readonly running: RunningTurn;
  readonly events: Pick<TurnEvents, 'onLoginRequired'>;
}

/**
 * Adds a waiting message to the running turn. The message keeps waiting until the agent has accepted it. Never rejects.
 * `betweenTurns` returns the place for counting turns if no turn is running.
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
  // The message may have been sent or removed in the meantime.
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
  for (const update of running.echo?.release() ?? []) store.reduce(update, turn);
  running.echo = new Echo(prompt.text);
  const speakers = outcome === 'startedNewTurn' ? betweenTurns() : undefined;
  // The agent started its own turn, whose end it doesn't report.
  speakers?.beginTurn();
  speakers?.endTurn();
  showSteered(store, prompt, speakers?.turns.current ?? turn);
}

/** Shows a message that the agent has added to a turn. */
export function showSteered(store: TranscriptStore, prompt: Prompt, turn: number): void {
  const id = singleEntryId('steered', store.transcript.rev);
  store.append({ kind: 'user_message', id, turn, content: contentOf(prompt), state: 'sent' });
}
