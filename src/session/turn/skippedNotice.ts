import * as l10n from '@vscode/l10n';
import type { ContentBlock } from '../../shared/transcript/content';
import type { TranscriptStore } from '../transcript/transcriptStore';

/** Returns a function that adds a notice to a turn about the unsupported parts of its message. */
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

/** Returns the title for the parts of a message that weren't sent because the agent doesn't support them. */
function skippedTitle(agentName: string, blocks: readonly ContentBlock[]): string {
  const sounds = blocks.filter(({ type }) => type === 'audio').length;
  const pictures = blocks.length - sounds;
  if (sounds === 0) return l10n.t('{0} doesn’t support images; they weren’t sent', agentName);
  if (pictures === 0) return l10n.t('{0} doesn’t support audio; it wasn’t sent', agentName);
  return l10n.t('{0} doesn’t support images or audio; they weren’t sent', agentName);
}
