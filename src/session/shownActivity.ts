import type { SessionView } from '../shared/transcript';
import type { TranscriptStore } from './transcriptStore';

/** Shows whether the session waits for the user or works; `since` is when the running turn began, if one runs. */
export function showActivity(store: TranscriptStore, openQuestions: number, since: number | undefined): void {
  const show = (activity: SessionView['activity']) => store.setView({ activity });
  if (openQuestions === 0) show(since === undefined ? { state: 'idle' } : { state: 'running', since });
  else if (store.view.activity.state !== 'requires_action') show({ state: 'requires_action', since: store.now() });
}
