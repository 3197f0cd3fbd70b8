import * as l10n from '@vscode/l10n';
import type { ContentBlock } from '../../shared/content';
import type { TranscriptStore } from '../transcript/transcriptStore';

/** Tells, in a turn, what of its message the agent did not get. */
export function noticeForSkipped(store: TranscriptStore, turn: number): (blocks: readonly ContentBlock[]) => void {
  return (blocks) => {
    const { agentName } = store.view;
    const isLinked = (block: ContentBlock) => block.type === 'audio' && block.uri !== undefined;
    const missing = blocks.filter((block) => !isLinked(block));
    if (missing.length > 0) store.appendNotice('warning', skippedTitle(agentName, missing), turn);
    if (missing.length === blocks.length) return;
    store.appendNotice('info', l10n.t('{0} doesn’t support audio; it got the file’s path instead', agentName), turn);
  };
}

/** What the agent did not get of a message, since it has not said that it takes such things. */
function skippedTitle(agentName: string, blocks: readonly ContentBlock[]): string {
  const sounds = blocks.filter(({ type }) => type === 'audio').length;
  const pictures = blocks.length - sounds;
  if (sounds === 0) return l10n.t('{0} doesn’t support images; they weren’t sent', agentName);
  if (pictures === 0) return l10n.t('{0} doesn’t support audio; it wasn’t sent', agentName);
  return l10n.t('{0} doesn’t support images or audio; they weren’t sent', agentName);
}
